// Recovery in the middle of a run: what is answered can be sent at once and ends with the turn under way, whole.

import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { RecoveryStrategy } from '../recovery/recover.ts'
import type { RestorePolicy } from '../restore/conversation.ts'
import type { ContentBlock } from '../types/content.ts'
import type { RestoredMessage } from '../types/message.ts'
import { type ConversationOptions, openConversation } from './open.ts'

const overflow = new Error('prompt is too long: 201016 tokens > 200000 maximum')
const invalid = new Error(
  '400 messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01',
)
const badImage = new Error('400 messages.1: image dimensions exceed max allowed size: 8000 pixels')

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }
const use: ContentBlock = { type: 'tool_use', id: 'a', name: 'ls', input: { path: '/' } }
const result: ContentBlock = { type: 'tool_result', tool_use_id: 'a', content: 'bin etc' }
const user = (...content: ContentBlock[]): RestoredMessage => ({ role: 'user', content })
const assistant = (...content: ContentBlock[]): RestoredMessage => ({ role: 'assistant', content })
const summarize = async () => 'S'
const note = text('Earlier messages were left out.')

/** The turn under way: a question with an image, a call, its result. */
const going = [user(text('q'), image), assistant(text('look'), use), user(result)]

async function answered(turns: number, options: ConversationOptions) {
  const store = createMemoryStore()
  const conversation = await openConversation(store, { id: 's', ...options })
  for (let turn = 1; turn <= turns; turn++) {
    await conversation.begin(`q${turn}`)
    await conversation.persist([{ role: 'assistant', content: `a${turn}` }])
    await conversation.finish()
  }
  return { store, conversation }
}

/** `turns` answered turns, and behind them the turn under way. */
async function midRun(turns: number, restore: RestorePolicy, options: ConversationOptions = {}) {
  const { store, conversation } = await answered(turns, { restore, ...options })
  await conversation.begin([text('q'), image])
  await conversation.persist([{ role: 'assistant', content: [text('look'), use] }])
  await conversation.persist([{ role: 'user', content: [result] }])
  return { store, conversation }
}

const early = (...turns: number[]) =>
  turns.flatMap((turn) => [user(text(`q${turn}`)), assistant(text(`a${turn}`))])

const policies: readonly [string, RestorePolicy][] = [
  ['text', { mode: 'text', turns: 4 }],
  ['full', { mode: 'full', turns: 4 }],
  ['text by tokens', { mode: 'text', maxTokens: 1_000_000 }],
  ['full by tokens', { mode: 'full', maxTokens: 1_000_000 }],
  ['full by too few tokens', { mode: 'full', maxTokens: 4 }],
]

describe.each(policies)('in mid-run, %s', (_name, restore) => {
  test('an overflow that is compacted keeps the turn', async () => {
    const { conversation } = await midRun(3, restore)
    const { done, messages } = await conversation.recover(overflow, { summarize })
    expect([done, messages]).toEqual(['compact', [user(text('S'), text('q'), image), ...going.slice(1)]])
  })

  test('an overflow that resets the context keeps the turn', async () => {
    const { store, conversation } = await midRun(1, {
      ...restore,
      maxTokens: undefined,
      turns: 1,
    } as RestorePolicy)
    const { done, messages } = await conversation.recover(overflow)
    expect([done, messages]).toEqual(['reset-context', [user(note, text('q'), image), ...going.slice(1)]])
    expect(await conversation.recover(overflow)).toEqual({ kind: 'context-overflow', done: 'none' })
    expect((await store.messages.read('s')).items).toHaveLength(6)
  })

  test('invalid messages: what is before the turn becomes a transcript', async () => {
    const { store, conversation } = await midRun(1, restore)
    const { done, messages } = await conversation.recover(invalid)
    const transcript = text('User: q1\n\nAssistant: a1')
    expect([done, messages]).toEqual(['repair', [user(transcript, text('q'), image), ...going.slice(1)]])
    expect((await store.messages.read('s')).items).toHaveLength(6)
  })

  test('invalid messages again: the turn becomes one, too, and then what came since', async () => {
    const { conversation } = await midRun(1, restore)
    await conversation.recover(invalid)
    const { done, messages } = await conversation.recover(invalid)
    const transcript =
      'User: q1\n\nAssistant: a1\n\nUser: q\n\nAssistant: look\n\nTool ls({"path":"/"}): bin etc'
    expect([done, messages]).toEqual(['repair', [user(text(transcript), image)]])
    await conversation.persist([{ role: 'assistant', content: [{ ...use, id: 'b' } as ContentBlock] }])
    await conversation.persist([{ role: 'user', content: [{ ...result, tool_use_id: 'b' } as ContentBlock] }])
    const last = await conversation.recover(invalid)
    const told = text(`${transcript}\n\nTool ls({"path":"/"}): bin etc`)
    expect([last.done, last.messages]).toEqual(['repair', [user(told, image)]])
    expect(await conversation.recover(invalid)).toEqual({ kind: 'invalid-messages', done: 'none' })
  })

  test('an image that was refused is in no transcript', async () => {
    const { conversation } = await midRun(0, restore)
    const { done, messages } = await conversation.recover(badImage)
    const transcript = 'User: q\n\nAssistant: look\n\nTool ls({"path":"/"}): bin etc'
    expect([done, messages]).toEqual(['repair', [user(text(transcript))]])
  })

  test('what is not stored is in the turn all the same', async () => {
    const { conversation } = await midRun(1, restore, { tools: 'strip' })
    const { messages } = await conversation.recover(overflow)
    expect(messages).toEqual([user(note, text('q'), image), ...going.slice(1)])
  })

  test('another process goes on with it after a restart', async () => {
    const { store } = await midRun(1, restore)
    const other = await openConversation(store, { id: 's', restore })
    const { messages } = await other.recover(overflow, { summarize })
    expect(messages).toEqual([user(text('S'), text('q'), image), ...going.slice(1)])
  })

  test("another process's turn of the same time is not in between", async () => {
    const { store, conversation } = await midRun(1, restore)
    const other = await openConversation(store, { id: 's', restore })
    await other.begin('q of another')
    await other.persist([{ role: 'assistant', content: 'a of another' }])
    const { messages } = await conversation.recover(overflow, { summarize })
    expect(messages).toEqual([user(text('S'), text('q'), image), ...going.slice(1)])
    const next = await conversation.begin('q4')
    expect(JSON.stringify(next.messages)).toContain('a of another')
  })
})

