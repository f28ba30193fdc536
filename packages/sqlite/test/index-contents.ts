// What stands in the index of search, against what should: every token of every message, at its place.

import {
  columnOf,
  isDamaged,
  type MessageRecord,
  preparedText,
  searchColumns,
  toMessage,
} from '@sess/core/adapter'
import type Database from 'better-sqlite3'

interface Instance {
  readonly term: string
  readonly doc: number
  readonly col: string
  readonly offset: number
}

function instancesOf(database: Database.Database, table: string): string[] {
  database.exec(`CREATE VIRTUAL TABLE temp.sess_vocabulary USING fts5vocab(main, '${table}', instance)`)
  const rows = database
    .prepare<[], Instance>('SELECT term, doc, col, offset FROM temp.sess_vocabulary')
    .all()
    .map(({ doc, col, offset, term }) => `${doc} ${col} ${offset} ${term}`)
  database.exec('DROP TABLE temp.sess_vocabulary')
  return rows
}

const tokensOf = (rowId: number, column: string, text: string): string[] =>
  text === '' ? [] : text.split(' ').map((term, offset) => `${rowId} ${column} ${offset} ${term}`)

/** What is missing from the index, `-`, and what should not be in it, `+`; nothing when it is exact and complete. */
export function indexProblems(database: Database.Database, prefix = ''): string[] {
  const messages = database
    .prepare<[], MessageRecord & { rowId: number; sessionRowId: number; sessionType: string }>(
      `SELECT m.row_id AS rowId, m.message_id AS messageId, m.seq, m.role, m.created_at AS createdAt, m.metadata_json AS metadataJson,
m.content_json AS contentJson, s.row_id AS sessionRowId, s.session_type AS sessionType
FROM ${prefix}messages m JOIN ${prefix}sessions s ON s.id = m.session_id`,
    )
    .all()
  const wanted = messages.flatMap((row) => {
    const message = toMessage('', row)
    const columns = isDamaged(message) ? undefined : searchColumns(message.content, message.metadata)
    if (columns === undefined) return []
    const kind = { hidden: 'khidden', sub_agent: 'ksubagent' }[row.sessionType] ?? 'kplain'
    return [
      ...tokensOf(row.rowId, 'text', preparedText(columns.text.tokens)),
      ...tokensOf(row.rowId, 'tool', preparedText(columns.tool.tokens)),
      ...tokensOf(row.rowId, 'scope', `s${row.sessionRowId} r${row.role} ${kind}`),
    ]
  })
  const names = database
    .prepare<[], { rowId: number; name: string }>(`SELECT row_id AS rowId, name FROM ${prefix}sessions`)
    .all()
    .flatMap(({ rowId, name }) => tokensOf(rowId, 'name', preparedText(columnOf([name]).tokens)))
  const count = (table: string) =>
    database.prepare<[], number>(`SELECT count(*) FROM ${prefix}${table}`).pluck().get()
  const entries = count('messages_fts_docsize')
  return [
    ...differences(wanted, instancesOf(database, `${prefix}messages_fts`)),
    ...differences(names, instancesOf(database, `${prefix}sessions_fts`)),
    ...(entries === messages.length ? [] : [`${entries} entries for ${messages.length} messages`]),
  ]
}

function differences(wanted: readonly string[], found: readonly string[]): string[] {
  const [should, is] = [new Set(wanted), new Set(found)]
  return [
    ...wanted.filter((one) => !is.has(one)).map((one) => `- ${one}`),
    ...found.filter((one) => !should.has(one)).map((one) => `+ ${one}`),
  ]
}
