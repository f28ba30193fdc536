// Messages: an append is read, planned by core and written as one file; reads answer what core makes of the rows.

import { type MessageLog, recentTurnsSchema } from '@sess/core'
import {
  type AppendPlan,
  damagedMessage,
  isDamaged,
  isMessageId,
  isSessionId,
  type Operations,
  type PreparedAppend,
  pageBytes,
  planAppend,
  planRead,
  prepareAppend,
  rowsThatFit,
  rowsWithin,
  type StoreContext,
  snapshot,
  toMessage,
  toMessagePage,
  toSession,
  toTurnWindow,
  windowOf,
} from '@sess/core/adapter'
import type { Folder, SessionFile } from './folder.ts'
import { newRow } from './rows.ts'
import { changed } from './sessions.ts'

export type JsonMessages = Pick<MessageLog, 'append' | 'read' | 'get' | 'recentTurns'>

export function createJsonMessages(
  folder: Folder,
  operations: Operations,
  context: StoreContext,
  maxMessageBytes: number,
): JsonMessages {
  const find = (id: string): SessionFile | undefined => (isSessionId(id) ? folder.read(id) : undefined)
  return {
    append: (id, messages, options = {}) =>
      operations.call(
        'messages.append',
        () => prepareAppend(id, messages, options, context, maxMessageBytes),
        (append) => {
          const file = folder.read(id)
          const now = context.now()
          // Core decides by what is stored: the row, the messages of the ids given, the operation of that id.
          const plan = planAppend(
            { session: file?.row, ...storedFacts(file, append) },
            { ...append, sessionId: id, now, newId: context.ids.message },
          )
          writeAppend(folder, id, file, append, plan, now)
          return plan.receipt
        },
      ),
    read: (id, range = {}) =>
      operations.call(
        'messages.read',
        () => planRead(id, range),
        (plan) => {
          const inRange = (find(id)?.messages ?? []).filter(
            ({ seq }) => seq >= plan.fromSeq && seq <= plan.toSeq,
          )
          const ordered = plan.order === 'asc' ? inRange : inRange.reverse()
          const candidates = ordered.slice(0, plan.limit)
          const fit = rowsThatFit(candidates.map(pageBytes))
          return toMessagePage(id, plan, candidates.slice(0, fit), fit < ordered.length)
        },
      ),
    get: (id, messageId) =>
      operations.run('messages.get', () => {
        const rows = isMessageId(messageId) ? find(id)?.messages : undefined
        const row = rows?.find((found) => found.messageId === messageId)
        if (row === undefined) return undefined
        const message = toMessage(id, row)
        if (isDamaged(message)) throw damagedMessage(id, message)
        return message
      }),
    recentTurns: (id, options) =>
      operations.call(
        'messages.recentTurns',
        () => snapshot(recentTurnsSchema, options, 'options'),
        ({ turns, mode = 'full', beforeSeq, scope = 'context' }) => {
          const file = find(id)
          const session = file && toSession(file.row, file.tags, () => {})
          // Tier A has no compaction, so there is never a summary and the context begins where the row says.
          const startSeq = scope === 'context' ? (file?.row.contextStartSeq ?? 1) : 1
          const request = { turns, mode, startSeq, beforeSeq, hasSummary: false }
          const window = windowOf(file?.messages ?? [], request)
          return toTurnWindow(id, session, mode, { ...window, summary: undefined })
        },
      ),
  }
}

function storedFacts(file: SessionFile | undefined, { messages, operationId }: PreparedAppend) {
  const rows = file?.messages ?? []
  const ids = new Set(messages.map((message) => message.id))
  const operation = file?.operations.find(({ id }) => id === operationId)
  return {
    stored: rows.filter(({ messageId }) => ids.has(messageId)),
    operation: operation && { ...operation, messages: rowsWithin(operation, rows) },
  }
}

/** Writes what the plan says as one file: messages, row and operation are stored together or not at all. */
function writeAppend(
  folder: Folder,
  id: string,
  file: SessionFile | undefined,
  { createSession, operationId = '', digest = '' }: PreparedAppend,
  { write, remember, receipt }: AppendPlan,
  now: number,
): void {
  if (write === undefined && !remember) return
  const { version, firstSeq = null, lastSeq = null } = receipt
  const operation = remember ? [{ id: operationId, digest, version, firstSeq, lastSeq }] : []
  const rows = write?.rows ?? []
  const messages = [...(file?.messages ?? []), ...rows]
  const fields = write && {
    version: write.version,
    nextSeq: write.nextSeq,
    lastActiveAt: write.lastActiveAt,
    messageCount: messages.length,
    preview: write.preview ?? file?.row.preview ?? '',
  }
  if (file !== undefined) {
    const row = fields === undefined ? file.row : changed(folder, file.row, fields, now)
    folder.write({ row, tags: file.tags, messages, operations: [...file.operations, ...operation] })
  } else if (createSession !== undefined) {
    const row = newRow(folder, id, createSession, now, fields)
    folder.write({ row, tags: createSession.tags, messages, operations: operation })
  }
}
