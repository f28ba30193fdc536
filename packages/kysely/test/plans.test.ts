// Every hot statement walks an index that is named here: a full scan or a sort would cost what the whole store weighs.

import type { SessionQuery } from '@sess/core'
import { planList, planRead } from '@sess/core/adapter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '../src/engine.ts'
import { sessionById } from '../src/sql/columns.ts'
import { listStatement } from '../src/sql/list.ts'
import { messageById, messagesByIds, pageStatement } from '../src/sql/message-reads.ts'
import { turnsStatement } from '../src/sql/turns.ts'
import { type Handle, openMemory } from './support.ts'

let database: Handle
let close: () => Promise<void>

beforeAll(async () => {
  const opened = await openMemory()
  database = opened.database
  close = () => opened.store.close()
})
afterAll(() => close())

/** The steps that read a table; what only walks rows already in hand (CTEs, json_each) is left out. */
function plan({ sql, parameters }: Statement): string[] {
  const steps = database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...parameters)
  const details = steps.map(({ detail }) => detail)
  expect(details.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
  return details.filter((detail) => / USING /.test(detail) && !detail.includes('VIRTUAL TABLE'))
}

/** No step reads a stored table from end to end without an index. */
function expectNoFullScan({ sql, parameters }: Statement): void {
  const tables = ['sessions', 's', 'messages', 'm', 'session_tags', 'g']
  const steps = database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...parameters)
  const scans = steps
    .map(({ detail }) => detail)
    .filter((detail) => tables.some((table) => detail === `SCAN ${table}`))
  expect(scans).toEqual([])
}

const sessionsId = 'sqlite_autoindex_sessions_1'
const messagesSeq = 'sqlite_autoindex_messages_1'
const messagesId = 'sqlite_autoindex_messages_2'
const tagsOfSession = 'SEARCH g USING COVERING INDEX sqlite_autoindex_session_tags_1 (session_id=?)'

describe('append', () => {
  test('finds the session and stored messages by their keys', () => {
    expect(
      plan({
        sql: 'SELECT version, next_seq, last_active_at, deleted_at FROM sessions WHERE id = ?',
        parameters: ['s'],
      }),
    ).toEqual([`SEARCH sessions USING INDEX ${sessionsId} (id=?)`])
    expect(plan(messagesByIds('s', ['a', 'b']))).toEqual([
      `SEARCH m USING INDEX ${messagesId} (session_id=? AND message_id=?)`,
    ])
  })

  test('writes by key, and takes the next change number from two index ends', async () => {
    const statements: Statement[] = []
    const opened = await openMemory({
      createEngine: () => ({
        read: async () => [],
        write: async (unit) => {
          const planned = unit.plan([[{ version: 1, nextSeq: 2, lastActiveAt: 0, deletedAt: null }]])
          statements.push(...planned.statements)
          return planned.result([])
        },
        transact: () => Promise.reject(new Error('not used')),
      }),
    })
    await opened.store.messages.append('s', [{ role: 'user', content: 'hi' }])
    await opened.store.close()
    const [insert, advance, ...rest] = statements
    expect(rest).toEqual([])
    expect(insert?.sql).toMatch(/^INSERT INTO messages /)
    expect(plan(advance as Statement)).toEqual([
      `SEARCH sessions USING INDEX ${sessionsId} (id=?)`,
      'SEARCH sessions USING COVERING INDEX sessions_change',
      'SEARCH session_tombstones USING COVERING INDEX session_tombstones_change',
    ])
  })
})

describe('get and read', () => {
  test('a session and its tags', () => {
    expect(plan(sessionById('s'))).toEqual([`SEARCH s USING INDEX ${sessionsId} (id=?)`, tagsOfSession])
  })

  test('a message', () => {
    expect(plan(messageById('s', 'm'))).toEqual([
      `SEARCH m USING INDEX ${messagesId} (session_id=? AND message_id=?)`,
    ])
  })

  test.each(['asc', 'desc'] as const)(
    'a page of messages, %s: sizes first, then only the rows of the page',
    (order) => {
      const statement = pageStatement('s', planRead('s', { order, fromSeq: 5, toSeq: 900 }))
      expect(plan(statement)).toEqual([
        `SEARCH messages USING INDEX ${messagesSeq} (session_id=? AND seq>? AND seq<?)`,
        `SEARCH m USING INDEX ${messagesSeq} (session_id=? AND seq=?)`,
      ])
      expectNoFullScan(statement)
    },
  )
})

