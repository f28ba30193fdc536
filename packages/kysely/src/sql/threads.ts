// Statements of threads.

import type { ThreadRecord } from '@sess/core/adapter'
import type { Kysely } from 'kysely'
import type { Statement } from '../engine.ts'
import type { Database } from '../schema/tables.ts'
import { messageSelect, sessionSelect } from './columns.ts'

/** A thread with how many of its sessions are not in the trash. */
const threadSelect = `t.thread_id AS "threadId", t.owner_id AS "ownerId", t.name AS "name", t.metadata AS "metadata",
t.created_at AS "createdAt", t.updated_at AS "updatedAt",
(SELECT count(*) FROM thread_sessions p JOIN sessions s ON s.id = p.session_id
  WHERE p.thread_id = t.thread_id AND s.deleted_at IS NULL) AS "sessionCount"`

export function threadById(id: string): Statement {
  return { sql: `SELECT ${threadSelect} FROM threads t WHERE t.thread_id = ?`, parameters: [id] }
}

/** 1 where there is such a thread. */
export function threadCount(id: string): Statement {
  return { sql: 'SELECT count(*) FROM threads WHERE thread_id = ?', parameters: [id] }
}

/** Newest update first, ties by id. Sessions are counted of the page's threads alone. */
export function threadPage(
  { ownerId, sessionId }: { readonly ownerId?: string; readonly sessionId?: string },
  after: readonly [number, string] | undefined,
  limit: number,
): Statement {
  const clauses: [string, ...unknown[]][] = [
    ...(ownerId === undefined ? [] : [['t.owner_id = ?', ownerId] as [string, string]]),
    ...(sessionId === undefined
      ? []
      : [
          ['t.thread_id IN (SELECT thread_id FROM thread_sessions WHERE session_id = ?)', sessionId] as [
            string,
            string,
          ],
        ]),
    ...(after === undefined
      ? []
      : [['(t.updated_at, t.thread_id) < (?, ?)', ...after] as [string, number, string]]),
  ]
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.map(([sql]) => sql).join(' AND ')}`
  return {
    sql: `WITH page AS MATERIALIZED (
  SELECT t.* FROM threads t ${where} ORDER BY t.updated_at DESC, t.thread_id DESC LIMIT ?
)
SELECT ${threadSelect} FROM page t ORDER BY t.updated_at DESC, t.thread_id DESC`,
    parameters: [...clauses.flatMap(([, ...parameters]) => parameters), limit],
  }
}

export function insertThread(db: Kysely<Database>, row: ThreadRecord): Statement {
  return db
    .insertInto('threads')
    .values({
      thread_id: row.threadId,
      owner_id: row.ownerId,
      name: row.name,
      metadata: row.metadata,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    })
    .compile()
}

export function updateThread(
  db: Kysely<Database>,
  id: string,
  fields: Partial<Pick<ThreadRecord, 'name' | 'metadata'>>,
  now: number,
): Statement {
  return db
    .updateTable('threads')
    .set({ ...fields, updated_at: now })
    .where('thread_id', '=', id)
    .compile()
}

export function touchThread(id: string, now: number): Statement {
  return { sql: 'UPDATE threads SET updated_at = ? WHERE thread_id = ?', parameters: [now, id] }
}

export function deleteThread(id: string): Statement {
  return { sql: 'DELETE FROM threads WHERE thread_id = ?', parameters: [id] }
}

/** Where a session stands in a thread: `position`. */
export function position(id: string, sessionId: string): Statement {
  return {
    sql: 'SELECT position AS "position" FROM thread_sessions WHERE thread_id = ? AND session_id = ?',
    parameters: [id, sessionId],
  }
}

export function positionCount(id: string, sessionId: string): Statement {
  return {
    sql: 'SELECT count(*) FROM thread_sessions WHERE thread_id = ? AND session_id = ?',
    parameters: [id, sessionId],
  }
}

export function attach(id: string, sessionId: string): Statement {
  return {
    sql: `INSERT INTO thread_sessions (thread_id, session_id, position)
SELECT ?, ?, coalesce(max(position), 0) + 1 FROM thread_sessions WHERE thread_id = ? AND typeof(position) = 'integer'`,
    parameters: [id, sessionId, id],
  }
}

export function detach(id: string, sessionId: string): Statement {
  return {
    sql: 'DELETE FROM thread_sessions WHERE thread_id = ? AND session_id = ?',
    parameters: [id, sessionId],
  }
}

/** Sessions in the order of attaching, without those in the trash. */
export function sessionPage(id: string, after: number, limit: number): Statement {
  return {
    sql: `SELECT ${sessionSelect}, p.position AS "position" FROM thread_sessions p JOIN sessions s ON s.id = p.session_id
WHERE p.thread_id = ? AND p.position > ? AND s.deleted_at IS NULL ORDER BY p.position LIMIT ?`,
    parameters: [id, after, limit],
  }
}

/**
 * One page by (created_at, position, seq): places and sizes first, which reads no payload, then only the page's rows. Each
 * carries `candidates`, how many places follow up to one above the limit.
 */
export function timelinePage(
  id: string,
  after: readonly [number, number, number] | undefined,
  limit: number,
  bytes: number,
): Statement {
  const order = 'created_at, position, seq'
  return {
    sql: `WITH places AS MATERIALIZED (
  SELECT m.row_id, m.created_at, p.position, m.seq, octet_length(m.content_json) + octet_length(m.metadata_json) - 2 AS bytes
  FROM thread_sessions p CROSS JOIN sessions s ON s.id = p.session_id AND s.deleted_at IS NULL
  CROSS JOIN messages m ON m.session_id = s.id
  WHERE p.thread_id = ? ${after === undefined ? '' : 'AND (m.created_at, p.position, m.seq) > (?, ?, ?)'}
  ORDER BY m.created_at, p.position, m.seq LIMIT ?
), page AS MATERIALIZED (
  SELECT row_id, position, row_number() OVER (ORDER BY ${order}) AS place,
    sum(bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS total FROM places
)
SELECT ${messageSelect}, m.session_id AS "sessionId", page.position AS "position", (SELECT count(*) FROM places) AS "candidates"
FROM page CROSS JOIN messages m ON m.row_id = page.row_id
WHERE page.place <= ? AND (page.place = 1 OR page.total <= ?)`,
    parameters: [id, ...(after ?? []), limit + 1, limit, bytes],
  }
}
