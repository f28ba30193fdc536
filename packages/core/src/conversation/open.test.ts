import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { ContentBlock } from '../types/content.ts'
import type { RestoredMessage } from '../types/message.ts'
import { openConversation } from './open.ts'

const clock = () => 1_772_366_000_000
const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'x' } }
const use: ContentBlock = { type: 'tool_use', id: 'a', name: 'ls', input: {} }

const roles = (messages: readonly RestoredMessage[] = []) => messages.map(({ role }) => role).join(' ')
const lastOf = (messages: readonly RestoredMessage[] = []) => messages.at(-1)?.content

describe('openConversation', () => {
  test('makes a session with what it was given, or takes the one named, which begins with the first question', async () => {
    const store = createMemoryStore({ clock })
    const made = await openConversation(store, { create: { name: 'New', channelType: 'cli' } })
    expect(await store.sessions.get(made.id)).toMatchObject({ name: 'New', channelType: 'cli' })
    const named = await openConversation(store, { id: 'chat', create: { tags: ['x'] } })
    expect(await store.sessions.get('chat')).toBeUndefined()
    await named.begin('hi')
    expect(await store.sessions.get('chat')).toMatchObject({ tags: ['x'], messageCount: 1 })
  })

  test('takes the session of a chat, and a new one after silence', async () => {
    let time = 1_772_366_000_000
    const store = createMemoryStore({ clock: () => time })
    const options = { current: { channelType: 'telegram', channelKey: '42', idleMs: 1000 } }
    const first = await openConversation(store, options)
    time += 999
    expect((await openConversation(store, options)).id).toBe(first.id)
    time += 1
    expect((await openConversation(store, options)).id).not.toBe(first.id)
  })
})

describe('begin', () => {
  test('stores the question and gives it last, behind what was said', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's' })
    expect((await conversation.begin('q1')).messages).toEqual([{ role: 'user', content: [text('q1')] }])
    await conversation.persist([{ role: 'assistant', content: 'a1' }])
    const { messages, report } = await conversation.begin('q2')
    expect(messages).toEqual([
      { role: 'user', content: [text('q1')] },
      { role: 'assistant', content: [text('a1')] },
      { role: 'user', content: [text('q2')] },
    ])
    expect(report).toEqual({ dropped: 0, repaired: 0, interrupted: 0, reachedStart: true, damaged: 0 })
    expect((await store.sessions.get('s'))?.messageCount).toBe(3)
  })

  test('gives the question as it was asked, with its image, in text mode too', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's' })
    await conversation.begin([image])
    await conversation.persist([{ role: 'assistant', content: 'a cat' }])
    const { messages } = await conversation.begin([text('and this?'), image])
    expect(messages[0]?.content).toEqual([text('[image]')])
    expect(lastOf(messages)).toEqual([text('and this?'), image])
  })

  test('joins the question to one that nobody answered', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's' })
    await conversation.begin('q1')
    const { messages } = await conversation.begin('q2')
    expect(messages).toEqual([{ role: 'user', content: [text('q1'), text('q2')] }])
  })

  test('takes a whole message, with its id and metadata', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's', channelType: 'web' })
    await conversation.begin({ id: 'm1', role: 'user', content: 'q', metadata: { k: 1 } })
    expect(await store.messages.get('s', 'm1')).toMatchObject({ metadata: { k: 1, channelType: 'web' } })
  })

  test('closes a run that was cut off: its call gets an answer, the question follows', async () => {
    const store = createMemoryStore()
    const options = { id: 's', restore: { mode: 'full' as const } }
    const first = await openConversation(store, options)
    await first.begin('q1')
    await first.persist([{ role: 'assistant', content: [text('look'), use] }])
    // The process dies here; another one goes on.
    const second = await openConversation(store, options)
    const { messages, report } = await second.begin('q2')
    expect(roles(messages)).toBe('user assistant user')
    expect(lastOf(messages)).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'interrupted', is_error: true },
      text('q2'),
    ])
    expect([report.repaired, report.interrupted]).toEqual([1, 1])
  })

  test('a question that cannot be stored is not sent', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's' })
    await expect(conversation.begin([{ type: 'text', text: 5 } as never])).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await store.sessions.get('s')).toBeUndefined()
  })

  test('is kept where what was said before cannot be read', async () => {
    const store = createMemoryStore()
    const broken = {
      ...store,
      messages: { ...store.messages, recentTurns: () => Promise.reject(new Error('disk')) },
    }
    const conversation = await openConversation(broken, { id: 's' })
    expect((await conversation.begin('q')).messages).toEqual([{ role: 'user', content: [text('q')] }])
    expect((await store.messages.read('s')).items).toHaveLength(1)
  })
})

