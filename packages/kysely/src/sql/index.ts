// Statements that write the index of search. Entries are always put in place by INSERT OR REPLACE: a plain INSERT of a row
// id that is there already leaves a second version that nothing removes.

import type { Statement } from '../engine.ts'
import { type IndexEntry, indexVersion, nameEntry } from '../search/prepare.ts'
import { messageSelect } from './columns.ts'
import { answerUnchanged } from './guards.ts'

/** An index batch ends here. */
const batchRows = 200
const batchBytes = 262_144

/** `name_watermark` of an index that holds all names: whoever sets a name keeps it so. */
export const allNames: number = Number.MAX_SAFE_INTEGER

const meta = (key: string) => `(SELECT value FROM schema_meta WHERE key = '${key}')`

/** The highest row id that a message was ever given. The blanks let a prefix be put before the name. */
const sequence = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = trim(' messages ')), 0)"

export interface IndexState {
  readonly version: number | null
  /** Messages up to this row id are indexed, but for those of `index_dirty`. */
  readonly watermark: number
  /** Names of sessions up to this row id are; null before the first. */
  readonly names: number | null
  readonly sequence: number
  /** 1 where messages were stored or changed since. */
  readonly pending: number
}

export const indexState: Statement = {
  sql: `SELECT ${meta('index_version')} AS "version", coalesce(${meta('watermark')}, 0) AS "watermark",
${meta('name_watermark')} AS "names", ${sequence} AS "sequence",
EXISTS (SELECT 1 FROM index_dirty) OR EXISTS (SELECT 1 FROM messages WHERE row_id > coalesce(${meta('watermark')}, 0)) AS "pending"`,
  parameters: [],
}

/** Whether the index is of this code and of these tables: a watermark above every row means that they were made anew. */
export function isCurrent({ version, watermark, sequence: last }: IndexState): boolean {
  return version === indexVersion && watermark <= last
}

/** Whether nothing is left to index. */
export function isComplete(state: IndexState): boolean {
  return isCurrent(state) && state.names === allNames && state.pending === 0
}

/** Nobody has indexed anything meanwhile. */
export function stateUnchanged({ version, watermark, names }: IndexState): Statement[] {
  const value = (key: string) => ({
    sql: `SELECT value FROM schema_meta WHERE key = '${key}'`,
    parameters: [],
  })
  return [
    answerUnchanged(value('index_version'), version),
    answerUnchanged(value('watermark'), watermark),
    answerUnchanged(value('name_watermark'), names),
  ]
}

function batchOf(sizes: string): Statement {
  return {
    sql: `WITH sizes AS MATERIALIZED (${sizes}), batch AS MATERIALIZED (
  SELECT row_id, row_number() OVER (ORDER BY row_id) AS place,
    sum(bytes) OVER (ORDER BY row_id ROWS UNBOUNDED PRECEDING) AS total FROM sizes
)
SELECT batch.row_id AS "rowId", s.row_id AS "sessionRowId", s.session_type AS "sessionType", s.change_seq AS "changeSeq", ${messageSelect}
FROM batch LEFT JOIN messages m ON m.row_id = batch.row_id LEFT JOIN sessions s ON s.id = m.session_id
WHERE batch.place = 1 OR coalesce(batch.total, 0) <= ? ORDER BY batch.row_id`,
    parameters: [batchRows, batchBytes],
  }
}

/** Rows that were changed since they were indexed. */
export const dirtyBatch: Statement = batchOf(
  `SELECT d.row_id, octet_length(m.content_json) AS bytes FROM index_dirty d
LEFT JOIN messages m ON m.row_id = d.row_id ORDER BY d.row_id LIMIT ?`,
)

/** Rows that were never indexed; none while there are others. */
export const freshBatch: Statement = batchOf(
  `SELECT row_id, octet_length(content_json) AS bytes FROM messages
WHERE row_id > ${meta('watermark')} AND NOT EXISTS (SELECT 1 FROM index_dirty) ORDER BY row_id LIMIT ?`,
)

/** Names that may not be indexed. */
export const nameBatch: Statement = {
  sql: `SELECT row_id AS "rowId", change_seq AS "changeSeq", name AS "name" FROM sessions
WHERE row_id > coalesce(${meta('name_watermark')}, 0) ORDER BY row_id LIMIT ?`,
  parameters: [batchRows],
}

export function putEntries(entries: readonly IndexEntry[]): Statement {
  const member = (index: number) => `json_extract(value, '$[${index}]')`
  return {
    sql: `INSERT OR REPLACE INTO messages_fts (rowid, text, tool, scope)
SELECT ${[0, 1, 2, 3].map(member).join(', ')} FROM json_each(?)`,
    parameters: [JSON.stringify(entries)],
  }
}

export function putNames(sessions: readonly { readonly rowId: number; readonly name: unknown }[]): Statement {
  return {
    sql: `INSERT OR REPLACE INTO sessions_fts (rowid, name)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
    parameters: [JSON.stringify(sessions.map(({ rowId, name }) => [rowId, nameEntry(name)]))],
  }
}

/** The entry of a session's name, in the transaction that sets it. */
export function putName(id: string, name: string): Statement {
  return {
    sql: 'INSERT OR REPLACE INTO sessions_fts (rowid, name) SELECT row_id, ? FROM sessions WHERE id = ?',
    parameters: [nameEntry(name), id],
  }
}

/** What a session's messages say of it in the index is no longer so: its type. */
export function markDirty(id: string): Statement {
  return {
    sql: 'INSERT OR IGNORE INTO index_dirty (row_id) SELECT row_id FROM messages WHERE session_id = ?',
    parameters: [id],
  }
}

export function cleanRows(rowIds: readonly number[]): Statement {
  return {
    sql: 'DELETE FROM index_dirty WHERE row_id IN (SELECT value FROM json_each(?))',
    parameters: [JSON.stringify(rowIds)],
  }
}

export function setMeta(key: 'index_version' | 'watermark' | 'name_watermark', value: number): Statement {
  return {
    sql: 'INSERT OR REPLACE INTO schema_meta (key, value) VALUES (?, ?)',
    parameters: [key, value],
  }
}

/** Throws the index away, to make it anew from the first row on. */
export const emptyIndex: readonly Statement[] = [
  { sql: "INSERT INTO messages_fts (messages_fts) VALUES ('delete-all')", parameters: [] },
  { sql: "INSERT INTO sessions_fts (sessions_fts) VALUES ('delete-all')", parameters: [] },
  { sql: 'DELETE FROM index_dirty', parameters: [] },
  setMeta('watermark', 0),
  setMeta('name_watermark', 0),
  setMeta('index_version', indexVersion),
]
