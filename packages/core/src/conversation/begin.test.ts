// What `begin` takes, and that whatever it answers is a request that four providers take.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { ContentBlock } from '../types/content.ts'
import type { NewMessage } from '../types/message.ts'
import { openConversation } from './open.ts'
import { breachesOf } from './testing/requests.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const use = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'ls', input: {} })
const result = (id: string): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` })
const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }
const thinking: ContentBlock = { type: 'thinking', thinking: 'hm' }
const modes = ['text', 'full'] as const

async function conversationOf(mode: 'text' | 'full', messages: readonly NewMessage[] = []) {
  const store = createMemoryStore()
  if (messages.length > 0) await store.messages.append('s', messages, { createSession: true })
  const conversation = await openConversation(store, { id: 's', restore: { mode } })
  return { store, conversation }
}

describe('a message that is no question is refused before it is stored', () => {
  test.each<[unknown, string]>([
    [null, 'user: invalid input: expected object, received null'],
    [5, 'user: invalid input: expected object, received number'],
    ['', 'user.content: must say something'],
    [' \n\u3000', 'user.content: must say something'],
    [[], 'user.content: must say something'],
    [[text(' '), text('\t')], 'user.content: must say something'],
    [{ role: 'user', content: '' }, 'user.content: must say something'],
    [{ role: 'assistant', content: 'a' }, 'user.role: must be "user", not "assistant"'],
    [{ role: 'system', content: 'a' }, 'user.role: must be "user", not "system"'],
    [{ role: 'tool', content: [result('a')] }, 'user.role: must be "user", not "tool"'],
    [[text('a'), use('a')], `user.content[1].type: must not be tool_use: that is the assistant's`],
    [[thinking], `user.content[0].type: must not be thinking: that is the assistant's`],
    [[null], 'user.content[0]: invalid input: expected object, received null'],
    [{ role: 'user' }, 'user.content: must be text or an array of blocks'],
    [[result('a')], 'user.content[0].tool_use_id: the last turn has no open call "a"'],
    [[text('x'), result('a')], 'user.content[1].tool_use_id: the last turn has no open call "a"'],
  ])('%j: %s', async (user, message) => {
    const { store, conversation } = await conversationOf('text')
    await expect(conversation.begin(user as never)).rejects.toMatchObject({
      name: 'StoreError',
      code: 'invalid',
      operation: 'conversation.begin',
      message,
    })
    expect(await store.sessions.get('s')).toBeUndefined()
  })

  test('a proxy that throws, too', async () => {
    const { conversation } = await conversationOf('text')
    const odd = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no')
        },
      },
    )
    await expect(conversation.begin(odd as never)).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe.each(modes)('in %s mode', (mode) => {
  test('half of a surrogate pair is stored as it is and sent as U+FFFD', async () => {
    const { store, conversation } = await conversationOf(mode)
    const { messages } = await conversation.begin('half \ud83d')
    expect(messages).toEqual([{ role: 'user', content: [text('half \ufffd')] }])
    expect((await store.messages.read('s')).items[0]?.content).toEqual([text('half \ud83d')])
  })

  test('results go on with an interrupted turn, which is given whole', async () => {
    const { conversation } = await conversationOf(mode, [
      { role: 'user', content: 'q1' },
      { role: 'assistant', content: 'a1' },
      { role: 'user', content: [text('q2'), image] },
      { role: 'assistant', content: [text('look'), use('a'), use('b')] },
      { role: 'user', content: [result('a')] },
    ])
    const { messages } = await conversation.begin([result('b'), text('and hurry')])
    expect(messages).toEqual([
      { role: 'user', content: [text('q1')] },
      { role: 'assistant', content: [text('a1')] },
      { role: 'user', content: [text('q2'), image] },
      { role: 'assistant', content: [text('look'), use('a'), use('b')] },
      { role: 'user', content: [result('a'), result('b'), text('and hurry')] },
    ])
  })

  test('a call that stays open beside them is answered as interrupted', async () => {
    const { conversation } = await conversationOf(mode, [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [use('a'), use('b')] },
    ])
    const { messages } = await conversation.begin([result('b')])
    const interrupted = { type: 'tool_result', tool_use_id: 'a', content: 'interrupted', is_error: true }
    expect(messages.at(-1)).toEqual({ role: 'user', content: [interrupted, result('b')] })
  })

  test('a turn whose beginning is a summary is gone on with, too', async () => {
    const { store, conversation } = await conversationOf(mode, [{ role: 'user', content: 'q' }])
    await store.messages.compact('s', { throughSeq: 1, summary: { role: 'user', content: 'S' } })
    await store.messages.append('s', [{ role: 'assistant', content: [use('a')] }])
    expect((await conversation.begin([result('a')])).messages).toEqual([
      { role: 'user', content: [text('S')] },
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [result('a')] },
    ])
  })

  test.each<[string, readonly NewMessage[], readonly ContentBlock[]]>([
    ['a second result', [{ role: 'user', content: [result('a')] }], [result('a')]],
    ['two results for one call', [], [result('a'), result('a')]],
    ['a result after the reply', [{ role: 'assistant', content: 'done' }], [result('a')]],
    ['a result after the next question', [{ role: 'user', content: 'q2' }], [result('a')]],
    ['a result of another call', [], [result('x')]],
  ])('%s is refused, and nothing is stored', async (_name, further, user) => {
    const { store, conversation } = await conversationOf(mode, [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [use('a')] },
      ...further,
    ])
    const before = await store.sessions.get('s')
    await expect(conversation.begin(user)).rejects.toMatchObject({ code: 'invalid' })
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('results given again under their id are the same results', async () => {
    const { store, conversation } = await conversationOf(mode, [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [use('a')] },
    ])
    const message: NewMessage = { id: 'r', role: 'user', content: [result('a')] }
    const first = await conversation.begin(message)
    expect(await conversation.begin(message)).toEqual(first)
    expect((await store.sessions.get('s'))?.messageCount).toBe(3)
  })

  test('results of a session that changes while they are looked at are a conflict', async () => {
    const { store } = await conversationOf(mode, [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [use('a')] },
    ])
    const recentTurns: typeof store.messages.recentTurns = async (...given) => {
      const window = await store.messages.recentTurns(...given)
      await store.messages.append('s', [{ role: 'user', content: [result('a')] }])
      return window
    }
    const racing = { ...store, messages: { ...store.messages, recentTurns } }
    const conversation = await openConversation(racing, { id: 's', restore: { mode } })
    await expect(conversation.begin([result('a')])).rejects.toMatchObject({ code: 'conflict' })
    expect((await store.sessions.get('s'))?.messageCount).toBe(3)
  })

  const word = fc.constantFrom('ask', '悬空', ' ', '', '\ud83d')
  const id = fc.constantFrom('a', 'b')
  const block: fc.Arbitrary<ContentBlock> = fc.oneof(
    word.map(text),
    id.map(use),
    id.map(result),
    fc.constantFrom<ContentBlock>(image, thinking, { type: 'x_audio' } as never),
  )
  const content = fc.oneof(word, fc.array(block, { maxLength: 4 }))
  const role = fc.constantFrom<NewMessage['role']>('user', 'user', 'assistant', 'assistant', 'tool', 'system')
  const message: fc.Arbitrary<NewMessage> = fc.record({
    role,
    content,
    metadata: fc.constantFrom({}, {}, {}, { agentVisible: false }),
  })
  // An open call more often than chance would have it.
  const opened = fc.array(id, { minLength: 1, maxLength: 2 }).map((ids): NewMessage[] => [
    { role: 'user', content: 'q' },
    { role: 'assistant', content: ids.map(use) },
  ])
  const history = fc
    .tuple(fc.array(message, { maxLength: 12 }), fc.option(opened, { nil: [] }))
    .map(([some, more]) => [...some, ...more])

  test('whatever it takes ends with it, and is what four providers take', async () => {
    let taken = 0
    let results = 0
    const property = fc.asyncProperty(history, fc.oneof(content, message), async (before, user) => {
      const { store, conversation } = await conversationOf(mode, before)
      const stored = (await store.messages.read('s', { limit: 100 })).items
      const ready = await conversation.begin(user as NewMessage).catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'StoreError', code: 'invalid' })
      })
      const items = (await store.messages.read('s', { limit: 100 })).items
      if (ready === undefined) {
        expect(items).toEqual(stored)
        return
      }
      taken++
      expect(items).toHaveLength(stored.length + 1)
      const last = ready.messages.at(-1)
      expect(last?.role).toBe('user')
      const given = typeof user === 'object' && 'role' in user ? user.content : user
      const blocks = typeof given === 'string' ? [text(given)] : (given as ContentBlock[])
      for (const one of blocks) {
        if (one.type === 'text' && one.text.trim() === '') continue
        if (one.type === 'tool_result') results++
        expect(last?.content).toContainEqual(one.type === 'text' ? text(one.text.toWellFormed()) : one)
      }
      expect(breachesOf(ready.messages)).toEqual([])
    })
    await fc.assert(property, { numRuns: 500, seed: 7 })
    expect(taken).toBeGreaterThan(100)
    expect(results).toBeGreaterThan(10)
  })
})
