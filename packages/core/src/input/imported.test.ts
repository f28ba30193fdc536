import { describe, expect, test } from 'vitest'
import type { ImportedSession } from '../types/transfer.ts'
import { prepareImport } from './sessions.ts'

const invalid = (message: string) => expect.objectContaining({ name: 'StoreError', code: 'invalid', message })

describe('prepareImport', () => {
  test('fills in defaults', () => {
    expect(prepareImport({}, 'en')).toMatchObject({
      name: 'New session',
      nameSource: 'default',
      source: undefined,
      forkedFrom: undefined,
      branchOf: undefined,
      tokenCounts: { last: {}, accumulated: {} },
      pinned: false,
      archivedAt: undefined,
      updatedAt: undefined,
      lastActiveAt: undefined,
      nextSeq: undefined,
      context: undefined,
    })
  })

  test('takes the facts of a history', () => {
    const facts = {
      source: { agent: 'goose', sessionId: '20251001_94012', digest: '' },
      nameSource: 'auto',
      forkedFrom: { sessionId: 'old', seq: 0 },
      branchOf: 'trunk',
      tokenCounts: { last: { input: 1 }, accumulated: { input: 10, cost: 0.5 } },
      pinned: true,
      archivedAt: 5,
      updatedAt: 6,
      lastActiveAt: 7,
      nextSeq: 9,
      context: { startSeq: 3, summarySeq: 8 },
    } as const
    expect(prepareImport({ name: 'Trip', ...facts }, 'en')).toMatchObject({ name: 'Trip', ...facts })
  })

  test('a name without its source is the user’s', () => {
    expect(prepareImport({ name: 'Trip' }, 'en').nameSource).toBe('user')
  })

  test('a session of another store is taken as it is, what an import does not know is left', () => {
    const session = { version: 12, changeSeq: 40, messageCount: 3, preview: 'x', deletedAt: 1, name: 'Trip' }
    expect(prepareImport(session as ImportedSession, 'en').name).toBe('Trip')
  })

  test.each<[string, unknown, string]>([
    [
      'a source without agent',
      { source: { sessionId: 'x', digest: '' } },
      'session.source.agent: invalid input: expected string, received undefined',
    ],
    [
      'an empty source id',
      { source: { agent: 'goose', sessionId: '', digest: '' } },
      'session.source.sessionId: must not be empty',
    ],
    [
      'token counts without sums',
      { tokenCounts: { last: {} } },
      'session.tokenCounts.accumulated: must be an object',
    ],
    [
      'a start of zero',
      { context: { startSeq: 0 } },
      'session.context.startSeq: too small: expected number to be >=1',
    ],
    [
      'a fork of nothing',
      { forkedFrom: { sessionId: '', seq: 1 } },
      'session.forkedFrom.sessionId: must not be empty',
    ],
    [
      'a summary behind the end',
      { nextSeq: 5, context: { startSeq: 3, summarySeq: 5 } },
      'session.context.summarySeq: must be below nextSeq',
    ],
    [
      'null as a time',
      { archivedAt: null },
      'session.archivedAt: invalid input: expected number, received null',
    ],
  ])('%s is invalid', (_, session, message) => {
    expect(() => prepareImport(session as ImportedSession, 'en')).toThrow(invalid(message))
  })
})
