// What a search costs: a page deep in a list walks no further than a first one, and nothing is read from end to end.

import type { SessionStore } from '@sess/core'
import { planSearch } from '@sess/core/adapter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '../src/engine.ts'
import {
  messagesByRowIds,
  neighbours,
  searchedSessions,
  sessionsByIds,
  sessionsByRowIds,
  unindexedNames,
  walkIndex,
  walkMessages,
  walkNames,
  walkTail,
} from '../src/sql/search.ts'
import { type Handle, openMemory } from './support.ts'

let store: SessionStore
let database: Handle
let steps = 0

beforeAll(async () => {
  const opened = await openMemory()
  store = opened.store
  database = opened.database
  const content = 'apple'
  const messages = Array.from({ length: 1000 }, () => ({ role: 'user' as const, content }))
  await store.messages.append('s', messages, { createSession: true })
  await store.search.messages({ text: 'apple', limit: 1 })
  database.function('stepped', { deterministic: false, varargs: true }, () => {
    steps++
    return 1
  })
})
afterAll(() => store.close())

const plan = planSearch('search.messages', { text: 'apple' }, 'UTC')
const match = '{text tool} : ("apple")'

/** How many rows come out of the index before SQLite looks at any other condition. */
function rowsStepped({ sql, parameters }: Statement): number {
  steps = 0
  const counted = sql.replace('messages_fts MATCH ?', 'messages_fts MATCH ? AND stepped(f.rowid)')
  database.prepare(counted).all(...parameters)
  return steps
}

describe('a page deep in a list', () => {
  test('walks no further than the first', () => {
    for (const below of [1001, 500, 50]) {
      const walk = walkIndex(plan, match, { from: 0, below }, 10)
      expect(rowsStepped(walk)).toBeLessThanOrEqual(11)
    }
  })

  test('ends where it is told to', () => {
    const walk = walkIndex(plan, match, { from: 495, below: 500 }, 10)
    expect(rowsStepped(walk)).toBeLessThanOrEqual(6)
    expect(
      database
        .prepare<unknown[], { rowId: number }>(walk.sql)
        .all(...walk.parameters)
        .map(({ rowId }) => rowId),
    ).toEqual([499, 498, 497, 496, 495])
  })

  test('would walk the whole list if the bound were no integer', () => {
    const { sql, parameters } = walkIndex(plan, match, { from: 0, below: 50 }, 10)
    expect(rowsStepped({ sql: sql.replaceAll('CAST(? AS INTEGER)', '?'), parameters })).toBeGreaterThan(900)
  })
})

const stepsOf = ({ sql, parameters }: Statement) =>
  database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...parameters)
    .map(({ detail }) => detail)

describe('statements of a search', () => {
  const bounds = { from: 0, below: 100 }
  const owned = planSearch('search.messages', { text: 'apple', ownerId: 'ana' }, 'UTC')
  const statements: readonly (readonly [string, Statement])[] = [
    ['walk of the index', walkIndex(plan, match, bounds, 10)],
    ['walk of messages', walkMessages(plan, bounds, 10)],
    ['what is not indexed', walkTail(plan)],
    ['bodies', messagesByRowIds([1])],
    ['sessions of an owner', searchedSessions(owned, 10)],
    ['names', walkNames(plan, '"apple"', 0, 10)],
    ['names that are not indexed', unindexedNames(plan, 5, 10)],
    ['sessions by row id', sessionsByRowIds([1], 100)],
    ['sessions by id', sessionsByIds(['s'])],
    ['messages around', neighbours('s', 5, 'before', 2)],
  ]

  test.each(statements)('%s sorts nothing and scans no table', (_, statement) => {
    const plan = stepsOf(statement)
    expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    expect(plan.filter((step) => /^SCAN (m|s|g|messages|sessions)$/.test(step))).toEqual([])
  })

  test('the newest message of a session is one step along its index', () => {
    expect(stepsOf(sessionsByRowIds([1], 100))).toContain(
      'SEARCH m USING COVERING INDEX sqlite_autoindex_messages_1 (session_id=?)',
    )
  })
})