describe('narrowing', () => {
  const narrow = async (turns: number, restore: RestorePolicy) => {
    const { conversation } = await midRun(turns, restore)
    const { done, restore: narrower, messages } = await conversation.recover(overflow)
    return [done, narrower, messages?.slice(0, -2)]
  }
  const behind = (before: readonly RestoredMessage[]) => [...before, ...going.slice(0, 1)]

  test.each(['text', 'full'] as const)('counts the turns before the question, %s', async (mode) => {
    expect(await narrow(4, { mode, turns: 9 })).toEqual(['narrow', { mode, turns: 2 }, behind(early(3, 4))])
    expect(await narrow(2, { mode, turns: 2 })).toEqual(['narrow', { mode, turns: 1 }, behind(early(2))])
    expect((await narrow(1, { mode, turns: 9 }))[0]).toBe('reset-context')
  })

  test('counts the tokens that are there', async () => {
    // Two tokens a turn: "q1" and "a1" are one each.
    const mode = 'text' as const
    expect(await narrow(8, { mode, maxTokens: 1_000_000 })).toEqual([
      'narrow',
      { mode, maxTokens: 8 },
      behind(early(5, 6, 7, 8)),
    ])
    expect(await narrow(2, { mode, maxTokens: 1_000_000 })).toEqual([
      'narrow',
      { mode, maxTokens: 2 },
      behind(early(2)),
    ])
    expect((await narrow(1, { mode, maxTokens: 1_000_000 }))[0]).toBe('reset-context')
  })

  test('each step gives less, until nothing is left to do', async () => {
    for (const [, restore] of policies) {
      const { conversation } = await midRun(9, restore)
      let size = Number.POSITIVE_INFINITY
      const steps: string[] = []
      for (;;) {
        const { done, messages } = await conversation.recover(overflow)
        steps.push(done)
        if (done === 'none') break
        const now = JSON.stringify(messages).length
        expect(now).toBeLessThan(size)
        size = now
      }
      expect(steps.slice(-2)).toEqual(['reset-context', 'none'])
    }
  })
})

