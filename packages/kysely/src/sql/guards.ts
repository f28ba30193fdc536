// First statements of guarded batches: each raises `sess.stale` when what was read is no longer so. This works on every
// SQLite and over every wire; no driver offers conditions of its own.

import type { Statement } from '../engine.ts'

const raise = "json_extract('{}', 'sess.stale')"

/** The session is still at this version and not in the trash. */
export function sessionUnchanged(id: string, version: number): Statement {
  return {
    sql: `SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM sessions WHERE id = ? AND version = ? AND deleted_at IS NULL) THEN ${raise} END`,
    parameters: [id, version],
  }
}

/** There is still no session of this id. */
export function sessionAbsent(id: string): Statement {
  return {
    sql: `SELECT CASE WHEN EXISTS (SELECT 1 FROM sessions WHERE id = ?) THEN ${raise} END`,
    parameters: [id],
  }
}

/** The session's row is still what was read, in every column. */
export function rowUnchanged(id: string, changeSeq: number): Statement {
  return {
    sql: `SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM sessions WHERE id = ? AND change_seq = ?) THEN ${raise} END`,
    parameters: [id, changeSeq],
  }
}

/** A query of several rows still answers the same numbers, in its order: for writes that look at many sessions. */
export function rowsUnchanged<C extends string>(
  { sql, parameters }: Statement,
  columns: readonly C[],
  rows: readonly Readonly<Record<C, number | null>>[],
): Statement {
  const now = `SELECT json_group_array(json_array(${columns.map((column) => `"${column}"`).join(', ')})) FROM (${sql})`
  const then = JSON.stringify(rows.map((row) => columns.map((column) => row[column])))
  return { sql: `SELECT CASE WHEN (${now}) IS NOT ? THEN ${raise} END`, parameters: [...parameters, then] }
}

/** A query of one value still answers what it did. */
export function answerUnchanged({ sql, parameters }: Statement, answer: number | null): Statement {
  return { sql: `SELECT CASE WHEN (${sql}) IS NOT ? THEN ${raise} END`, parameters: [...parameters, answer] }
}

/** There is still such a session, not in the trash. */
export function sessionPresent(id: string): Statement {
  return {
    sql: `SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM sessions WHERE id = ? AND deleted_at IS NULL) THEN ${raise} END`,
    parameters: [id],
  }
}
