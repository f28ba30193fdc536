// Statements that search. Bounds of row ids beside MATCH are CAST: drivers bind numbers as REAL, and FTS5 walks the whole
// list for such a bound.

import type { SearchPlan, Values } from '@sess/core/adapter'
import type { Statement } from '../engine.ts'
import { indexVersion } from '../search/prepare.ts'
import { messageSelect, sessionSelect } from './columns.ts'
import { type Clause, clause, listConditions } from './list.ts'

/** More messages than these are not looked through where the index cannot be brought up to date. */
export const tailRows = 20_000

/** A message as a search walks over it, without its content. */
export interface WalkedRow {
  readonly rowId: number
  readonly sessionRowId: number
  /** Of its content as JSON. */
  readonly bytes: number
  /** 1 where it passes the filters on sessions, roles and times. */
  readonly passes: number
}

export interface RowBounds {
  /** Included. */
  readonly from: number
  /** Excluded. */
  readonly below: number
}

function among(column: string, { any, none }: Values<string>): Clause[] {
  return [
    ...(any.length === 0
      ? []
      : [clause(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(any))]),
    ...(none.length === 0
      ? []
      : [clause(`${column} NOT IN (SELECT value FROM json_each(?))`, JSON.stringify(none))]),
  ]
}

/** What a session must be to be searched, over `sessions AS s`: the same as core's `isSearched`. */
function sessionConditions({
  sessions,
  inSessions,
  types,
  workingDirs,
  channels,
  tags,
}: SearchPlan): Clause[] {
  const tagged = 'EXISTS (SELECT 1 FROM session_tags g WHERE g.session_id = s.id AND g.tag = ?)'
  return [
    ...listConditions(sessions),
    ...among('s.id', inSessions),
    ...among('s.session_type', types),
    ...among("coalesce(s.working_dir, '')", workingDirs),
    ...among("coalesce(s.channel_type, '')", channels),
    ...tags.any.map((tag) => clause(tagged, tag)),
    ...tags.none.map((tag) => clause(`NOT ${tagged}`, tag)),
  ]
}

function messageConditions({ roles, since, until }: SearchPlan): Clause[] {
  return [
    ...among('m.role', roles),
    ...(since === undefined ? [] : [clause('m.created_at >= ?', since)]),
    ...(until === undefined ? [] : [clause('m.created_at < ?', until)]),
  ]
}

function and(clauses: readonly Clause[]): Clause {
  return clause(
    clauses.map(({ sql }) => sql).join(' AND ') || '1',
    ...clauses.flatMap(({ parameters }) => parameters),
  )
}

function walkedColumns(plan: SearchPlan): Clause {
  const passes = and([...sessionConditions(plan), ...messageConditions(plan)])
  return clause(
    `m.row_id AS "rowId", s.row_id AS "sessionRowId", octet_length(m.content_json) AS "bytes", (${passes.sql}) AS "passes"`,
    ...passes.parameters,
  )
}

/** The next messages that MATCH finds, newest first. */
export function walkIndex(
  plan: SearchPlan,
  match: string,
  { from, below }: RowBounds,
  limit: number,
): Statement {
  const columns = walkedColumns(plan)
  return {
    sql: `SELECT ${columns.sql} FROM messages_fts f
CROSS JOIN messages m ON m.row_id = f.rowid CROSS JOIN sessions s ON s.id = m.session_id
WHERE messages_fts MATCH ? AND f.rowid >= CAST(? AS INTEGER) AND f.rowid < CAST(? AS INTEGER)
ORDER BY f.rowid DESC LIMIT ?`,
    parameters: [...columns.parameters, match, from, below, limit],
  }
}

/** The next messages, newest first. */
export function walkMessages(plan: SearchPlan, { from, below }: RowBounds, limit: number): Statement {
  const columns = walkedColumns(plan)
  return {
    sql: `SELECT ${columns.sql} FROM messages m CROSS JOIN sessions s ON s.id = m.session_id
WHERE m.row_id >= ? AND m.row_id < ? ORDER BY m.row_id DESC LIMIT ?`,
    parameters: [...columns.parameters, from, below, limit],
  }
}

