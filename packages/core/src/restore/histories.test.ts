// Random histories through a store and back: what must hold of every restored context, and what exactly it is,
// by a model that is written from the rules.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { NewMessage, RestoredMessage } from '../types/message.ts'
import { restoreConversation } from './conversation.ts'

/** A stored message and what it is to a restore, told by the test itself. */
interface Entry {
  readonly message: NewMessage
  readonly is: 'question' | 'steering' | 'reply' | 'interim' | 'other' | 'system' | 'unseen'
  /** What a restore makes of it. */
  readonly text: string
}

const text = (value: string) => ({ type: 'text', text: value })
const use = { type: 'tool_use', id: 't1', name: 'bash', input: { cmd: 'ls' } }
const result = { type: 'tool_result', tool_use_id: 't1', content: 'ok' }
const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }
const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }

/** Makes an entry; `word` is a text that no other message has. */
const makers: readonly ((word: string) => Entry)[] = [
  (word) => ({ is: 'question', text: word, message: { role: 'user', content: word } }),
  (word) => ({ is: 'question', text: word, message: { role: 'user', content: [image, text(word)] } }),
  (word) => ({
    is: 'question',
    text: `${word}\n ${word}!`,
    message: { role: 'user', content: [text(word), text(' \n'), text(` ${word}!`)] },
  }),
  () => ({ is: 'question', text: '[image]', message: { role: 'user', content: [text(''), image] } }),
  () => ({ is: 'question', text: '[x_audio]', message: { role: 'user', content: [{ type: 'x_audio' }] } }),
  (word) => ({
    is: 'question',
    text: word,
    message: { role: 'user', content: word, metadata: { userVisible: false } },
  }),
  (word) => ({ is: 'steering', text: word, message: { role: 'user', content: [result, text(word)] } }),
  (word) => ({ is: 'reply', text: word, message: { role: 'assistant', content: word } }),
  (word) => ({ is: 'reply', text: word, message: { role: 'assistant', content: [thinking, text(word)] } }),
  (word) => ({ is: 'interim', text: word, message: { role: 'assistant', content: [text(word), use] } }),
  () => ({ is: 'other', text: '', message: { role: 'assistant', content: [thinking, use] } }),
  () => ({ is: 'other', text: '', message: { role: 'user', content: [result] } }),
  () => ({ is: 'other', text: '', message: { role: 'user', content: ' \n' } }),
  () => ({ is: 'other', text: '', message: { role: 'user', content: [] } }),
  (word) => ({ is: 'other', text: '', message: { role: 'tool', content: word } }),
  (word) => ({ is: 'system', text: '', message: { role: 'system', content: word } }),
  (word) => ({
    is: 'unseen',
    text: '',
    message: { role: 'user', content: word, metadata: { agentVisible: false } },
  }),
  (word) => ({
    is: 'unseen',
    text: '',
    message: { role: 'assistant', content: word, metadata: { agentVisible: false } },
  }),
]

const history: fc.Arbitrary<readonly Entry[]> = fc
  .array(fc.nat({ max: makers.length - 1 }), { maxLength: 40 })
  .map((picks) => picks.map((pick, index) => (makers[pick] as (word: string) => Entry)(`w${index + 1}.`)))

/** The history cut into turns; what stands before the first question is left out. */
function turnsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const begins = entries.flatMap((entry, index) => (entry.is === 'question' ? [index] : []))
  return begins.map((begin, index) => entries.slice(begin, begins[index + 1]))
}

function said(turn: readonly Entry[]): readonly (readonly ['user' | 'assistant', string])[] {
  const reply = turn.findLast(({ is }) => is === 'reply') ?? turn.findLast(({ is }) => is === 'interim')
  return [
    ...turn
      .filter(({ is }) => is === 'question' || is === 'steering')
      .map(({ text }) => ['user', text] as const),
    ...(reply ? [['assistant', reply.text] as const] : []),
  ]
}

/** The context of these turns: neighbours of one role are joined by a blank line. */
function contextOf(turns: readonly (readonly Entry[])[], summary?: string): RestoredMessage[] {
  const lines = [...(summary === undefined ? [] : [['user', summary] as const]), ...turns.flatMap(said)]
  const joined: { role: 'user' | 'assistant'; text: string }[] = []
  for (const [role, line] of lines) {
    const last = joined.at(-1)
    if (last?.role === role) last.text += `\n\n${line}`
    else joined.push({ role, text: line })
  }
  return joined.map(({ role, text }) => ({ role, content: [{ type: 'text', text }] }))
}

