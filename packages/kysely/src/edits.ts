// Changes of a history over SQL: each takes rows away or changes one, and says in the same batch what that means for the
// session: count, preview, and a context that moves back where the current summary went.

import type { Message } from '@sess/core'
import {
  contextAfterEdit,
  contextFields,
  contextOf,
  contextWithout,
  damagedMessage,
  editRow,
  isDamaged,
  type MessagePatch,
  type MessageRecord,
  type SessionContext,
  seqOf,
  toMessage,
} from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { Row, WriteUnit } from './engine.ts'
import { liveRow } from './session-rows.ts'
import { sessionById } from './sql/columns.ts'
import { rowUnchanged } from './sql/guards.ts'
import {
  boundOf,
  type Condition,
  countOf,
  everyRow,
  newestPreview,
  not,
  ofIds,
  readCount,
  readPreview,
  readSummaries,
  seqOfMessage,
  summariesWith,
} from './sql/history.ts'
import { messageById } from './sql/message-reads.ts'
import { toColumns, updateSession } from './sql/session-writes.ts'

export function removeUnit(parts: StoreParts, id: string, messageIds: readonly string[]): WriteUnit<number> {
  return dropUnit(parts, id, ofIds(messageIds))
}

export function truncateUnit(
  parts: StoreParts,
  id: string,
  { fromSeq = 0, fromMessageId }: { readonly fromSeq?: number; readonly fromMessageId?: string },
): WriteUnit<number> {
  const bound = boundOf(id, fromMessageId ?? fromSeq)
  return dropUnit(
    parts,
    id,
    { sql: `m.seq >= ${bound.sql}`, parameters: bound.parameters },
    { fromMessageId },
  )
}

/** Everything goes; what comes next begins the context. */
export function clearUnit(parts: StoreParts, id: string): WriteUnit<number> {
  return dropUnit(parts, id, everyRow, { afresh: true })
}

/** Deletes rows and answers how many there were. */
function dropUnit(
  parts: StoreParts,
  id: string,
  goes: Condition,
  {
    fromMessageId,
    afresh = false,
  }: { readonly fromMessageId?: string | undefined; readonly afresh?: boolean } = {},
): WriteUnit<number> {
  const named = fromMessageId === undefined ? [] : [seqOfMessage(id, fromMessageId)]
  return {
    reads: [
      sessionById(id),
      countOf(id, goes),
      summariesWith(id, goes),
      newestPreview(id, not(goes)),
      ...named,
    ],
    plan: ([sessionRows, countRows, summaryRows, previewRows, namedRows]) => {
      const row = liveRow(id, sessionRows?.[0])
      if (fromMessageId !== undefined) seqOf(id, fromMessageId, seqIn(namedRows))
      const count = readCount(countRows)
      if (count === 0) return { statements: [], result: () => 0 }
      const { summaries, survives } = readSummaries(summaryRows)
      const context: SessionContext = afresh
        ? { startSeq: row.nextSeq }
        : contextWithout(contextOf(row), summaries, survives)
      const fields = {
        version: row.version + 1,
        messageCount: row.messageCount - count,
        preview: readPreview(previewRows).preview,
        ...contextFields(context),
      }
      return {
        guards: [rowUnchanged(id, row.changeSeq)],
        statements: [
          {
            sql: `DELETE FROM messages AS m WHERE m.session_id = ? AND ${goes.sql}`,
            parameters: [id, ...goes.parameters],
          },
          updateSession(parts.db, id, toColumns(fields), parts.now()),
        ],
        result: () => count,
      }
    },
  }
}

export function editUnit(
  parts: StoreParts,
  id: string,
  messageId: string,
  patch: MessagePatch,
): WriteUnit<Message> {
  const others = { sql: 'm.message_id <> ?', parameters: [messageId] }
  return {
    reads: [sessionById(id), messageById(id, messageId), newestPreview(id, others)],
    plan: ([sessionRows, messageRows, previewRows]) => {
      const session = liveRow(id, sessionRows?.[0])
      const stored = messageRows?.[0] as unknown as MessageRecord | undefined
      seqOf(id, messageId, stored?.seq)
      const row = stored as MessageRecord
      if (patch.content === undefined && patch.metadata === undefined) {
        return { statements: [], result: () => readable(id, row) }
      }
      const { preview, ...edited } = editRow(id, row, patch, parts.maxMessageBytes)
      const other = readPreview(previewRows)
      const fields = {
        version: session.version + 1,
        preview: preview !== undefined && edited.seq > other.seq ? preview : other.preview,
        ...contextFields(contextAfterEdit(contextOf(session), edited)),
      }
      return {
        guards: [rowUnchanged(id, session.changeSeq)],
        statements: [
          {
            sql: 'UPDATE messages SET turn_part = ?, metadata_json = ?, text_json = ?, content_json = ? WHERE session_id = ? AND message_id = ?',
            parameters: [
              edited.turnPart,
              edited.metadataJson,
              edited.textJson,
              edited.contentJson,
              id,
              messageId,
            ],
          },
          updateSession(parts.db, id, toColumns(fields), parts.now()),
        ],
        result: () => readable(id, edited),
      }
    },
  }
}

function seqIn(rows: readonly Row[] = []): number | undefined {
  return (rows[0] as { readonly seq: number } | undefined)?.seq
}

function readable(id: string, row: MessageRecord): Message {
  const message = toMessage(id, row)
  if (isDamaged(message)) throw damagedMessage(id, message)
  return message
}