describe('an image', () => {
  test('of an earlier turn is kept by a repair where full mode gives it', async () => {
    const { store, conversation } = await answered(0, { restore: { mode: 'full' } })
    await conversation.begin([text('q1'), image])
    await conversation.persist([{ role: 'assistant', content: 'a1' }])
    await conversation.begin('q2')
    const { messages } = await conversation.recover(invalid)
    const transcript = text('User: q1\n\nAssistant: a1')
    expect(messages).toEqual([user(transcript, image, text('q2'))])
    // Text mode reads none.
    const later = await openConversation(store, { id: 's' })
    expect((await later.begin('q3')).messages[0]).toEqual(
      user(text('User: q1\n\nAssistant: a1\n\nq2'), text('q3')),
    )
  })

  test('too large to stand beside the transcript is left out of it', async () => {
    const { store, conversation } = await answered(0, { restore: { mode: 'full' } })
    await conversation.begin([text('q1'), image])
    await conversation.persist([{ role: 'assistant', content: 'a1' }])
    await conversation.begin('q2')
    const compact: typeof store.messages.compact = (id, options) =>
      typeof options.summary.content === 'string'
        ? store.messages.compact(id, options)
        : store.messages.compact(id, {
            ...options,
            summary: { role: 'user', content: 'x'.repeat(70_000_000) },
          })
    const small = { ...store, messages: { ...store.messages, compact } }
    const other = await openConversation(small, { id: 's', restore: { mode: 'full' } })
    const { done, messages } = await other.recover(invalid)
    expect([done, messages]).toEqual(['repair', [user(text('User: q1\n\nAssistant: a1'), text('q2'))]])
  })
})

test.each<[string, RecoveryStrategy | undefined]>([
  ['by default', undefined],
  ['narrow', 'narrow'],
  ['reset-context', 'reset-context'],
  ['clear', 'clear'],
  ['repair', 'repair'],
])('a session in the trash is not mended: %s', async (_name, strategy) => {
  const { store, conversation } = await midRun(4, { turns: 4 })
  await store.sessions.remove('s')
  const before = await store.sessions.get('s')
  const recovering = conversation.recover(overflow, strategy === undefined ? {} : { strategy })
  if (strategy === undefined) expect(await recovering).toEqual({ kind: 'context-overflow', done: 'none' })
  else
    await expect(recovering).rejects.toMatchObject({
      code: 'not-found',
      message: 'in the trash is session "s"',
    })
  expect(await store.sessions.get('s')).toEqual(before)
})

test('thinking of the turn under way is kept for the model that wrote it, though none is stored', async () => {
  const written = { provider: 'anthropic', model: 'claude-x' }
  const { store, conversation } = await answered(1, written)
  await conversation.begin('q')
  const thinking: ContentBlock = { type: 'thinking', thinking: 'hm', signature: 's' }
  await conversation.persist([{ role: 'assistant', content: [thinking, use] }])
  await conversation.persist([{ role: 'user', content: [result] }])
  const { messages } = await conversation.recover(overflow)
  expect(messages).toEqual([user(note, text('q')), assistant(thinking, use), user(result)])
  expect(JSON.stringify((await store.messages.read('s')).items)).not.toContain('hm')
})

test.each(['text', 'full'] as const)(
  'a turn whose beginning is a summary is told in words once that is gone, %s',
  async (mode) => {
    const { store, conversation } = await answered(0, { restore: { mode } })
    await store.messages.append('s', [{ role: 'user', content: 'q' }], { createSession: true })
    await store.messages.compact('s', { throughSeq: 1, summary: { role: 'user', content: 'S' } })
    await store.messages.append('s', [{ role: 'assistant', content: [use] }])
    const begun = await conversation.begin([result, image])
    expect(begun.messages).toEqual([user(text('S')), assistant(use), user(result, image)])
    expect((await conversation.recover(overflow)).done).toBe('none')
    await store.sessions.resetContext('s')
    expect((await conversation.resume())?.messages).toEqual([
      user(text('Tool ls({"path":"/"}): bin etc\n\nUser: [image]'), image),
    ])
  },
)

test('with the reply persisted, a recovery answers nothing to send', async () => {
  const { conversation } = await answered(3, {})
  await conversation.begin('q4')
  await conversation.persist([{ role: 'assistant', content: 'a4' }])
  const recovered = await conversation.recover(overflow)
  expect([recovered.kind, recovered.done]).toEqual(['context-overflow', 'narrow'])
  expect(recovered.messages).toBeUndefined()
})

test('with nothing left to send, a recovery answers none', async () => {
  const { store, conversation } = await answered(1, {})
  const recovery = await conversation.recover(overflow, { strategy: 'clear' })
  expect(recovery).toEqual({ kind: 'context-overflow', done: 'clear', restore: {} })
  expect((await store.messages.read('s')).items).toEqual([])
})

test("a run that is told in words has its own results, not another host's of the same call", async () => {
  const { store, conversation } = await answered(0, {})
  await conversation.begin('q')
  await conversation.persist([{ role: 'assistant', content: [use] }])
  const other = await openConversation(store, { id: 's' })
  await other.begin([{ ...result, content: 'of another' } as ContentBlock, text('steering of another')])
  await conversation.persist([{ role: 'user', content: [result] }])
  const { messages } = await conversation.recover(invalid)
  expect(messages).toEqual([
    user(text('User: q\n\nTool ls({"path":"/"}): bin etc\n\nUser: steering of another')),
  ])
})
