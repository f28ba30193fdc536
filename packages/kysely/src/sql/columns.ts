// The columns a session and a message are read by, named as core's records name them.

import type { Session } from '@sess/core'
import { type OnDamage, type SessionRecord, toSession } from '@sess/core/adapter'
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
  '(SELECT json_group_array(g.tag) FROM session_tags g WHERE g.session_id = s.id) AS "tags"',
].join(', ')

/** The row of a session, as {@link sessionSelect} reads it. */
export type SessionRow = SessionRecord & { readonly tags: string }

/** One session by id, whatever its state. */
export function sessionById(id: string): Statement {
  return { sql: `SELECT ${sessionSelect} FROM sessions s WHERE s.id = ?`, parameters: [id] }
}

export function asSessionRow(row: Row | undefined): SessionRow | undefined {
  return row as SessionRow | undefined
}

export function sessionOf(row: SessionRow, onDamage: OnDamage): Session {
  return toSession(row, tagsOf(row), onDamage)
}

/** Sorted by code unit, as every store gives them; SQLite would sort by UTF-8 bytes. */
export function tagsOf(row: SessionRow): readonly string[] {
  return (JSON.parse(row.tags) as string[]).sort((a, b) => (a < b ? -1 : 1))
}

/** The select list of a message over `messages AS m`. */
export const messageSelect: string =
  'm.message_id AS "messageId", m.seq AS "seq", m.role AS "role", m.created_at AS "createdAt", ' +
  'm.metadata_json AS "metadataJson", m.content_json AS "contentJson"'

/** The next change number: above every session's and every tombstone's. Two index seeks. */
export const nextChange: string =
  '(SELECT 1 + max(coalesce((SELECT max(change_seq) FROM sessions), 0), ' +
  'coalesce((SELECT max(change_seq) FROM session_tombstones), 0)))'
