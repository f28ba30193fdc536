// Naming beside other work: who wins when a session changes while the model thinks, and that nothing ever breaks it.

import { describe, expect, test } from 'vitest'
import { StoreError } from '../errors.ts'
import { createMemoryStore } from '../memory/index.ts'
import type { SessionStore } from '../port/store.ts'
import { type AutoNameOptions, autoName } from './auto-name.ts'
import { autoNameInBackground } from './background.ts'
import { logger, named } from './testing/observed.ts'

async function storeWith(text: string) {
  const store = createMemoryStore()
  await store.messages.append('s', [{ role: 'user', content: text }], { createSession: true })
  return store
}

describe('while the model thinks', () => {
  /** Names the session; `answer` is what the model says at last. */
  async function begin(answer: string | Error) {
    const store = await storeWith('Hello there')
    const asked = Promise.withResolvers<void>()
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const complete = () => {
      asked.resolve()
      return promise
    }
    const naming = autoName(store, 's', { complete })
    await asked.promise
    const end = () => {
      if (answer instanceof Error) reject(answer)
      else resolve(answer)
      return naming
    }
    return { store, end }
  }

  test.each<[string, string | Error]>([
    ['a name', 'Late name'],
    ['no name', ''],
    ['an error', new Error('offline')],
  ])('a rename wins over %s', async (_, answer) => {
    const { store, end } = await begin(answer)
    await store.sessions.update('s', { name: 'Mine' })
    expect(await end()).toEqual({
      outcome: 'kept',
      name: 'Mine',
      reason: 'user-named',
      ...(answer instanceof Error ? { error: answer } : {}),
    })
    expect(await named(store)).toEqual(['Mine', 'user'])
  })

  test('another automatic name wins over first words, but not over a name', async () => {
    const failed = await begin('')
    await failed.store.sessions.update('s', { name: 'Other', nameSource: 'auto' })
    expect(await failed.end()).toEqual({ outcome: 'kept', name: 'Other', reason: 'auto-named' })
    const late = await begin('Late name')
    await late.store.sessions.update('s', { name: 'Other', nameSource: 'auto' })
    expect(await late.end()).toEqual({ outcome: 'named', name: 'Late name' })
  })

  test('messages and usage do not matter', async () => {
    const { store, end } = await begin('Late name')
    await store.messages.append('s', [{ role: 'assistant', content: 'Hi' }])
    await store.sessions.addUsage('s', { input: 5 })
    expect(await end()).toEqual({ outcome: 'named', name: 'Late name' })
  })

  test.each<[string, string | Error, object]>([
    ['a name', 'Late name', {}],
    ['first words', '', {}],
    ['an error', new Error('offline'), { error: new Error('offline') }],
  ])('%s is for the session that it was made of, not for another of its id', async (_, answer, more) => {
    const { store, end } = await begin(answer)
    await store.sessions.remove('s', { purge: true })
    await store.messages.append('s', [{ role: 'user', content: 'Something else' }], { createSession: true })
    expect(await end()).toEqual({ outcome: 'kept', name: 'New session', reason: 'changed', ...more })
    expect(await named(store)).toEqual(['New session', 'default'])
  })

  test('a session without a word of its own is another, too', async () => {
    const { store, end } = await begin('Late name')
    await store.sessions.remove('s', { purge: true })
    await store.sessions.create({ id: 's' })
    expect(await end()).toEqual({ outcome: 'kept', name: 'New session', reason: 'changed' })
  })

  test('a text that was deleted meanwhile names nothing', async () => {
    const { store, end } = await begin('Late name')
    await store.messages.clear('s')
    expect(await end()).toEqual({ outcome: 'kept', name: 'New session', reason: 'changed' })
    expect(await named(store)).toEqual(['New session', 'default'])
  })

  test('what the user says further does not matter', async () => {
    const { store, end } = await begin('Late name')
    await store.messages.append('s', [{ role: 'user', content: 'And more' }])
    expect(await end()).toEqual({ outcome: 'named', name: 'Late name' })
  })

  test.each<[string, (store: SessionStore) => Promise<unknown>, object]>([
    ['usage', (store) => store.sessions.addUsage('s', { input: 1 }), { outcome: 'named', name: 'Late name' }],
    [
      'a rename',
      (store) => store.sessions.update('s', { name: 'Mine' }),
      { outcome: 'kept', name: 'Mine', reason: 'user-named' },
    ],
    ['a removal', (store) => store.sessions.remove('s'), { outcome: 'not-found', name: '' }],
    ['a purge', (store) => store.sessions.remove('s', { purge: true }), { outcome: 'not-found', name: '' }],
    [
      'another session of its id',
      async (store) => {
        await store.sessions.remove('s', { purge: true })
        await store.sessions.create({ id: 's' })
      },
      { outcome: 'kept', name: 'New session', reason: 'changed' },
    ],
  ])('%s between the last look and the write is looked at again', async (_, meanwhile, outcome) => {
    const store = await storeWith('Hello there')
    let isFirst = true
    const update: typeof store.sessions.update = async (...given) => {
      if (isFirst) await meanwhile(store)
      isFirst = false
      return store.sessions.update(...given)
    }
    const racing = { ...store, sessions: { ...store.sessions, update } }
    expect(await autoName(racing, 's', { complete: async () => 'Late name' })).toEqual(outcome)
  })

  test.each([true, false])('a session that goes (purged: %j) stays gone', async (purge) => {
    const { store, end } = await begin('Late name')
    await store.sessions.remove('s', { purge })
    expect(await end()).toEqual({ outcome: 'not-found', name: '' })
    expect((await store.sessions.get('s'))?.name).toBe(purge ? undefined : 'New session')
  })
})

describe('in the background', () => {
  test('the name is stored', async () => {
    const store = await storeWith('Hello')
    expect(await autoNameInBackground(store, 's', { complete: async () => 'Greetings' })).toBeUndefined()
    expect(await named(store)).toEqual(['Greetings', 'auto'])
  })

  test('a failing store is logged, and nothing of what was said', async () => {
    const store = await storeWith('Secret words')
    const { logged, logger: log } = logger()
    const complete = async () => {
      await store.close()
      return 'Secret name'
    }
    await autoNameInBackground(store, 's', { complete, logger: log })
    expect(logged).toEqual([
      ['warn', { sessionId: 's', operation: 'autoName', error: 'closed' }, 'the session could not be named'],
    ])
  })

  test('no failure rejects: options, a store that throws at once, a logger that throws', async () => {
    const store = await storeWith('Hello')
    const { logged, logger: log } = logger()
    const broken = () => {
      throw new StoreError('busy', 'locked')
    }
    const throwing = { debug: broken, info: broken, warn: broken, error: broken }
    const brokenStore = { ...store, sessions: { ...store.sessions, get: broken } }
    await autoNameInBackground(store, 's', undefined as unknown as AutoNameOptions)
    await autoNameInBackground(store, 's', { logger: log } as unknown as AutoNameOptions)
    await autoNameInBackground(brokenStore, 's', { complete: async () => 'x', logger: log })
    await autoNameInBackground(brokenStore, 's', { complete: async () => 'x', logger: throwing })
    await autoNameInBackground(store, 's', { complete: broken, logger: throwing })
    expect(logged.map(([level, fields]) => [level, fields])).toEqual([
      ['warn', { sessionId: 's', operation: 'autoName', error: 'invalid' }],
      ['warn', { sessionId: 's', operation: 'autoName', error: 'busy' }],
    ])
    expect(await named(store)).toEqual(['Hello', 'auto'])
  })
})
