// What a session is called afterwards, whoever else names it, and what the host is told.

import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { NewMessage } from '../types/message.ts'
import { type AutoNameOptions, autoName } from './auto-name.ts'
import { namingPrompt } from './prompt.ts'
import { logger, named } from './testing/observed.ts'

const user = (content: string): NewMessage => ({ role: 'user', content })
const hidden: NewMessage = { role: 'user', content: 'Rules for the agent', metadata: { userVisible: false } }

async function storeWith(messages: readonly NewMessage[], name?: string) {
  const store = createMemoryStore()
  await store.sessions.create({ id: 's', ...(name === undefined ? {} : { name }) })
  await store.messages.append('s', messages)
  return store
}

/** A model that answers this, and remembers what it was asked. */
function model(answer: unknown) {
  const prompts: string[] = []
  const complete = async (prompt: string) => {
    prompts.push(prompt)
    if (answer instanceof Error) throw answer
    return answer as string
  }
  return { prompts, complete }
}

describe('a name by the model', () => {
  test('is stored as automatic, the model asked once with the first texts', async () => {
    const store = await storeWith([
      hidden,
      user('Why is my build slow?'),
      user('It is TypeScript'),
      user('5.9'),
      user('d'),
    ])
    const { prompts, complete } = model('<think>hm</think>**Title:** "Slow TypeScript builds."')
    expect(await autoName(store, 's', { complete })).toEqual({
      outcome: 'named',
      name: 'Slow TypeScript builds',
    })
    expect(prompts).toEqual([namingPrompt(['Why is my build slow?', 'It is TypeScript', '5.9'])])
    expect(await named(store)).toEqual(['Slow TypeScript builds', 'auto'])
  })

  test('is in Chinese for a Chinese conversation', async () => {
    const store = await storeWith([user('帮我看看为什么构建这么慢')])
    const { prompts, complete } = model('标题：「TypeScript 构建缓慢的原因与解决办法」')
    expect(await autoName(store, 's', { complete })).toEqual({
      outcome: 'named',
      name: 'TypeScript 构建缓慢的原因与',
    })
    expect(prompts[0]).toContain('最多10个字')
  })

  test('obeys limit, language and locale', async () => {
    const store = await storeWith([user('Hello')])
    const { prompts, complete } = model('Un deux trois quatre')
    const options: AutoNameOptions = { complete, limit: 3, language: 'fr', locale: 'zh' }
    expect(await autoName(store, 's', options)).toEqual({ outcome: 'named', name: 'Un deux trois' })
    expect(prompts).toEqual([namingPrompt(['Hello'], { limit: 3, language: 'fr', locale: 'zh' })])
    expect(prompts[0]).toContain('使用法语，最多3个单词')
  })

  test('takes the place of an earlier one', async () => {
    const store = await storeWith([user('Hello')])
    await autoName(store, 's', model('First'))
    expect(await autoName(store, 's', model('Second'))).toEqual({ outcome: 'named', name: 'Second' })
    expect(await named(store)).toEqual(['Second', 'auto'])
  })

  test('does not touch the conversation, and is given to scheduled sessions too', async () => {
    const store = createMemoryStore()
    const before = await store.sessions.create({ id: 's', type: 'scheduled' })
    await store.messages.append('s', [user('Daily report')])
    expect(await autoName(store, 's', model('Daily report'))).toEqual({
      outcome: 'named',
      name: 'Daily report',
    })
    expect((await store.sessions.get('s'))?.version).toBe(before.version + 1)
  })
})

