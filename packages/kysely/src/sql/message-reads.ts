// Statements that read messages.

import { limits } from '@sess/core'
import type { ReadPlan } from '@sess/core/adapter'
import type { Statement } from '../engine.ts'
import { messageSelect } from './columns.ts'

export function messageById(sessionId: string, messageId: string): Statement {
  return {
    sql: `SELECT ${messageSelect} FROM messages m WHERE m.session_id = ? AND m.message_id = ?`,
    parameters: [sessionId, messageId],
  }
}

/**
 * One page: its bytes are summed over lengths, which reads no payload, before any content is read. Each row carries
 * `candidates`, how many rows the range has up to one above the limit.
 */
export function pageStatement(sessionId: string, { fromSeq, toSeq, order, limit }: ReadPlan): Statement {
  const direction = order === 'asc' ? 'ASC' : 'DESC'
  return {
    sql: `WITH sizes AS MATERIALIZED (
  SELECT seq, octet_length(content_json) + octet_length(metadata_json) - 2 AS bytes FROM messages
  WHERE session_id = ? AND seq >= ? AND seq <= ? ORDER BY seq ${direction} LIMIT ?
), page AS MATERIALIZED (
  SELECT seq, row_number() OVER (ORDER BY seq ${direction}) AS place,
    sum(bytes) OVER (ORDER BY seq ${direction} ROWS UNBOUNDED PRECEDING) AS total FROM sizes
)
SELECT ${messageSelect}, (SELECT count(*) FROM sizes) AS "candidates"
FROM page CROSS JOIN messages m ON m.session_id = ? AND m.seq = page.seq
WHERE page.place <= ? AND (page.place = 1 OR page.total <= ?)`,
    parameters: [sessionId, fromSeq, toSeq, limit + 1, sessionId, limit, limits.pageBytes],
  }
}

/** The stored messages of some ids. */
export function messagesByIds(sessionId: string, ids: readonly string[]): Statement {
  return {
    sql: `SELECT ${messageSelect} FROM json_each(?) e CROSS JOIN messages m ON m.session_id = ? AND m.message_id = e.value`,
    parameters: [JSON.stringify(ids), sessionId],
  }
}

/** The rows an operation stored, as far as they still exist. */
export function messagesOfOperation(sessionId: string, operationId: string): Statement {
  return {
    sql: `SELECT ${messageSelect} FROM operations o CROSS JOIN messages m
  ON m.session_id = o.session_id AND m.seq BETWEEN o.first_seq AND o.last_seq
WHERE o.session_id = ? AND o.operation_id = ? ORDER BY m.seq`,
    parameters: [sessionId, operationId],
  }
}
