// The memory store's messages.

import { type AppendPlan, planAppend } from '../adapter/append.ts'
import { missingMethods, type Operations } from '../adapter/operations.ts'
import { planRead, type ReadPlan, rowsThatFit, toMessagePage } from '../adapter/range.ts'
import { damagedMessage, isDamaged, toMessage } from '../adapter/records.ts'
import { toTurnWindow, windowOf } from '../adapter/window.ts'
import { type PreparedAppend, prepareAppend } from '../input/append.ts'
import { check } from '../input/check.ts'
import { isMessageId, isSessionId } from '../input/ids.ts'
import { recentTurnsSchema } from '../input/schemas.ts'
import { limits } from '../limits.ts'
import type { MessageLog, MessagePage, TurnWindow } from '../port/messages.ts'
import { utf8Length } from '../text/utf8.ts'
import type { Entry, MemoryState } from './state.ts'

export const missingMessageMethods = ['update', 'remove', 'replace', 'compact', 'truncate', 'clear'] as const

export function createMemoryMessages(
  state: MemoryState,
  operations: Operations,
  maxBytes: number,
): MessageLog {
  const find = (id: string): Entry | undefined => (isSessionId(id) ? state.entries.get(id) : undefined)
  return {
    ...missingMethods('memory', 'messages', missingMessageMethods),
    append: (id, messages, options = {}) =>
      operations.run('messages.append', () => {
        const append = prepareAppend(id, messages, options, state.context, maxBytes)
        const entry = state.entries.get(id)
        const operation =
          append.operationId === undefined ? undefined : entry?.operations.get(append.operationId)
        const plan = planAppend(
          {
            session: entry?.row,
            stored: append.messages.flatMap((message) => entry?.byMessageId.get(message.id ?? '') ?? []),
            operation: operation && {
              ...operation,
              messages: rowsBetween(entry, operation.firstSeq, operation.lastSeq),
            },
          },
          {
            sessionId: id,
            messages: append.messages,
            createSession: append.createSession !== undefined,
            expectedVersion: append.expectedVersion,
            digest: append.digest,
            now: state.context.now(),
            newId: state.context.ids.message,
          },
        )
        writeAppend(state, id, append, plan)
        return plan.receipt
      }),
    read: (id, range = {}) =>
      operations.run('messages.read', () => {
        const plan = planRead(id, range)
        return readPage(find(id), id, plan)
      }),
    get: (id, messageId) =>
      operations.run('messages.get', () => {
        const row = isMessageId(messageId) ? find(id)?.byMessageId.get(messageId) : undefined
        if (row === undefined) return undefined
        const message = toMessage(id, row)
        if (isDamaged(message)) throw damagedMessage(id, message)
        return message
      }),
    recentTurns: (id, options) =>
      operations.run('messages.recentTurns', () => {
        check(recentTurnsSchema, options, 'options')
        return recentTurns(state, id, find(id), options)
      }),
  }
}

function writeAppend(
  state: MemoryState,
  id: string,
  append: PreparedAppend,
  { write, receipt }: AppendPlan,
): void {
  if (write === undefined) return
  const { rows, version, nextSeq, lastActiveAt } = write
  const entry =
    write.create && append.createSession
      ? state.add(id, append.createSession, state.context.now())
      : state.live(id)
  state.addRows(entry, rows)
  state.change(entry, {
    version,
    nextSeq,
    lastActiveAt: Math.max(lastActiveAt, entry.row.lastActiveAt),
    messageCount: entry.row.messageCount + rows.length,
    preview: write.preview ?? entry.row.preview,
  })
  if (append.operationId === undefined || append.digest === undefined) return
  const { firstSeq = null, lastSeq = null } = receipt
  entry.operations.set(append.operationId, { digest: append.digest, version, firstSeq, lastSeq })
  for (const [operationId, { version: stored }] of entry.operations) {
    if (stored <= version - limits.operationVersions) entry.operations.delete(operationId)
  }
}

function rowsBetween(entry: Entry | undefined, firstSeq: number | null, lastSeq: number | null) {
  if (entry === undefined || firstSeq === null || lastSeq === null) return []
  return entry.rows.filter(({ seq }) => seq >= firstSeq && seq <= lastSeq)
}

function readPage(entry: Entry | undefined, id: string, plan: ReadPlan): MessagePage {
  const inRange = (entry?.rows ?? []).filter(({ seq }) => seq >= plan.fromSeq && seq <= plan.toSeq)
  const ordered = plan.order === 'asc' ? inRange : inRange.reverse()
  const candidates = ordered.slice(0, plan.limit)
  const fit = rowsThatFit(candidates.map(({ contentJson }) => utf8Length(contentJson)))
  return toMessagePage(id, plan, candidates.slice(0, fit), fit < ordered.length)
}

function recentTurns(
  state: MemoryState,
  id: string,
  entry: Entry | undefined,
  options: Parameters<MessageLog['recentTurns']>[1],
): TurnWindow {
  const { turns, mode = 'full', beforeSeq, scope = 'context' } = options
  const row = entry?.row
  const summarySeq = scope === 'context' && turns >= 1 ? row?.contextSummarySeq : null
  const window = windowOf(entry?.rows ?? [], {
    turns,
    mode,
    beforeSeq,
    startSeq: scope === 'context' ? (row?.contextStartSeq ?? 1) : 1,
    hasSummary: typeof summarySeq === 'number',
  })
  const summary = entry?.rows.find(({ seq }) => seq === summarySeq)
  return toTurnWindow(id, entry && state.session(entry), mode, { ...window, summary })
}
