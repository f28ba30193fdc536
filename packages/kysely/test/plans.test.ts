// Every hot statement walks an index that is named here: a full scan or a sort would cost what the whole store weighs.

import { planRead } from '@sess/core/adapter'
import { describe, expect, test } from 'vitest'
import type { Statement } from '../src/engine.ts'
import { sessionById } from '../src/sql/columns.ts'
import { messageById, messagesByIds, pageStatement } from '../src/sql/message-reads.ts'
import { turnsStatement } from '../src/sql/turns.ts'
import { expectNoFullScan, plan, tagsOfSession } from './plan-of.ts'
import { openMemory } from './support.ts'

const sessionsId = 'sqlite_autoindex_sessions_1'
const messagesSeq = 'sqlite_autoindex_messages_1'
const messagesId = 'sqlite_autoindex_messages_2'

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
          const planned = unit.plan([
            [{ version: 1, nextSeq: 2, lastActiveAt: 0, deletedAt: null, messageCount: 1 }],
          ])
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
      'SEARCH sessions USING COVERING INDEX sessions_change (change_seq<?)',
      'SEARCH session_tombstones USING COVERING INDEX session_tombstones_change (change_seq<?)',
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
