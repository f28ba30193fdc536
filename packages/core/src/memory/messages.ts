// The memory store's messages.

import { checkMessagePatch } from '../adapter/edit.ts'
import type { Operations } from '../adapter/operations.ts'
import { pageBytes, planRead, type ReadPlan, rowsThatFit, toMessagePage } from '../adapter/range.ts'
import { damagedMessage, isDamaged, toMessage } from '../adapter/records.ts'
import { toTurnWindow, windowOf } from '../adapter/window.ts'
import { prepareAppend } from '../input/append.ts'
import { check } from '../input/check.ts'
import { isMessageId, isSessionId } from '../input/ids.ts'
import { checkMessageIds, checkTruncate, prepareCompact, prepareReplace } from '../input/rewrite.ts'
import { recentTurnsSchema } from '../input/schemas.ts'
import { checkSessionId } from '../input/sessions.ts'
import type { MessageLog, MessagePage, TurnWindow } from '../port/messages.ts'
import { appendMessages, compactMessages, replaceMessages } from './appends.ts'
import { clearRows, editMessage, removeRows, truncateRows } from './edits.ts'
import type { Entry, MemoryState } from './state.ts'

export function createMemoryMessages(
  state: MemoryState,
  operations: Operations,
  maxBytes: number,
): MessageLog {
  const find = (id: string): Entry | undefined => (isSessionId(id) ? state.entries.get(id) : undefined)
  return {
    append: (id, messages, options = {}) =>
      operations.run('messages.append', () =>
        appendMessages(state, id, prepareAppend(id, messages, options, state.context, maxBytes)),
      ),
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
    update: (id, messageId, patch) =>
      operations.run('messages.update', () => {
        checkSessionId(id)
        checkMessageIds([messageId])
        checkMessagePatch(patch)
        return editMessage(state, id, messageId, patch, maxBytes)
      }),
    remove: (id, messageIds) =>
      operations.run('messages.remove', () => {
        checkSessionId(id)
        checkMessageIds(messageIds)
        return removeRows(state, id, new Set(messageIds))
      }),
    replace: (id, messages, options = {}) =>
      operations.run('messages.replace', () =>
        replaceMessages(state, id, prepareReplace(id, messages, options, maxBytes)),
      ),
    compact: (id, options) =>
      operations.run('messages.compact', () =>
        compactMessages(state, id, prepareCompact(id, options, maxBytes), options, maxBytes),
      ),
    truncate: (id, options) =>
      operations.run('messages.truncate', () => {
        checkSessionId(id)
        checkTruncate(options)
        return truncateRows(state, id, options)
      }),
    clear: (id) =>
      operations.run('messages.clear', () => {
        checkSessionId(id)
        return clearRows(state, id)
      }),
  }
}

function readPage(entry: Entry | undefined, id: string, plan: ReadPlan): MessagePage {
  const inRange = (entry?.rows ?? []).filter(({ seq }) => seq >= plan.fromSeq && seq <= plan.toSeq)
  const ordered = plan.order === 'asc' ? inRange : inRange.reverse()
  const candidates = ordered.slice(0, plan.limit)
  const fit = rowsThatFit(candidates.map(pageBytes))
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
