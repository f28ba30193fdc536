// Whatever a reader accepts, a store takes: a file that is read is stored as a whole.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStoreError, StoreError } from '../errors.ts'
import { createMemoryStore } from '../memory/index.ts'
import { readConversations } from './read.ts'

const question = { id: 'm-1', seq: 1, role: 'user', content: 'hello', metadata: {} }
const answer = {
  seq: 4,
  role: 'assistant',
  content: [{ type: 'text', text: 'hi' }],
  created_at: '2026-03-01T09:00:01.000Z',
  metadata: { usage: { input: 3, output: 2 }, provider: 'p', model: 'm' },
}
const summary = {
  id: 'm-3',
  seq: 8,
  role: 'user',
  content: [{ type: 'text', text: 'so far' }],
  metadata: { summary: { fromSeq: 1, throughSeq: 4, line: [] } },
}
const session = {
  id: 's',
  name: 'Trip',
  name_source: 'user',
  type: 'user',
  owner_id: 'o',
  working_dir: '/w',
  channel_type: 'cli',
  channel_key: 'k',
  provider_name: 'p',
  model_config: { model: 'm' },
  mode: 'auto',
  extension_data: {},
  metadata: { a: 1 },
  tags: ['a'],
  token_counts: { last: { input: 1, cache_read: 1 }, accumulated: { total: 9, cost: 0.5 } },
  pinned: true,
  archived_at: '2026-03-01T09:00:00.000Z',
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
  last_active_at: '2026-03-01T09:00:00.000Z',
  next_seq: 9,
  context: { start_seq: 5, summary_seq: 8 },
}
const envelope = { format: 'sess', version: '1.0', session, messages: [question, answer, summary] }

/** The places of all members. */
function placesOf(value: unknown, place: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const here = [...place, key]
    return [here, ...placesOf(member, here)]
  })
}

function changed(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  if (typeof value !== 'object' || value === null) return value
  const members = value as { readonly [key: string]: unknown }
  const member = changed(members[key], rest, to)
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? member : item))
  return { ...members, [key]: member }
}

const values: readonly unknown[] = [
  undefined,
  null,
  true,
  '',
  ' ',
  'x',
  '@last',
  '..',
  'a\nb',
  '\ud800',
  'x'.repeat(600),
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  -1,
  0,
  1,
  1.5,
  5,
  8,
  2 ** 52,
  2 ** 52 + 1,
  2 ** 53,
  8.64e15,
  1e300,
  [],
  [1],
  [8],
  {},
  { x: 1 },
  { x: 'x'.repeat(1_100_000) },
  { x: '杭'.repeat(400_000) },
  { fromSeq: 5, throughSeq: 9, line: [] },
  { fromSeq: 1, throughSeq: 0, line: [9] },
  { input: 1e300 },
  { accumulated: { total: 1e300 } },
  { start_seq: 2, summary_seq: 4 },
  [{ type: 'text', text: 5 }],
  [{ type: 'tool_result', tool_use_id: 't', content: 7 }],
]

const change = fc.tuple(fc.constantFrom(...placesOf(envelope)), fc.constantFrom(...values))

describe('what a reader accepts', () => {
  test('no store refuses by itself', async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        async (changes, isLines) => {
          const whole = changes.reduce<unknown>((value, [place, to]) => changed(value, place, to), envelope)
          const { messages, ...header } = whole as typeof envelope
          const text =
            isLines && Array.isArray(messages)
              ? [header, ...messages].map((line) => JSON.stringify(line ?? null)).join('\n')
              : JSON.stringify(whole)
          let read: ReturnType<typeof readConversations>
          try {
            read = readConversations(text)
          } catch (error) {
            if (!isStoreError(error)) throw error
            return
          }
          accepted++
          for (const one of read) await createMemoryStore().sessions.import(one.session, one.messages)
        },
      ),
      { numRuns: 1000, seed: 7 },
    )
    // Neither everything nor nothing.
    expect(accepted).toBeGreaterThan(100)
    expect(accepted).toBeLessThan(900)
  })

  const total = { token_counts: { accumulated: { total: 1e300 } } }
  test.each<[string, object, readonly object[], string]>([
    [
      'a count that cannot be added up',
      total,
      [question],
      `session.token_counts.accumulated.total: too big: expected number to be <=${Number.MAX_SAFE_INTEGER}`,
    ],
    [
      'a summary of what comes after it',
      {},
      [{ ...question, metadata: { summary: { fromSeq: 5, throughSeq: 9, line: [] } } }],
      'messages[0].metadata.summary.throughSeq: must be at most 1, its own seq',
    ],
    [
      'a summary that begins nowhere',
      {},
      [question, { ...summary, metadata: { summary: { fromSeq: 6, throughSeq: 4, line: [] } } }],
      'messages[1].metadata.summary.fromSeq: must be from 1 to 5',
    ],
    [
      'a seq behind which there is no room',
      {},
      [question, { ...answer, seq: 2 ** 53 - 1 }],
      `messages[1].seq: too big: expected number to be <=${2 ** 52}`,
    ],
  ])('%s is refused, and named among others', (_, fields, messages, message) => {
    const good = { version: '1.0', session: { id: 'good' }, messages: [question] }
    const bad = { version: '1.0', session: { id: 'bad', ...fields }, messages }
    expect(() => readConversations(JSON.stringify([good, bad, good]))).toThrow(
      new StoreError('invalid', `[1].${message}`),
    )
  })

  test('an object of a session is no larger than a store takes, in bytes', () => {
    const metadata = { x: '杭'.repeat(400_000) }
    const bad = { version: '1.0', session: { id: 'bad', metadata }, messages: [] }
    expect(() => readConversations(JSON.stringify([bad]))).toThrow(
      new StoreError('too-large', '[0].session.metadata has 1200008 bytes of JSON, the store takes 1048576'),
    )
  })
})
