// Statements that write message rows. The shapes are few (1, 8 and 64 rows), so that each is prepared once.

import type { NewMessageRow } from '@sess/core/adapter'
import type { Statement } from '../engine.ts'

const columns =
  'message_id, session_id, seq, role, created_at, turn_part, metadata_json, text_json, content_json'
const row = '(?, ?, ?, ?, ?, ?, ?, ?, ?)'

const shapes = [64, 8, 1].map((size) => ({
  size,
  sql: `INSERT INTO messages (${columns}) VALUES ${Array.from({ length: size }, () => row).join(', ')}`,
}))

/** Inserts rows in their order. */
export function insertMessages(sessionId: string, rows: readonly NewMessageRow[]): Statement[] {
  const statements: Statement[] = []
  let start = 0
  for (const { size, sql } of shapes) {
    for (; rows.length - start >= size; start += size) {
      statements.push({
        sql,
        parameters: rows.slice(start, start + size).flatMap((one) => values(sessionId, one)),
      })
    }
  }
  return statements
}

function values(sessionId: string, one: NewMessageRow): readonly unknown[] {
  return [
    one.messageId,
    sessionId,
    one.seq,
    one.role,
    one.createdAt,
    one.turnPart,
    one.metadataJson,
    one.textJson,
    one.contentJson,
  ]
}