describe('first words stand in', () => {
  test.each<[string, unknown]>([
    ['nothing', ''],
    ['reasoning without an end', '<think>They want'],
    ['only quotes', '“”'],
    ['JSON without a title', '{"error": 5}'],
    ['no string', undefined],
    ['a number', 5],
  ])('for %s', async (_, answer) => {
    const store = await storeWith([user('Please fix the slow build of our app'), user('b')])
    expect(await autoName(store, 's', model(answer))).toEqual({
      outcome: 'fallback',
      name: 'Please fix the slow build of',
    })
    expect(await named(store)).toEqual(['Please fix the slow build of', 'auto'])
  })

  test('for a model that fails, with its error, which is logged without its message', async () => {
    const store = await storeWith([user('帮我看看为什么构建这么慢好吗')])
    const { logged, logger: log } = logger()
    const error = new TypeError('prompt too long: 帮我看看')
    expect(await autoName(store, 's', { ...model(error), logger: log })).toEqual({
      outcome: 'fallback',
      name: '帮我看看为什么构建这',
      error,
    })
    expect(logged).toEqual([
      [
        'warn',
        { sessionId: 's', operation: 'autoName', error: 'TypeError' },
        'the model failed to name the session',
      ],
    ])
  })

  test('for one that throws at once', async () => {
    const store = await storeWith([user('Hello')])
    const complete = () => {
      throw 'offline'
    }
    expect(await autoName(store, 's', { complete })).toEqual({
      outcome: 'fallback',
      name: 'Hello',
      error: 'offline',
    })
  })

  test('of the next text where the first has none', async () => {
    const store = await storeWith([user('???'), user('Slow builds!')])
    expect(await autoName(store, 's', model(''))).toEqual({ outcome: 'fallback', name: 'Slow builds' })
  })

  test('but never for an earlier automatic name', async () => {
    const store = await storeWith([user('Hello')])
    await autoName(store, 's', model('Greetings'))
    const error = new Error('offline')
    expect(await autoName(store, 's', model(error))).toEqual({
      outcome: 'kept',
      name: 'Greetings',
      reason: 'auto-named',
      error,
    })
  })
})

describe('the name is kept', () => {
  test('where a person gave it, and the model is not asked', async () => {
    const { prompts, complete } = model('Slow builds')
    const store = await storeWith([user('Hello')], 'Mine')
    expect(await autoName(store, 's', { complete })).toEqual({
      outcome: 'kept',
      name: 'Mine',
      reason: 'user-named',
    })
    expect(prompts).toEqual([])
  })

  test.each<[string, readonly NewMessage[]]>([
    ['nothing', []],
    ['nothing people see', [hidden]],
  ])('where %s was said, and the model is not asked', async (_, messages) => {
    const { prompts, complete } = model('Slow builds')
    const store = await storeWith(messages)
    expect(await autoName(store, 's', { complete })).toEqual({
      outcome: 'kept',
      name: 'New session',
      reason: 'no-text',
    })
    expect(prompts).toEqual([])
  })

  test('where neither the model nor the texts give one', async () => {
    const store = await storeWith([user('???')])
    expect(await autoName(store, 's', model('...'))).toEqual({
      outcome: 'kept',
      name: 'New session',
      reason: 'no-text',
    })
    expect(await named(store)).toEqual(['New session', 'default'])
  })
})

describe('there is no session', () => {
  test('of that id', async () => {
    const { prompts, complete } = model('x')
    expect(await autoName(createMemoryStore(), 's', { complete })).toEqual({ outcome: 'not-found', name: '' })
    expect(prompts).toEqual([])
  })

  test('in the trash', async () => {
    const store = await storeWith([user('Hello')])
    await store.sessions.remove('s')
    const { prompts, complete } = model('x')
    expect(await autoName(store, 's', { complete })).toEqual({ outcome: 'not-found', name: '' })
    expect(prompts).toEqual([])
  })
})

describe('what a host does wrong or a store fails at rejects', () => {
  test.each<[unknown, string]>([
    [{}, 'options.complete: must be a function'],
    [{ complete: async () => '', limit: 0 }, 'options.limit: too small: expected number to be >=1'],
    [
      { complete: async () => '', language: ' ' },
      'options.language: must be 1 to 100 code points without control characters',
    ],
    [{ complete: async () => '', locale: 'fr' }, 'options.locale: invalid option: expected one of "en"|"zh"'],
    [undefined, 'options: invalid input: expected object, received undefined'],
  ])('%j', async (options, message) => {
    await expect(autoName(createMemoryStore(), 's', options as AutoNameOptions)).rejects.toMatchObject({
      code: 'invalid',
      message,
    })
  })

  test('a closed store', async () => {
    const store = await storeWith([user('Hello')])
    const complete = async () => {
      await store.close()
      return 'x'
    }
    await expect(autoName(store, 's', { complete })).rejects.toMatchObject({ code: 'closed' })
  })
})
