// A reset in mid-run: what was said before the turn is no longer sent, and of the turn nothing is lost, wherever the
// process dies.

import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import { recoverConversation } from '../recovery/recover.ts'
import { restoreConversation } from '../restore/conversation.ts'
import type { ContentBlock } from '../types/content.ts'
import type { RestoredMessage } from '../types/message.ts'
import { openConversation } from './open.ts'

const overflow = new Error('prompt is too long: 201016 tokens > 200000 maximum')
const invalid = new Error(
  '400 messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: a',
)
const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }
const use: ContentBlock = { type: 'tool_use', id: 'a', name: 'ls', input: {} }
const result: ContentBlock = { type: 'tool_result', tool_use_id: 'a', content: 'bin' }
const user = (...content: ContentBlock[]): RestoredMessage => ({ role: 'user', content })
const assistant = (...content: ContentBlock[]): RestoredMessage => ({ role: 'assistant', content })
const summarize = async () => 'S'
const noted = 'Earlier messages were left out.'
const note = text(noted)

/** One answered turn, and a question that was refused. */
async function refused(mode: 'text' | 'full', question: ContentBlock[] = [text('q2')]) {
  const store = createMemoryStore()
  const options = { id: 's', restore: { mode, turns: 9 } }
  const open = () => openConversation(store, options)
  const conversation = await open()
  await conversation.begin('q1')
  await conversation.persist([{ role: 'assistant', content: 'a1' }])
  await conversation.begin(question)
  return { store, conversation, open }
}

describe.each(['text', 'full'] as const)('a reset in mid-run, %s', (mode) => {
  test('leaves the turn in the context: an answer stands behind its question', async () => {
    const { conversation } = await refused(mode)
    const { done, messages } = await conversation.recover(overflow)
    expect([done, messages]).toEqual(['reset-context', [user(note, text('q2'))]])
    await conversation.persist([{ role: 'assistant', content: 'a2' }])
    await conversation.finish()
    const next = await conversation.begin('q3')
    const asked = mode === 'text' ? [text(`${noted}\n\nq2`)] : [note, text('q2')]
    expect(next.messages).toEqual([user(...asked), assistant(text('a2')), user(text('q3'))])
  })

  test('killed before an answer, the question is joined to the next', async () => {
    const { conversation, open } = await refused(mode)
    await conversation.recover(overflow)
    const asked = mode === 'text' ? [text(`${noted}\n\nq2`)] : [note, text('q2')]
    expect((await (await open()).begin('q3')).messages).toEqual([user(...asked, text('q3'))])
  })

  test('killed behind a call, its results go on with it', async () => {
    const { conversation, open } = await refused(mode)
    await conversation.recover(overflow)
    await conversation.persist([{ role: 'assistant', content: [use] }])
    const { messages } = await (await open()).begin([result])
    expect(messages).toEqual([user(note, text('q2')), assistant(use), user(result)])
  })

  test('deletes nothing', async () => {
    const { store, conversation } = await refused(mode)
    await conversation.recover(overflow)
    const { items } = await store.messages.read('s')
    expect(items.map(({ content }) => content)).toEqual([[text('q1')], [text('a1')], [text('q2')], [note]])
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 3, summarySeq: 4 })
  })

  test('a question alone, and a second reset, change nothing and are passed over', async () => {
    const { store, conversation } = await refused(mode)
    await conversation.recover(overflow)
    const before = await store.sessions.get('s')
    expect(await conversation.recover(overflow)).toEqual({ kind: 'context-overflow', done: 'none' })
    expect(await store.sessions.get('s')).toEqual(before)

    const alone = await openConversation(store, { id: 'alone', restore: { mode } })
    await alone.begin('huge')
    expect(await alone.recover(overflow)).toEqual({ kind: 'context-overflow', done: 'none' })
    expect((await store.sessions.get('alone'))?.context).toEqual({ startSeq: 1 })
    await expect(alone.recover(overflow, { strategy: 'reset-context' })).rejects.toMatchObject({
      code: 'unsupported',
    })
  })

  test('speaks the locale', async () => {
    const { store } = await refused(mode)
    const other = await openConversation(store, { id: 's', restore: { mode, turns: 1, locale: 'zh' } })
    const { done, messages } = await other.recover(overflow)
    expect([done, messages]).toEqual(['reset-context', [user(text('更早的消息已省略。'), text('q2'))]])
    expect((await other.recover(overflow)).done).toBe('none')
  })

  test('leaves a summary out, too: the question stands beside the note', async () => {
    const { store, conversation, open } = await refused(mode, [text('q2'), image])
    expect((await conversation.recover(overflow, { summarize })).messages).toEqual([
      user(text('S'), text('q2'), image),
    ])
    const { done, messages } = await conversation.recover(overflow)
    const told = text(`${noted}\nq2`)
    expect([done, messages]).toEqual(['reset-context', [user(told, image)]])
    expect((await conversation.recover(overflow)).done).toBe('none')
    // It is the turn still, also after a restart.
    await conversation.persist([{ role: 'assistant', content: [use] }])
    expect((await (await open()).begin([result])).messages).toEqual([
      user(told, image),
      assistant(use),
      user(result),
    ])
    expect((await store.messages.read('s')).items).toHaveLength(7)
  })

  test('does not undo a transcript of the turn', async () => {
    const { store, conversation } = await refused(mode)
    await conversation.persist([{ role: 'assistant', content: [use] }])
    await conversation.persist([{ role: 'user', content: [result] }])
    const steps = []
    for (let step = 1; step <= 2; step++) steps.push((await conversation.recover(invalid)).done)
    expect(steps).toEqual(['repair', 'repair'])
    const before = await store.sessions.get('s')
    expect(await conversation.recover(invalid)).toEqual({ kind: 'invalid-messages', done: 'none' })
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('passes over what nobody would be sent', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's', restore: { mode } })
    await store.messages.append('s', [{ role: 'system', content: 'be brief' }], { createSession: true })
    expect((await conversation.recover(overflow)).done).toBe('none')
    await conversation.begin('huge')
    expect((await conversation.recover(overflow)).done).toBe('none')
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 1 })
  })
})

test('a reset of what was asked before a message keeps that message', async () => {
  const { store } = await refused('text')
  const restore = { turns: 1, beforeSeq: 3 }
  expect((await recoverConversation(store, 's', overflow, { restore })).done).toBe('reset-context')
  expect((await restoreConversation(store, 's')).messages).toEqual([user(text(`${noted}\n\nq2`))])
  expect((await recoverConversation(store, 's', overflow, { restore })).done).toBe('none')
})