describe('recentTurns', () => {
  test.each(['context', 'all'] as const)(
    'text mode, scope %s, reads turns from their index and rows by key',
    (scope) => {
      const statement = turnsStatement({ sessionId: 's', turns: 5, beforeSeq: 900, scope, mode: 'text' })
      const steps = plan(statement)
      expect(
        new Set(steps.map((step) => step.replace(/^SEARCH \S+ USING (COVERING )?INDEX (\S+).*$/, '$2'))),
      ).toEqual(new Set([sessionsId, 'messages_turn_part', messagesSeq]))
      expect(steps).toContain(
        'SEARCH messages USING COVERING INDEX messages_turn_part (session_id=? AND turn_part=? AND seq>? AND seq<?)',
      )
      expectNoFullScan(statement)
    },
  )

  test('full mode reads the window by seq', () => {
    const statement = turnsStatement({
      sessionId: 's',
      turns: 5,
      beforeSeq: undefined,
      scope: 'context',
      mode: 'full',
    })
    expect(plan(statement)).toContain(
      `SEARCH m USING INDEX ${messagesSeq} (session_id=? AND seq>? AND seq<?)`,
    )
    expectNoFullScan(statement)
  })
})

/** The index a list walks: first page and a page far behind. */
function listIndexes(query: SessionQuery): readonly string[] {
  const first = planList(query)
  const later = planList({
    ...query,
    cursor: first.cursorAt({ phase: first.pinnedFirst ? 0 : null, time: 500, rowId: 9 }),
  })
  return [first, later].flatMap((list) => {
    const statement = listStatement(list, list.pinnedFirst ? (list.after ? 0 : 1) : null)
    return plan(statement).filter((step) => step !== tagsOfSession)
  })
}

describe('list, first page and last', () => {
  test.each<[string, SessionQuery, readonly string[]]>([
    [
      'plain',
      {},
      ['SCAN s USING INDEX sessions_active', 'SEARCH s USING INDEX sessions_active (last_active_at<?)'],
    ],
    [
      'oldest first',
      { order: 'asc' },
      ['SCAN s USING INDEX sessions_active', 'SEARCH s USING INDEX sessions_active (last_active_at>?)'],
    ],
    [
      'by creation',
      { sort: 'created' },
      ['SCAN s USING INDEX sessions_created', 'SEARCH s USING INDEX sessions_created (created_at<?)'],
    ],
    [
      'a span of time',
      { since: 5, until: 900 },
      [
        'SEARCH s USING INDEX sessions_active (last_active_at>? AND last_active_at<?)',
        'SEARCH s USING INDEX sessions_active (last_active_at>? AND last_active_at<?)',
      ],
    ],
    [
      'one type',
      { types: ['scheduled'] },
      [
        'SEARCH s USING COVERING INDEX sessions_type (session_type=?)',
        'SEARCH s USING COVERING INDEX sessions_type (session_type=? AND last_active_at<?)',
      ],
    ],
  ])('%s', (_name, query, expected) => {
    const found = listIndexes(query).map((step) =>
      step.replace('USING INDEX sessions_type', 'USING COVERING INDEX sessions_type'),
    )
    expect(found).toEqual(expected)
  })

  test('with 10,000 hidden sessions in front, steps over none of them', async () => {
    const { store, database: handle } = await openMemory()
    const insert = handle.prepare(
      `INSERT INTO sessions (id, name, name_folded, name_source, session_type, created_at, updated_at, last_active_at, change_seq)
       VALUES (?, 'n', 'n', 'default', ?, ?, 0, ?, ?)`,
    )
    handle.transaction(() => {
      for (let index = 1; index <= 10_000; index++)
        insert.run(`h${index}`, 'hidden', index + 100, index + 100, index)
      for (let index = 1; index <= 3; index++) insert.run(`u${index}`, 'user', index, index, 10_000 + index)
    })()
    let stepped = 0
    handle.function('step', { deterministic: false }, () => {
      stepped++
      return 1
    })
    const { sql, parameters } = listStatement(planList({}), null)
    const counting = sql.replace(' WHERE s.', ' WHERE step() AND s.')
    expect(handle.prepare(counting).all(...parameters)).toHaveLength(3)
    expect(stepped).toBe(3)
    await store.close()
  })
})