/** The messages that the index does not hold, newest first; one more than are looked through. All, of an index not ours. */
export function walkTail(plan: SearchPlan): Statement {
  const columns = walkedColumns(plan)
  const value = (key: string) => `(SELECT value FROM schema_meta WHERE key = '${key}')`
  return {
    sql: `WITH pending AS MATERIALIZED (
  SELECT row_id FROM messages
  WHERE row_id > CASE WHEN ${value('index_version')} = ? THEN ${value('watermark')} ELSE 0 END
  UNION SELECT row_id FROM index_dirty ORDER BY row_id DESC LIMIT ?
)
SELECT ${columns.sql} FROM pending p CROSS JOIN messages m ON m.row_id = p.row_id
CROSS JOIN sessions s ON s.id = m.session_id ORDER BY p.row_id DESC`,
    parameters: [indexVersion, tailRows + 1, ...columns.parameters],
  }
}

/** Messages by row id, in that order. */
export function messagesByRowIds(rowIds: readonly number[]): Statement {
  return {
    sql: `SELECT m.row_id AS "rowId", m.session_id AS "sessionId", octet_length(m.content_json) AS "bytes", ${messageSelect}
FROM json_each(?) e CROSS JOIN messages m ON m.row_id = e.value`,
    parameters: [JSON.stringify(rowIds)],
  }
}

/** The sessions that are searched, with how much there is in them; at most so many. */
export function searchedSessions(plan: SearchPlan, limit: number): Statement {
  const passes = and(sessionConditions(plan))
  return {
    sql: `SELECT s.row_id AS "rowId", s.message_count AS "messageCount" FROM sessions s WHERE ${passes.sql} LIMIT ?`,
    parameters: [...passes.parameters, limit],
  }
}

/** Searched sessions whose names MATCH finds, after a row id. */
export function walkNames(plan: SearchPlan, match: string, after: number, limit: number): Statement {
  const passes = and(sessionConditions(plan))
  return {
    sql: `SELECT s.row_id AS "rowId", (${passes.sql}) AS "passes" FROM sessions_fts f CROSS JOIN sessions s ON s.row_id = f.rowid
WHERE sessions_fts MATCH ? AND f.rowid > CAST(? AS INTEGER) ORDER BY f.rowid LIMIT ?`,
    parameters: [...passes.parameters, match, after, limit],
  }
}

/** The newest searched sessions whose names are not indexed. */
export function unindexedNames(plan: SearchPlan, above: number, limit: number): Statement {
  const passes = and(sessionConditions(plan))
  return {
    sql: `SELECT s.row_id AS "rowId", s.name AS "name" FROM sessions s WHERE s.row_id > ? AND ${passes.sql}
ORDER BY s.row_id DESC LIMIT ?`,
    parameters: [above, ...passes.parameters, limit],
  }
}

const newestMessage =
  '(SELECT m.row_id FROM messages m WHERE m.session_id = s.id AND m.row_id < ? ORDER BY m.seq DESC LIMIT 1) AS "newest"'

/** Of sessions by row id, the newest message that was stored before a row id. */
export function newestMessages(rowIds: readonly number[], top: number): Statement {
  return {
    sql: `SELECT s.row_id AS "rowId", ${newestMessage} FROM json_each(?) e CROSS JOIN sessions s ON s.row_id = e.value`,
    parameters: [top, JSON.stringify(rowIds)],
  }
}

/** Sessions by row id, with the newest message that was stored before a row id. */
export function sessionsByRowIds(rowIds: readonly number[], top: number): Statement {
  return {
    sql: `SELECT ${sessionSelect}, ${newestMessage} FROM json_each(?) e CROSS JOIN sessions s ON s.row_id = e.value`,
    parameters: [top, JSON.stringify(rowIds)],
  }
}

export function sessionsByIds(ids: readonly string[]): Statement {
  return {
    sql: `SELECT ${sessionSelect} FROM json_each(?) e CROSS JOIN sessions s ON s.id = e.value`,
    parameters: [JSON.stringify(ids)],
  }
}

/** The messages next to one, before or after it, nearest first. */
export function neighbours(
  sessionId: string,
  seq: number,
  side: 'before' | 'after',
  count: number,
): Statement {
  const [compare, order] = side === 'before' ? ['<', 'DESC'] : ['>', 'ASC']
  return {
    sql: `SELECT ${messageSelect} FROM messages m WHERE m.session_id = ? AND m.seq ${compare} ? ORDER BY m.seq ${order} LIMIT ?`,
    parameters: [sessionId, seq, count],
  }
}