const isInterrupted = (turn: readonly Entry[]) =>
  !turn.some(({ is }) => is === 'reply') && turn.slice(1).some(({ is }) => is !== 'unseen')

async function stored(entries: readonly Entry[]) {
  const store = createMemoryStore()
  await store.sessions.create({ id: 's1' })
  await store.messages.append(
    's1',
    entries.map(({ message }) => message),
  )
  return store
}

describe('every restored context', () => {
  test('is what the rules make of the latest turns', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 12 }), async (entries, wanted) => {
        const turns = turnsOf(entries)
        const given = turns.slice(-wanted)
        const answered = await restoreConversation(await stored(entries), 's1', { turns: wanted })
        const reachedStart = turns.length <= wanted
        const first = entries.findIndex(({ is }) => is === 'question')
        const head = first < 0 ? entries : entries.slice(0, first)
        expect(answered).toEqual({
          found: true,
          messages: contextOf(given),
          turns: given.length,
          report: {
            dropped: reachedStart ? head.filter(({ is }) => is !== 'system' && is !== 'unseen').length : 0,
            repaired: 0,
            interrupted: given.filter(isInterrupted).length,
            reachedStart,
            damaged: 0,
            ...(reachedStart ? {} : { truncatedBy: 'turns' }),
          },
        })
      }),
      { numRuns: 500 },
    )
  })

  test('begins with user, alternates, and holds one text block a message', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 0, max: 100 }), async (entries, agentMaxTurns) => {
        const policy = agentMaxTurns === 0 ? {} : { agentMaxTurns }
        const { messages } = await restoreConversation(await stored(entries), 's1', policy)
        messages.forEach(({ role, content }, index) => {
          expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant')
          expect(content).toHaveLength(1)
          expect(Object.keys(content[0] ?? {})).toEqual(['type', 'text'])
          expect((content[0] as { text: string }).text.trim()).not.toBe('')
        })
      }),
      { numRuns: 200 },
    )
  })

  test('keeps every text of the user in the window, in order', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 8 }), async (entries, wanted) => {
        const { messages } = await restoreConversation(await stored(entries), 's1', { turns: wanted })
        const all = messages
          .filter(({ role }) => role === 'user')
          .map(({ content }) => (content[0] as { text: string }).text)
          .join('\n\n')
        let from = 0
        for (const { is, text } of turnsOf(entries).slice(-wanted).flat()) {
          if (is !== 'question' && is !== 'steering') continue
          const found = all.indexOf(text, from)
          expect(found).toBeGreaterThanOrEqual(from)
          from = found + text.length
        }
      }),
      { numRuns: 200 },
    )
  })

  test('does not depend on how the history was stored: at once or message by message', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (entries) => {
        const store = createMemoryStore()
        await store.sessions.create({ id: 's1' })
        for (const { message } of entries) await store.messages.append('s1', [message])
        expect(await restoreConversation(store, 's1')).toEqual(
          await restoreConversation(await stored(entries), 's1'),
        )
      }),
      { numRuns: 50 },
    )
  })

  test('of a context that begins later is that of the later history, behind its summary', async () => {
    const start = fc.integer({ min: 1, max: 42 })
    await fc.assert(
      fc.asyncProperty(history, start, fc.boolean(), fc.integer({ min: 1, max: 6 }), async (...given) => {
        const [entries, anyStart, withSummary, wanted] = given
        const startSeq = Math.min(anyStart, entries.length + 1)
        const store = createMemoryStore()
        const mark = { fromSeq: 1, throughSeq: startSeq - 1, line: [] }
        const summary: NewMessage = { role: 'assistant', content: 'S', metadata: { summary: mark } }
        await store.sessions.import(
          {
            id: 's1',
            context: withSummary ? { startSeq, summarySeq: entries.length + 1 } : { startSeq },
          },
          [...entries.map(({ message }) => message), ...(withSummary ? [summary] : [])],
        )
        const answered = await restoreConversation(store, 's1', { turns: wanted })
        const later = entries.slice(startSeq - 1)
        const turns = turnsOf(later)
        const reachedStart = turns.length <= wanted
        const first = later.findIndex(({ is }) => is === 'question')
        const rest = withSummary && reachedStart ? later.slice(0, first < 0 ? later.length : first) : []
        expect(answered.messages).toEqual(
          contextOf([rest, ...turns.slice(-wanted)], withSummary ? 'S' : undefined),
        )
        expect(answered.turns).toBe(Math.min(turns.length, wanted))
        expect(answered.report.reachedStart).toBe(reachedStart)
        if (withSummary) expect(answered.report.dropped).toBe(0)
      }),
      { numRuns: 500 },
    )
  })
})