describe('persist and finish', () => {
  test('a session deleted in mid-run stays deleted', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's' })
    await conversation.begin('q')
    await store.sessions.remove('s', { purge: true })
    expect(await conversation.persist([{ role: 'assistant', content: 'a' }])).toBeUndefined()
    await conversation.finish({ usage: { input: 1 } })
    expect(await store.sessions.get('s')).toBeUndefined()
  })

  test('marks who answered, and keeps thinking for the same model where it is told to', async () => {
    const store = createMemoryStore()
    const written = { provider: 'anthropic', model: 'claude-x' }
    const options = { id: 's', ...written, thinking: 'keep' as const, restore: { mode: 'full' as const } }
    const conversation = await openConversation(store, options)
    await conversation.begin('q1')
    const thinking: ContentBlock = { type: 'thinking', thinking: 'hm', signature: 's' }
    await conversation.persist([{ role: 'assistant', content: [thinking, text('a1')] }])
    expect((await conversation.begin('q2')).messages[1]?.content).toEqual([thinking, text('a1')])
    const other = await openConversation(store, { ...options, model: 'claude-y' })
    expect((await other.begin('q3')).messages[1]?.content).toEqual([text('a1')])
  })

  test('adds usage and names in the background, once', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's' })
    let asked = 0
    const complete = async () => {
      asked++
      return 'A Tidy Name'
    }
    await conversation.begin('please tidy my shelf')
    const { naming } = await conversation.finish({ usage: { input: 3, output: 4 }, complete })
    await naming
    expect(await store.sessions.get('s')).toMatchObject({
      name: 'A Tidy Name',
      nameSource: 'auto',
      tokenCounts: { last: { input: 3, output: 4 }, accumulated: { input: 3, output: 4 } },
    })
    await (await conversation.finish({ complete })).naming
    expect(asked).toBe(1)
  })
})

describe('recover', () => {
  const overflow = new Error('prompt is too long: 201016 tokens > 200000 maximum')

  /** Four answered turns and a question that was refused. */
  async function refused() {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's', restore: { turns: 4 } })
    for (const turn of [1, 2, 3, 4]) {
      await conversation.begin(`q${turn}`)
      await conversation.persist([{ role: 'assistant', content: `a${turn}` }])
    }
    await conversation.begin([text('q5'), image])
    return { store, conversation }
  }

  test('after an overflow gives half the turns, and the question as it was asked', async () => {
    const { store, conversation } = await refused()
    const { kind, done, messages } = await conversation.recover(overflow)
    expect([kind, done]).toEqual(['context-overflow', 'narrow'])
    expect(messages).toEqual([
      { role: 'user', content: [text('q3')] },
      { role: 'assistant', content: [text('a3')] },
      { role: 'user', content: [text('q4')] },
      { role: 'assistant', content: [text('a4')] },
      { role: 'user', content: [text('q5'), image] },
    ])
    expect((await store.sessions.get('s'))?.messageCount).toBe(9)
  })

  test('with a summarizer compacts; the question stays', async () => {
    const { store, conversation } = await refused()
    const { done, messages } = await conversation.recover(overflow, { summarize: async () => 'S' })
    expect(done).toBe('compact')
    expect(messages).toEqual([{ role: 'user', content: [text('S'), text('q5'), image] }])
    expect((await store.messages.read('s')).items).toHaveLength(10)
  })

  test('an unrelated error does nothing', async () => {
    const { store, conversation } = await refused()
    const before = await store.sessions.get('s')
    for (const error of [
      new Error('400 Bad Request'),
      new Error('429 rate limit: tokens per minute'),
      undefined,
    ]) {
      expect(await conversation.recover(error)).toEqual({ kind: 'other', done: 'none' })
    }
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('after a reset the question is asked again, behind a note', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's' })
    await conversation.begin('q1')
    await conversation.begin([text('q2'), image])
    const { done, messages } = await conversation.recover(overflow)
    const note = text('Earlier messages were left out.')
    expect([done, messages]).toEqual([
      'reset-context',
      [{ role: 'user', content: [note, text('q2'), image] }],
    ])
  })
})

test('finish never deletes a question that comes while it looks whether the session is empty', async () => {
  const store = createMemoryStore()
  const slow = {
    ...store,
    transact: async <T>(work: Parameters<typeof store.transact<T>>[0]) => {
      await (await openConversation(store, { id: conversation.id })).begin('precious')
      return store.transact(work)
    },
  }
  const conversation = await openConversation(slow)
  await conversation.finish()
  expect((await store.sessions.get(conversation.id))?.messageCount).toBe(1)
})

test('a question of which nothing would be kept as text is stored, behind what was said', async () => {
  const store = createMemoryStore()
  const conversation = await openConversation(store, { id: 's', tools: 'strip' })
  await conversation.begin('q1')
  await conversation.persist([{ role: 'assistant', content: 'a1' }])
  const { messages } = await conversation.begin({
    role: 'user',
    content: 'x',
    metadata: { agentVisible: false },
  })
  expect(roles(messages)).toBe('user assistant user')
  expect((await store.sessions.get('s'))?.messageCount).toBe(3)
})
