// Statements that write session rows, compiled by Kysely from the table types.

import type { SessionRecord } from '@sess/core/adapter'
import { counterLeap, type PreparedSession, parseDateId } from '@sess/core/adapter'
import { type Kysely, sql } from 'kysely'
import type { Statement } from '../engine.ts'
import type { Database, SessionsTable } from '../schema/tables.ts'
import { columnOf, nextChange } from './columns.ts'
import { markDirty, putName } from './index.ts'

type Columns = Partial<Record<keyof SessionsTable, unknown>>

/** Columns of a record's fields; name changes carry the folded form along. */
export function toColumns(fields: Partial<SessionRecord>, nameFolded?: string): Columns {
  const columns: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(fields)) columns[columnOf(field as keyof SessionRecord)] = value
  if (nameFolded !== undefined) columns.name_folded = nameFolded
  return columns as Columns
}

/**
 * Inserts a session with its tags and its name's place in the index, and answers `changeSeq` and `rowId` in the first statement's row; a tombstone of its
 * id goes, a date id raises its counter.
 */
export function insertSession(
  db: Kysely<Database>,
  id: string,
  session: PreparedSession,
  now: number,
  fields: Partial<SessionRecord>,
): Statement[] {
  const createdAt = session.createdAt ?? now
  const values = {
    id,
    name: session.name,
    name_folded: session.nameFolded,
    name_source: session.nameSource,
    session_type: session.type,
    owner_id: session.ownerId,
    working_dir: session.workingDir ?? null,
    channel_type: session.channelType ?? null,
    channel_key: session.channelKey ?? null,
    parent_session_id: session.parentSessionId ?? null,
    provider_name: session.providerName ?? null,
    mode: session.mode ?? null,
    preview: '',
    pinned: 0,
    created_at: createdAt,
    updated_at: now,
    last_active_at: createdAt,
    message_count: 0,
    next_seq: 1,
    version: 1,
    context_start_seq: 1,
    token_counts: '{"last":{},"accumulated":{}}',
    model_config: session.modelConfigJson ?? null,
    extension_data: session.extensionDataJson,
    metadata: session.metadataJson,
    ...toColumns(fields),
    change_seq: sql<number>`${sql.raw(nextChange)}`,
  }
  const insert = db
    .insertInto('sessions')
    .values(values as never)
    .returning(['change_seq as changeSeq', 'row_id as rowId'])
    .compile()
  const dropTombstone: Statement = {
    sql: 'DELETE FROM session_tombstones WHERE session_id = ?',
    parameters: [id],
  }
  return [
    insert,
    putName(id, session.name),
    dropTombstone,
    ...insertTags(id, session.tags),
    ...raiseCounter(id),
  ]
}

/** Changes a session's row and answers its new `changeSeq`. */
export function updateSession(db: Kysely<Database>, id: string, columns: Columns, now: number): Statement {
  return db
    .updateTable('sessions')
    .set({ ...columns, updated_at: now, change_seq: sql<number>`${sql.raw(nextChange)}` } as never)
    .where('id', '=', id)
    .returning('change_seq as changeSeq')
    .compile()
}

/** What a change of a session's own fields means for the index of search. */
export function indexChanges(
  id: string,
  before: Pick<SessionRecord, 'name' | 'sessionType'>,
  { name = before.name, sessionType = before.sessionType }: Partial<SessionRecord>,
): Statement[] {
  return [
    ...(name === before.name ? [] : [putName(id, name)]),
    ...(sessionType === before.sessionType ? [] : [markDirty(id)]),
  ]
}

function insertTags(id: string, tags: readonly string[]): Statement[] {
  if (tags.length === 0) return []
  return [
    {
      sql: 'INSERT INTO session_tags (session_id, tag) SELECT ?, value FROM json_each(?)',
      parameters: [id, JSON.stringify(tags)],
    },
  ]
}

export function replaceTags(id: string, tags: readonly string[]): Statement[] {
  return [{ sql: 'DELETE FROM session_tags WHERE session_id = ?', parameters: [id] }, ...insertTags(id, tags)]
}

/** The first free number of a day, above its counter; ids that callers gave are skipped. Answers `number`. */
export function freeNumber(day: string): Statement {
  return {
    sql:
      'WITH RECURSIVE candidate (number) AS (' +
      'SELECT coalesce((SELECT last FROM id_counters WHERE day = ?), 0) + 1 ' +
      'UNION ALL SELECT number + 1 FROM candidate ' +
      "WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ? || '_' || number)" +
      ') SELECT max(number) AS number FROM candidate',
    parameters: [day, day],
  }
}

/** A number that was used is never used again, also after its session is gone. */
function raiseCounter(id: string): Statement[] {
  const parsed = parseDateId(id)
  if (parsed === undefined) return []
  const { day, number } = parsed
  return [
    {
      sql:
        'INSERT INTO id_counters (day, last) SELECT ?, ? WHERE ? <= coalesce((SELECT last FROM id_counters WHERE day = ?), 0) + ? ' +
        'ON CONFLICT (day) DO UPDATE SET last = max(last, excluded.last)',
      parameters: [day, number, number, day, counterLeap],
    },
  ]
}
