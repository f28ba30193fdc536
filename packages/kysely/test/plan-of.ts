// What SQLite means to do with a statement.

import { afterAll, beforeAll, expect } from 'vitest'
import type { Statement } from '../src/engine.ts'
import { type Handle, openMemory } from './support.ts'

let database: Handle
let close: () => Promise<void>

beforeAll(async () => {
  const opened = await openMemory()
  database = opened.database
  close = () => opened.store.close()
})
afterAll(() => close())

/** Every step. */
export function allSteps({ sql, parameters }: Statement): string[] {
  const steps = database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...parameters)
  return steps.map(({ detail }) => detail)
}

/** The steps that read a stored table; what only walks rows already in hand (CTEs, json_each) is left out. No step sorts. */
export function plan(statement: Statement): string[] {
  const steps = allSteps(statement)
  expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  return steps.filter((step) => / USING /.test(step) && !step.includes('VIRTUAL TABLE'))
}

/** No step reads a stored table from end to end without an index. */
export function expectNoFullScan(statement: Statement): void {
  const tables = ['sessions', 's', 'messages', 'm', 'session_tags', 'g']
  expect(allSteps(statement).filter((step) => tables.some((table) => step === `SCAN ${table}`))).toEqual([])
}

export const tagsOfSession = 'SEARCH g USING COVERING INDEX sqlite_autoindex_session_tags_1 (session_id=?)'
