import { describe, expect, test } from 'vitest'
import { resolveOptions } from '../options.ts'
import type { ImportedMessage, ImportedSession } from '../types/transfer.ts'
import { planImport } from './import.ts'

function plan(session: ImportedSession, messages: unknown, options: unknown = {}) {
  let made = 0
  const ids = { message: (now: number) => `new-${now}-${++made}`, session: () => 'never' }
  const context = resolveOptions({ clock: () => 9000, ids })
  return planImport(session, messages as ImportedMessage[], options as never, context, 1000)
}

const says = (text: string, more: object = {}): ImportedMessage => ({ role: 'user', content: text, ...more })
const failure = (code: string, message: string) =>
  expect.objectContaining({ name: 'StoreError', code, message })
const summary = { summary: { fromSeq: 1, throughSeq: 2, line: [] } }
const source = { agent: 'goose', sessionId: 'g1', digest: 'ignored' }

describe('planImport', () => {
  test('places messages: ids, seqs and times as given, else new, next, and those of the one before', async () => {
    const { rows } = await plan({}, [
      says('a', { id: 'm1', seq: 3, createdAt: 500 }),
      says('b'),
      says('c', { seq: 9, createdAt: 400 }),
    ])
    expect(rows.map(({ messageId, seq, createdAt }) => [messageId, seq, createdAt])).toEqual([
      ['m1', 3, 500],
      ['new-9000-1', 4, 500],
      ['new-9000-2', 9, 400],
    ])
  })

  test('derives the session’s facts from its messages', async () => {
    const { fields, createdAt, sourceFields, onExisting } = await plan({}, [
      says('one', { createdAt: 500 }),
      says('two', { createdAt: 700, role: 'assistant' }),
      says('x', { createdAt: 600, role: 'tool' }),
    ])
    expect(createdAt).toBe(500)
    expect(onExisting).toBe('update')
    expect(sourceFields).toEqual({})
    expect(fields).toEqual({
      forkedFromSessionId: null,
      forkedFromSeq: null,
      branchOf: null,
      pinned: 0,
      archivedAt: null,
      createdAt: 500,
      updatedAt: 9000,
      lastActiveAt: 700,
      messageCount: 3,
      nextSeq: 4,
      contextStartSeq: 1,
      contextSummarySeq: null,
      preview: 'two',
      tokenCounts: '{"last":{},"accumulated":{}}',
    })
  })

  test('takes the session’s facts as given', async () => {
    const session: ImportedSession = {
      createdAt: 10,
      updatedAt: 20,
      lastActiveAt: 30,
      archivedAt: 40,
      pinned: true,
      forkedFrom: { sessionId: 'old', seq: 0 },
      branchOf: 'trunk',
      tokenCounts: { last: { input: 1 }, accumulated: { input: 2 } },
      nextSeq: 12,
      context: { startSeq: 3, summarySeq: 4 },
      source,
    }
    const messages = [says('a'), says('b'), says('c'), says('S', { metadata: summary })]
    const { fields, sourceFields, digest } = await plan(session, messages)
    expect(fields).toMatchObject({
      createdAt: 10,
      updatedAt: 20,
      lastActiveAt: 30,
      archivedAt: 40,
      pinned: 1,
      forkedFromSessionId: 'old',
      forkedFromSeq: 0,
      branchOf: 'trunk',
      tokenCounts: '{"last":{"input":1},"accumulated":{"input":2}}',
      nextSeq: 12,
      contextStartSeq: 3,
      contextSummarySeq: 4,
    })
    // The digest is core's own, whatever the input says.
    expect(sourceFields).toEqual({ sourceAgent: 'goose', sourceSessionId: 'g1', sourceDigest: digest })
    expect(digest).toMatch(/^[0-9a-f]{32}$/)
  })

  test('no messages are fine, times are the clock’s then', async () => {
    const { rows, fields } = await plan({}, [])
    expect(rows).toEqual([])
    expect(fields).toMatchObject({
      createdAt: 9000,
      lastActiveAt: 9000,
      messageCount: 0,
      nextSeq: 1,
      preview: '',
    })
  })

  test('reads an iterator and a stream as it reads a list', async () => {
    const list = [says('a'), says('b')]
    const stream = async function* () {
      yield* list
    }
    const { digest } = await plan({}, list)
    expect((await plan({}, list.values())).digest).toBe(digest)
    expect((await plan({}, stream())).digest).toBe(digest)
  })

  test('the digest is that of the messages, not of where they are put', async () => {
    const { digest } = await plan({}, [says('a', { seq: 1 })])
    expect((await plan({ name: 'Trip', source }, [says('a', { seq: 7 })])).digest).toBe(digest)
    expect((await plan({}, [says('b')])).digest).not.toBe(digest)
    expect((await plan({}, [says('a', { createdAt: 1 })])).digest).not.toBe(digest)
    expect((await plan({}, [says('a'), says('a')])).digest).not.toBe(digest)
  })

  test.each<[string, ImportedSession, unknown, unknown, string]>([
    [
      'an unknown option',
      {},
      [],
      { onExisting: 'merge' },
      'options.onExisting: invalid option: expected one of "update"|"skip"|"copy"',
    ],
    ['a bad session', { id: '..' }, [], {}, 'session.id: must not be "." or ".."'],
    ['a text for messages', {}, 'hi', {}, 'messages: must be an iterable of messages'],
    ['null for messages', {}, null, {}, 'messages: must be an iterable of messages'],
    ['an object for messages', {}, { length: 0 }, {}, 'messages: must be an iterable of messages'],
    [
      'a bad message',
      {},
      [says('a'), { role: 'user' }],
      {},
      'messages[1].content: must be text or an array of blocks',
    ],
    [
      'two messages of one id',
      {},
      [says('a', { id: 'x' }), says('b'), says('c', { id: 'x' })],
      {},
      'messages[2].id: is that of messages[0], too',
    ],
    [
      'seqs that stand still',
      {},
      [says('a', { seq: 5 }), says('b', { seq: 5 })],
      {},
      'messages[1].seq: must be above 5, that of the message before',
    ],
    [
      'seqs that go back',
      {},
      [says('a'), says('b'), says('c', { seq: 2 })],
      {},
      'messages[2].seq: must be above 2, that of the message before',
    ],
    [
      'a next seq that is used',
      { nextSeq: 2 },
      [says('a'), says('b')],
      {},
      'session.nextSeq: must be at least 3, after the last message',
    ],
    [
      'a context behind the end',
      { context: { startSeq: 4 } },
      [says('a'), says('b')],
      {},
      'session.context.startSeq: must be at most 3, the seq of the next message',
    ],
    [
      'a summary that is none',
      { context: { startSeq: 2, summarySeq: 2 } },
      [says('a'), says('b')],
      {},
      'session.context.summarySeq: message 2 is no summary',
    ],
    [
      'a summary that is missing',
      { context: { startSeq: 1, summarySeq: 8 } },
      [says('a')],
      {},
      'session.context.summarySeq: message 8 is no summary',
    ],
  ])('%s is invalid', async (_, session, messages, options, message) => {
    await expect(plan(session, messages, options)).rejects.toThrow(failure('invalid', message))
  })

  test('a context may begin at the end', async () => {
    expect((await plan({ context: { startSeq: 3 } }, [says('a'), says('b')])).fields.contextStartSeq).toBe(3)
  })

  test('a message that is too large is named', async () => {
    await expect(plan({}, [says('a'), says('x'.repeat(1000))])).rejects.toThrow(
      failure('too-large', 'messages[1] has 1029 bytes of JSON, the store takes 1000'),
    )
  })

  test('an error of the caller’s own stream comes through', async () => {
    const torn = async function* () {
      yield says('a')
      throw new Error('line 2 is torn')
    }
    await expect(plan({}, torn())).rejects.toThrow('line 2 is torn')
  })
})
