// Going on with a turn that a process left when it died.

import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { ContentBlock } from '../types/content.ts'
import type { RestoredMessage } from '../types/message.ts'
import { openConversation } from './open.ts'

const overflow = new Error('prompt is too long: 201016 tokens > 200000 maximum')
const invalid = new Error(
  '400 messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: a',
)
const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'ls', input: {} })
const result = (id: string): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content: `r-${id}` })
const interrupted = (id: string): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'interrupted',
  is_error: true,
})
const user = (...content: ContentBlock[]): RestoredMessage => ({ role: 'user', content })
const assistant = (...content: ContentBlock[]): RestoredMessage => ({ role: 'assistant', content })

/** One answered turn. */
async function answered(mode: 'text' | 'full') {
  const store = createMemoryStore()
  const open = () => openConversation(store, { id: 's', restore: { mode } })
  const conversation = await open()
  await conversation.begin('q1')
  await conversation.persist([{ role: 'assistant', content: 'a1' }])
  return { store, open, conversation }
}

const before = [user(text('q1')), assistant(text('a1'))]

describe.each(['text', 'full'] as const)('resume, %s', (mode) => {
  test('answers undefined where nobody waits for an answer', async () => {
    const { store, open, conversation } = await answered(mode)
    expect(await conversation.resume()).toBeUndefined()
    expect(await (await open()).resume()).toBeUndefined()
    expect(await (await openConversation(store, { id: 'none' })).resume()).toBeUndefined()
    await conversation.begin('q2')
    await store.sessions.remove('s')
    expect(await conversation.resume()).toBeUndefined()
    expect(await (await open()).resume()).toBeUndefined()
  })

  test('gives a question that nobody answered, as it was asked', async () => {
    const { store, open, conversation } = await answered(mode)
    await conversation.begin([text('q2'), image])
    const other = await open()
    const resumed = await other.resume()
    expect([resumed?.messages, resumed?.pending]).toEqual([[...before, user(text('q2'), image)], []])
    await other.persist([{ role: 'assistant', content: 'a2' }])
    expect(await other.resume()).toBeUndefined()
    expect((await store.messages.read('s')).items).toHaveLength(4)
  })

  test('gives results that are stored already', async () => {
    const { open, conversation } = await answered(mode)
    await conversation.begin('q2')
    await conversation.persist([{ role: 'assistant', content: [call('a')] }])
    await conversation.persist([{ role: 'user', content: [result('a')] }])
    const other = await open()
    const resumed = await other.resume()
    const whole = [...before, user(text('q2')), assistant(call('a')), user(result('a'))]
    expect([resumed?.messages, resumed?.pending]).toEqual([whole, []])
    // What is persisted then belongs to that turn.
    await other.persist([{ role: 'assistant', content: [call('b')] }])
    const again = await other.resume()
    expect([again?.messages, again?.pending]).toEqual([
      [...whole, assistant(call('b')), user(interrupted('b'))],
      [call('b')],
    ])
  })

  test('tells which calls are open; their results go on with the turn', async () => {
    const { open, conversation } = await answered(mode)
    await conversation.begin('q2')
    await conversation.persist([{ role: 'assistant', content: [call('a'), call('b')] }])
    await conversation.persist([{ role: 'user', content: [result('a')] }])
    const other = await open()
    const resumed = await other.resume()
    const whole = [...before, user(text('q2')), assistant(call('a'), call('b'))]
    expect([resumed?.messages, resumed?.pending]).toEqual([
      [...whole, user(result('a'), interrupted('b'))],
      [call('b')],
    ])
    const { messages } = await other.begin([result('b')])
    expect(messages).toEqual([...whole, user(result('a'), result('b'))])
  })

  test('after a reset, a compaction and a transcript in mid-run', async () => {
    for (const [error, summarize, times, told] of [
      [overflow, undefined, 2, 'Earlier messages were left out.'],
      [overflow, async () => 'S', 1, 'S'],
      [invalid, undefined, 1, 'User: q1\n\nAssistant: a1'],
    ] as const) {
      const { open, conversation } = await answered(mode)
      await conversation.begin('q2')
      await conversation.persist([{ role: 'assistant', content: [call('a')] }])
      for (let time = 1; time <= times; time++)
        await conversation.recover(error, summarize ? { summarize } : {})
      const resumed = await (await open()).resume()
      expect([resumed?.messages, resumed?.pending]).toEqual([
        [user(text(told), text('q2')), assistant(call('a')), user(interrupted('a'))],
        [call('a')],
      ])
    }
  })

  test('where a summary stands for all of the turn, or for its beginning', async () => {
    const { open, conversation } = await answered(mode)
    await conversation.begin([text('q2'), image])
    await conversation.persist([{ role: 'assistant', content: [call('a')] }])
    await conversation.persist([{ role: 'user', content: [result('a')] }])
    for (let time = 1; time <= 2; time++) await conversation.recover(invalid)
    const told = 'User: q1\n\nAssistant: a1\n\nUser: q2\n\nTool ls({}): r-a'
    const all = await (await open()).resume()
    expect([all?.messages, all?.pending]).toEqual([[user(text(told), image)], []])

    await conversation.persist([{ role: 'assistant', content: [call('b')] }])
    const rest = await (await open()).resume()
    expect([rest?.messages, rest?.pending]).toEqual([
      [user(text(told), image), assistant(call('b')), user(interrupted('b'))],
      [call('b')],
    ])
    await conversation.persist([{ role: 'user', content: [result('b')] }])
    await conversation.persist([{ role: 'assistant', content: 'a2' }])
    expect(await (await open()).resume()).toBeUndefined()
  })

  test('what was said before a reset by a person is not gone on with', async () => {
    const { store, open, conversation } = await answered(mode)
    await conversation.begin('q2')
    await store.sessions.resetContext('s')
    expect(await (await open()).resume()).toBeUndefined()
    await store.messages.append('s', [{ role: 'system', content: 'be brief' }])
    await store.messages.compact('s', { throughSeq: 4, summary: { role: 'user', content: 'S' } })
    expect(await (await open()).resume()).toBeUndefined()
  })

  test('a blank message and one of the system answer nothing, and a late result asks nothing', async () => {
    const { open, conversation } = await answered(mode)
    await conversation.persist([{ role: 'user', content: [result('late')] }])
    expect(await (await open()).resume()).toBeUndefined()
    await conversation.begin('q2')
    await conversation.persist([
      { role: 'assistant', content: ' ' },
      { role: 'system', content: 'be brief' },
    ])
    expect((await (await open()).resume())?.messages).toEqual([...before, user(text('q2'))])
    await conversation.persist([{ role: 'assistant', content: 'a2' }])
    await conversation.persist([{ role: 'system', content: 'be brief' }])
    expect(await conversation.resume()).toBeUndefined()
  })

  test('thinking of the turn comes back where it is kept, for the model that wrote it', async () => {
    const thinking: ContentBlock = { type: 'thinking', thinking: 'hm', signature: 's' }
    for (const [kept, step] of [
      ['keep', [thinking, call('a')]],
      ['strip', [call('a')]],
    ] as const) {
      const store = createMemoryStore()
      const options = { id: 's', restore: { mode }, thinking: kept, provider: 'p', model: 'm' }
      const conversation = await openConversation(store, options)
      await conversation.begin('q')
      await conversation.persist([{ role: 'assistant', content: [thinking, call('a')] }])
      const whole = (content: readonly ContentBlock[]) => [
        user(text('q')),
        assistant(...content),
        user(interrupted('a')),
      ]
      expect((await conversation.resume())?.messages).toEqual(whole([thinking, call('a')]))
      const other = await openConversation(store, options)
      expect((await other.resume())?.messages).toEqual(whole(step))
    }
  })

  test('a store that fails is told, and nothing is taken up', async () => {
    const { store } = await answered(mode)
    const broken = {
      ...store,
      messages: { ...store.messages, recentTurns: () => Promise.reject(new Error('disk')) },
    }
    await expect((await openConversation(broken, { id: 's' })).resume()).rejects.toThrow('disk')
  })
})

test.each(['text', 'full'] as const)(
  'a result whose call is in a transcript is told in words, %s',
  async (mode) => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's', restore: { mode } })
    await conversation.begin('q')
    await conversation.persist([{ role: 'assistant', content: [call('a')] }])
    expect((await conversation.recover(invalid)).messages).toEqual([user(text('User: q'))])
    await conversation.persist([{ role: 'user', content: [result('a'), text('and?')] }])
    const told = [text('User: q'), text('Tool ls({}): r-a'), text('and?')]
    expect((await conversation.resume())?.messages).toEqual([user(...told)])
    expect(
      (await (await openConversation(store, { id: 's', restore: { mode } })).resume())?.messages,
    ).toEqual([user(...told)])
    const again = await conversation.recover(invalid)
    expect([again.done, again.messages]).toEqual([
      'repair',
      [user(text('User: q\n\nUser: Tool ls({}): r-a\nand?'))],
    ])
  },
)
