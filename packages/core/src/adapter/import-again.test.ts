import { describe, expect, test } from 'vitest'
import { resolveOptions } from '../options.ts'
import type { ImportedMessage, ImportedSession } from '../types/transfer.ts'
import { decideImport, type ImportedBefore, planImport } from './import.ts'
import type { SessionRecord } from './records.ts'

let made = 0
const context = resolveOptions({
  clock: () => 9000,
  ids: { message: () => `new-${++made}`, session: () => 'never' },
})
const source = { agent: 'goose', sessionId: 'g1', digest: '' }
const says = (text: string, more: object = {}): ImportedMessage => ({ role: 'user', content: text, ...more })
const plan = (
  messages: readonly ImportedMessage[],
  session: ImportedSession = {},
  onExisting?: 'update' | 'skip' | 'copy',
) => planImport({ source, ...session }, messages, onExisting ? { onExisting } : {}, context, 1000)

/** What an earlier import of these messages left. */
async function before(
  messages: readonly ImportedMessage[],
  row: Partial<SessionRecord> = {},
): Promise<ImportedBefore> {
  const { rows, digest } = await plan(messages)
  return {
    row: {
      id: 's1',
      name: 'Old',
      nameSource: 'default',
      sourceDigest: digest,
      deletedAt: null,
      nextSeq: rows.length + 1,
      messageCount: rows.length,
      lastActiveAt: 8000,
      version: 5,
      preview: 'old',
      ...row,
    } as SessionRecord,
    messages: rows,
  }
}

const [a, b, c, d] = [says('a'), says('b'), says('c', { createdAt: 8500 }), says('d')] as const

