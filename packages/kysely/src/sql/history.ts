// Statements that look at a session's history before it changes: summaries, counts, and what the preview would be.

import {
  isDamaged,
  type MessageRecord,
  previewLine,
  type SummaryFacts,
  summaryFacts,
  toMessage,
} from '@sess/core/adapter'
import type { Row, Statement } from '../engine.ts'
import { isJson, messageSelect } from './columns.ts'

/** A condition on rows of `messages AS m`. */
export interface Condition {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Every row. */
export const everyRow: Condition = { sql: '1', parameters: [] }

/** Rows of some message ids. */
export function ofIds(messageIds: readonly string[]): Condition {
  return { sql: 'm.message_id IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(messageIds)] }
}

/** The seq a message has: `seq`. */
export function seqOfMessage(sessionId: string, messageId: string): Statement {
  return {
    sql: 'SELECT seq AS "seq" FROM messages WHERE session_id = ? AND message_id = ?',
    parameters: [sessionId, messageId],
  }
}

/** A bound that is a number, or the seq of a message (NULL where there is none). */
export function boundOf(sessionId: string, bound: number | string): Condition {
  return typeof bound === 'number'
    ? { sql: '?', parameters: [bound] }
    : {
        sql: '(SELECT seq FROM messages WHERE session_id = ? AND message_id = ?)',
        parameters: [sessionId, bound],
      }
}

/** Every summary of a session, and whether it is among the rows that go. */
export function summariesWith(sessionId: string, goes: Condition): Statement {
  return {
    sql: `SELECT m.seq AS "seq", m.metadata_json AS "metadataJson", ${goes.sql} AS "goes"
FROM messages m WHERE m.session_id = ? AND m.turn_part = 5`,
    parameters: [...goes.parameters, sessionId],
  }
}

/** What {@link summariesWith} read. */
export function readSummaries(rows: readonly Row[] = []): {
  readonly summaries: readonly SummaryFacts[]
  readonly survives: (seq: number) => boolean
} {
  const found = rows as unknown as readonly { seq: number; metadataJson: string; goes: number }[]
  const gone = new Set(found.filter(({ goes }) => goes === 1).map(({ seq }) => seq))
  return { summaries: found.flatMap((row) => summaryFacts(row) ?? []), survives: (seq) => !gone.has(seq) }
}

/** How many rows go: `count`. */
export function countOf(sessionId: string, goes: Condition): Statement {
  return {
    sql: `SELECT count(*) AS "count" FROM messages m WHERE m.session_id = ? AND ${goes.sql}`,
    parameters: [sessionId, ...goes.parameters],
  }
}

export function readCount(rows: readonly Row[] = []): number {
  return (rows[0] as { readonly count: number }).count
}

/** What a preview passes over: what `trim()` takes away in JavaScript, and control characters. */
const blanks: string =
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff' +
  String.fromCodePoint(...Array.from({ length: 0x20 }, (_, index) => index + 1)) +
  String.fromCodePoint(...Array.from({ length: 0x21 }, (_, index) => index + 0x7f))

/** NUL would end the set that `trim` takes, so it goes while the text is JSON still, where escaped backslashes hide nothing. */
const textOfBlock =
  "CASE WHEN json_type(e.value, '$.text') IS NOT 'text' THEN '' WHEN instr(e.value, '\\u0000') = 0 THEN json_extract(e.value, '$.text') " +
  "ELSE json_extract(replace(replace(e.value -> '$.text', '\\\\', 'x'), '\\u0000', ''), '$') END"

/** What a preview is read from; damaged text makes the row one without. */
const previewed = 'coalesce(m.text_json, m.content_json)'

/** The newest row that has a preview, among those that stay. It looks back only as far as the newest text. */
export function newestPreview(sessionId: string, stays: Condition): Statement {
  return {
    sql: `SELECT ${messageSelect.replace('m.content_json', previewed)} FROM messages m
WHERE m.session_id = ? AND ${stays.sql} AND m.role IN ('user', 'assistant')
AND CASE WHEN ${isJson('m.metadata_json')} THEN json_type(m.metadata_json) = 'object'
  AND json_type(m.metadata_json, '$.userVisible') IS NOT 'false' ELSE 0 END
AND CASE WHEN ${isJson(previewed)} THEN EXISTS (
  SELECT 1 FROM json_each(${previewed}) e WHERE CASE WHEN e.type = 'object'
  THEN json_extract(e.value, '$.type') = 'text' AND trim(${textOfBlock}, ?) <> '' ELSE 0 END
) ELSE 0 END
ORDER BY m.seq DESC LIMIT 1`,
    parameters: [sessionId, ...stays.parameters, blanks],
  }
}

/** The preview of what {@link newestPreview} read, and its seq. */
export function readPreview(rows: readonly Row[] = []): { readonly seq: number; readonly preview: string } {
  const row = rows[0] as unknown as MessageRecord | undefined
  const message = row && toMessage('', row)
  if (message === undefined || isDamaged(message)) return { seq: 0, preview: '' }
  return { seq: message.seq, preview: previewLine(message.role, message.content, message.metadata) ?? '' }
}

/** The rows that do not go. */
export function not({ sql, parameters }: Condition): Condition {
  return { sql: `NOT (${sql})`, parameters }
}
