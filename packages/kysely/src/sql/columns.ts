// The columns a session and a message are read by, named as core's records name them.

import type { Session } from '@sess/core'
import {
  corruptRow,
  type OnDamage,
  readSession,
  type SessionRecord,
  sessionDamage,
  toSession,
} from '@sess/core/adapter'
import type { Row, Statement } from '../engine.ts'

const sessionColumns: Readonly<Record<keyof SessionRecord, string>> = {
  rowId: 'row_id',
  id: 'id',
  name: 'name',
  nameSource: 'name_source',
  sessionType: 'session_type',
  ownerId: 'owner_id',
  workingDir: 'working_dir',
  channelType: 'channel_type',
  channelKey: 'channel_key',
  parentSessionId: 'parent_session_id',
  forkedFromSessionId: 'forked_from_session_id',
  forkedFromSeq: 'forked_from_seq',
  branchOf: 'branch_of',
  sourceAgent: 'source_agent',
  sourceSessionId: 'source_session_id',
  sourceDigest: 'source_digest',
  providerName: 'provider_name',
  mode: 'mode',
  preview: 'preview',
  pinned: 'pinned',
  archivedAt: 'archived_at',
  deletedAt: 'deleted_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  lastActiveAt: 'last_active_at',
  messageCount: 'message_count',
  nextSeq: 'next_seq',
  version: 'version',
  changeSeq: 'change_seq',
  contextStartSeq: 'context_start_seq',
  contextSummarySeq: 'context_summary_seq',
  tokenCounts: 'token_counts',
  modelConfig: 'model_config',
  extensionData: 'extension_data',
  metadata: 'metadata',
}

/** The column of each field of a record. */
export function columnOf(field: keyof SessionRecord): string {
  return sessionColumns[field]
}

/** The select list of a session with its tags, over `sessions AS s`. */
export const sessionSelect: string = [
  ...Object.entries(sessionColumns).map(([field, column]) => `s.${column} AS "${field}"`),
  // What is no text would raise: it becomes null.
  '(SELECT json_group_array(CASE typeof(g.tag) WHEN \'text\' THEN g.tag END) FROM session_tags g WHERE g.session_id = s.id) AS "tags"',
].join(', ')

/** The row of a session, as {@link sessionSelect} reads it. */
export type SessionRow = SessionRecord & { readonly tags: string }

/** One session by id, whatever its state. */
export function sessionById(id: string): Statement {
  return { sql: `SELECT ${sessionSelect} FROM sessions s WHERE s.id = ?`, parameters: [id] }
}

/**
 * The row that was asked for.
 *
 * @throws {StoreError} corrupt a column holds what it cannot
 */
export function asSessionRow(row: Row | undefined): SessionRow | undefined {
  const session = row as SessionRow | undefined
  const damage = session && sessionDamage(session)
  if (damage !== undefined) throw corruptRow('sessions', session?.id, damage)
  return session
}

/** @throws {StoreError} corrupt */
export function sessionOf(row: SessionRow, onDamage: OnDamage): Session {
  return toSession(row, tagsOf(row, onDamage), onDamage)
}

/** The sessions of a page; damaged rows are left out and told of. */
export function sessionsOf(rows: readonly SessionRow[], onDamage: OnDamage): Session[] {
  return rows.flatMap((row) => readSession(row, tagsOf(row, onDamage), onDamage) ?? [])
}

/** Sorted by code unit, as every store gives them; SQLite would sort by UTF-8 bytes. */
export function tagsOf(row: SessionRow, onDamage: OnDamage): readonly string[] {
  const found = JSON.parse(row.tags) as (string | null)[]
  const tags = found.filter((tag) => tag !== null)
  if (tags.length < found.length) onDamage(`session "${row.id}": a tag is no text`)
  return tags.sort((a, b) => (a < b ? -1 : 1))
}

/** Whether a column holds JSON text: bytes pass for JSON in SQLite, and then raise. */
export function isJson(column: string): string {
  return `(typeof(${column}) = 'text' AND json_valid(${column}))`
}

/** The select list of a message over `messages AS m`. */
export const messageSelect: string =
  'm.message_id AS "messageId", m.seq AS "seq", m.role AS "role", m.created_at AS "createdAt", ' +
  'm.metadata_json AS "metadataJson", m.content_json AS "contentJson"'

/**
 * The highest change number, of a session or a tombstone: two index seeks. What another program wrote beside numbers, or
 * beyond what JavaScript counts, is passed over; a fraction is cut.
 */
export const lastChange: string = `CAST(max(${['sessions', 'session_tombstones']
  .map((table) => `coalesce((SELECT max(change_seq) FROM ${table} WHERE change_seq < ${2 ** 53 - 1}), 0)`)
  .join(', ')}) AS INTEGER)`

/** The next change number. */
export const nextChange: string = `(SELECT 1 + ${lastChange})`