describe('decideImport', () => {
  test('creates where the source is new', async () => {
    const first = await plan([a])
    expect(decideImport(first, undefined)).toEqual({
      outcome: 'created',
      fields: { sourceAgent: 'goose', sourceSessionId: 'g1', sourceDigest: first.digest },
    })
  })

  test('a copy has no source', async () => {
    expect(decideImport(await plan([a], {}, 'copy'), await before([a]))).toEqual({
      outcome: 'copied',
      fields: {},
    })
  })

  test.each<['update' | 'skip' | 'copy', string]>([
    ['update', 'created'],
    ['skip', 'created'],
    ['copy', 'created'],
  ])('%s of a new source is %s', async (onExisting, outcome) => {
    expect(decideImport(await plan([a], {}, onExisting), undefined).outcome).toBe(outcome)
  })

  test('skips when asked to, also what has grown or diverged', async () => {
    for (const messages of [[a], [a, b], [d]]) {
      expect(decideImport(await plan(messages, {}, 'skip'), await before([a]))).toEqual({
        outcome: 'skipped',
      })
    }
  })

  test('leaves a match in the trash there', async () => {
    const trashed = await before([a], { deletedAt: 1 })
    expect(decideImport(await plan([a, b]), trashed)).toEqual({ outcome: 'skipped' })
    expect(decideImport(await plan([a, b], {}, 'copy'), trashed).outcome).toBe('copied')
  })

  test('an equal digest is enough: no message is looked at', async () => {
    const { row } = await before([a, b])
    expect(decideImport(await plan([a, b]), { row, messages: [] })).toEqual({ outcome: 'unchanged' })
  })

  test('a shorter source changes nothing', async () => {
    expect(decideImport(await plan([a]), await before([a, b]))).toEqual({ outcome: 'unchanged' })
    expect(decideImport(await plan([]), await before([a, b]))).toEqual({ outcome: 'unchanged' })
  })

  test('appends what is new of a longer source', async () => {
    const longer = await plan([a, b, c, d])
    const decision = decideImport(longer, await before([a, b]))
    expect(decision).toMatchObject({
      outcome: 'updated',
      rows: [{ seq: 3 }, { seq: 4 }],
      fields: {
        sourceDigest: longer.digest,
        messageCount: 4,
        nextSeq: 5,
        lastActiveAt: 8500,
        version: 6,
        preview: 'd',
      },
    })
  })

  test('ids and times of what is stored do not matter, a source without ids gets new ones each time', async () => {
    const stored = await before([says('a', { id: 'x', createdAt: 1 })])
    expect(decideImport(await plan([says('a', { id: 'y', createdAt: 2 })]), stored).outcome).toBe('unchanged')
  })

  test.each<[string, ImportedMessage[]]>([
    ['text', [a, says('other'), c]],
    ['role', [a, says('b', { role: 'assistant' }), c]],
    ['metadata', [a, says('b', { metadata: { x: 1 } }), c]],
    ['text, in a shorter source', [a, says('other')]],
  ])('a stored message that differs by its %s is a conflict', async (_, messages) => {
    const next = await plan(messages)
    const stored = await before([a, b, c])
    expect(() => decideImport(next, stored)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: 'session "s1" was imported from this source and has diverged at messages[1]',
      }),
    )
  })

  test('a new message whose id is that of a stored one is a conflict', async () => {
    const next = await plan([says('a', { id: 'y' }), says('b', { id: 'z' }), says('c', { id: 'x' })])
    const stored = await before([says('a', { id: 'x' })])
    expect(() => decideImport(next, stored)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: 'session "s1" was imported from this source and has the id of messages[2] already',
      }),
    )
  })

  test('seqs stay the source’s where they are free, else follow the session’s next', async () => {
    const longer = await plan([a, says('b', { seq: 7 }), says('c', { seq: 9 })])
    expect(decideImport(longer, await before([a]))).toMatchObject({
      rows: [{ seq: 7 }, { seq: 9 }],
      fields: { nextSeq: 10 },
    })
    expect(decideImport(longer, await before([a], { nextSeq: 7 }))).toMatchObject({
      rows: [{ seq: 7 }, { seq: 9 }],
    })
    // Seqs that were used by messages which are gone.
    expect(decideImport(longer, await before([a], { nextSeq: 8 }))).toMatchObject({
      rows: [{ seq: 8 }, { seq: 9 }],
      fields: { nextSeq: 10 },
    })
    expect(decideImport(longer, await before([a], { nextSeq: 30 }))).toMatchObject({
      rows: [{ seq: 30 }, { seq: 31 }],
      fields: { nextSeq: 32 },
    })
  })

  test.each<[string, Partial<SessionRecord>, ImportedSession, string | undefined]>([
    ['of the user stays', { nameSource: 'user' }, { name: 'New', nameSource: 'user' }, undefined],
    ['by default gives way to one by a model', {}, { name: 'New', nameSource: 'auto' }, 'New'],
    ['by a model gives way to the source’s', { nameSource: 'auto' }, { name: 'New' }, 'New'],
    ['stays where the source has none', { nameSource: 'auto' }, {}, undefined],
  ])('a name %s', async (_, row, session, name) => {
    const decision = decideImport(await plan([a, b], session), await before([a], row))
    expect(decision.outcome === 'updated' && decision.fields.name).toBe(name)
  })

  test('pin and archive are the user’s, the last activity never goes back, usage is the source’s', async () => {
    const tokenCounts = { last: { input: 1 }, accumulated: { input: 7 } }
    const next = await plan([a, says('b', { createdAt: 1 })], { pinned: false, archivedAt: 5, tokenCounts })
    const decision = decideImport(next, await before([a], { pinned: 1 }))
    expect(decision).toMatchObject({
      fields: { lastActiveAt: 8000, tokenCounts: '{"last":{"input":1},"accumulated":{"input":7}}' },
    })
    expect(decision.outcome === 'updated' && Object.keys(decision.fields)).not.toContain('pinned')
    expect(decision.outcome === 'updated' && Object.keys(decision.fields)).not.toContain('archivedAt')
  })

  test('the preview stays where the source has none', async () => {
    const quiet = [says(' '), { role: 'tool', content: 'x' } as const]
    expect(decideImport(await plan(quiet), await before([says(' ')]))).toMatchObject({
      fields: { preview: 'old' },
    })
  })
})
