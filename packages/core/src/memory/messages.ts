// The memory store's messages.

import { type AppendPlan, planAppend } from '../adapter/append.ts'
import type { Operations } from '../adapter/operations.ts'
import { missingMethods } from '../adapter/port-methods.ts'
import { planRead, type ReadPlan, rowsThatFit, toMessagePage } from '../adapter/range.ts'
import { damagedMessage, isDamaged, toMessage } from '../adapter/records.ts'
import { toTurnWindow, windowOf } from '../adapter/window.ts'
import { type PreparedAppend, prepareAppend } from '../input/append.ts'
import { check } from '../input/check.ts'
import { isMessageId, isSessionId } from '../input/ids.ts'
import { recentTurnsSchema } from '../input/schemas.ts'
import type { PreparedSession } from '../input/sessions.ts'
import { limits } from '../limits.ts'
import type { AppendReceipt, MessageLog, MessagePage, TurnWindow } from '../port/messages.ts'
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
            createSession: append.createSession,
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

function writeAppend(state: MemoryState, id: string, append: PreparedAppend, plan: AppendPlan): void {
  if (plan.write !== undefined) {
    const { rows, version, nextSeq, lastActiveAt, create, preview } = plan.write
    const before = create ? undefined : state.live(id)
    const fields = {
      version,
      nextSeq,
      lastActiveAt,
      messageCount: (before?.row.messageCount ?? 0) + rows.length,
      preview: preview ?? before?.row.preview ?? '',
    }
    const entry =
      before ?? state.add(id, append.createSession as PreparedSession, state.context.now(), fields)
    if (before) state.change(before, fields)
    state.addRows(entry, rows)
  }
  if (plan.remember) rememberOperation(state.live(id), append, plan.receipt)
}

/** Keeps the operation for the session's next 256 versions. */
function rememberOperation(
  { operations }: Entry,
  { operationId = '', digest = '' }: PreparedAppend,
  { version, firstSeq, lastSeq }: AppendReceipt,
): void {
  operations.set(operationId, { digest, version, firstSeq: firstSeq ?? null, lastSeq: lastSeq ?? null })
  for (const [stored, operation] of operations) {
    if (operation.version <= version - limits.operationVersions) operations.delete(stored)
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
