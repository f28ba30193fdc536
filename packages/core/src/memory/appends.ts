// Appends, replacements and compactions of the memory store.

import { type AppendPlan, type AppendState, planAppend, rowsWithin } from '../adapter/append.ts'
import { contextFields, contextOf } from '../adapter/context.ts'
import { planCompact, planReplace, type RewritePlan } from '../adapter/rewrite.ts'
import type { PreparedAppend } from '../input/append.ts'
import type { PreparedMessage } from '../input/messages.ts'
import type { PreparedCompact, PreparedRewrite } from '../input/rewrite.ts'
import type { PreparedSession } from '../input/sessions.ts'
import { limits } from '../limits.ts'
import type { AppendReceipt } from '../port/messages.ts'
import { summariesOf } from './rows.ts'
import type { Entry, MemoryState } from './state.ts'

export function appendMessages(state: MemoryState, id: string, append: PreparedAppend): AppendReceipt {
  const entry = state.entries.get(id)
  const plan = planAppend(
    { session: entry?.row, ...storedFacts(entry, append.messages, append.operationId) },
    { ...append, sessionId: id, now: state.context.now(), newId: state.context.ids.message },
  )
  writeAppend(state, id, append, plan)
  return plan.receipt
}

export function replaceMessages(state: MemoryState, id: string, rewrite: PreparedRewrite): AppendReceipt {
  const plan = planReplace(rewriteState(state, id, rewrite), rewriteRequest(state, id, rewrite))
  if (plan.write !== undefined) state.keepRows(state.live(id), () => false)
  return writeRewrite(state, id, rewrite, plan)
}

export function compactMessages(
  state: MemoryState,
  id: string,
  rewrite: PreparedCompact,
  maxBytes: number,
): AppendReceipt {
  const entry = state.entries.get(id)
  const current = entry && summariesOf(entry).find(({ seq }) => seq === entry.row.contextSummarySeq)
  const before = rewriteState(state, id, rewrite)
  const plan = planCompact(before, rewriteRequest(state, id, rewrite), rewrite, current, maxBytes)
  return writeRewrite(state, id, rewrite, plan)
}

function storedFacts(
  entry: Entry | undefined,
  messages: readonly PreparedMessage[],
  operationId: string | undefined,
): Omit<AppendState, 'session'> {
  const operation = operationId === undefined ? undefined : entry?.operations.get(operationId)
  return {
    stored: messages.flatMap((message) => entry?.byMessageId.get(message.id ?? '') ?? []),
    operation: operation && {
      ...operation,
      messages: rowsWithin(operation, entry?.rows ?? []),
    },
  }
}

function rewriteState(state: MemoryState, id: string, { messages, operationId }: PreparedRewrite) {
  const entry = state.entries.get(id)
  const session = entry && { ...entry.row, context: contextOf(entry.row) }
  return { session, ...storedFacts(entry, messages, operationId) }
}

function rewriteRequest(state: MemoryState, id: string, rewrite: PreparedRewrite) {
  return { ...rewrite, sessionId: id, now: state.context.now(), newId: state.context.ids.message }
}

function writeRewrite(
  state: MemoryState,
  id: string,
  rewrite: PreparedRewrite,
  { write, remember, receipt }: RewritePlan,
): AppendReceipt {
  if (write !== undefined) {
    const entry = state.live(id)
    const { rows, version, nextSeq, lastActiveAt, preview, context } = write
    state.addRows(entry, rows)
    state.change(entry, {
      version,
      nextSeq,
      lastActiveAt,
      messageCount: entry.rows.length,
      preview: preview ?? entry.row.preview,
      ...contextFields(context),
    })
  }
  if (remember) rememberOperation(state.live(id), rewrite, receipt)
  return receipt
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
  { operationId = '', digest = '' }: PreparedRewrite,
  { version, firstSeq, lastSeq }: AppendReceipt,
): void {
  operations.set(operationId, { digest, version, firstSeq: firstSeq ?? null, lastSeq: lastSeq ?? null })
  for (const [stored, operation] of operations) {
    if (operation.version < version - limits.operationVersions) operations.delete(stored)
  }
}
