// The memory store's messages.

import { prepareMessagePatch } from '../adapter/edit.ts'
import type { Operations } from '../adapter/operations.ts'
import { pageBytes, planRead, type ReadPlan, rowsThatFit, toMessagePage } from '../adapter/range.ts'
import { damagedMessage, isDamaged, toMessage } from '../adapter/records.ts'
import { toTurnWindow, windowOf } from '../adapter/window.ts'
import { prepareAppend } from '../input/append.ts'
import { snapshot } from '../input/check.ts'
import { checkMessageId, isMessageId, isSessionId } from '../input/ids.ts'
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
  /** A write to one session, whose id is checked first. */
  const write = <P, T>(
    name: keyof MessageLog,
    id: string,
    prepare: () => P,
    work: (prepared: P) => T,
  ): Promise<T> =>
    operations.call(
      `messages.${name}`,
      () => {
        checkSessionId(id)
        return prepare()
      },
      work,
    )
  return {
    append: (id, messages, options = {}) =>
      write(
        'append',
        id,
        () => prepareAppend(id, messages, options, state.context, maxBytes),
        (append) => appendMessages(state, id, append),
      ),
    read: (id, range = {}) =>
      operations.call(
        'messages.read',
        () => planRead(id, range),
        (plan) => readPage(find(id), id, plan),
      ),
    get: (id, messageId) =>
      operations.run('messages.get', () => {
        const entry = find(id)
        const row = isMessageId(messageId) ? entry?.byMessageId.get(messageId) : undefined
        if (row === undefined) return undefined
        const message = toMessage(id, row)
        if (isDamaged(message)) throw damagedMessage(id, message)
        return message
      }),
    recentTurns: (id, options) =>
      operations.call(
        'messages.recentTurns',
        () => snapshot(recentTurnsSchema, options, 'options'),
        (request) => recentTurns(state, id, find(id), request),
      ),
    update: (id, messageId, patch) =>
      write(
        'update',
        id,
        () => {
          checkMessageId(messageId)
          return prepareMessagePatch(patch, maxBytes)
        },
        (prepared) => editMessage(state, id, messageId, prepared, maxBytes),
      ),
    remove: (id, messageIds) =>
      write(
        'remove',
        id,
        () => checkMessageIds(messageIds),
        (ids) => removeRows(state, id, new Set(ids)),
      ),
    replace: (id, messages, options = {}) =>
      write(
        'replace',
        id,
        () => prepareReplace(id, messages, options, maxBytes),
        (rewrite) => replaceMessages(state, id, rewrite),
      ),
    compact: (id, options) =>
      write(
        'compact',
        id,
        () => prepareCompact(id, options, maxBytes),
        (compaction) => compactMessages(state, id, compaction, maxBytes),
      ),
    truncate: (id, options) =>
      write(
        'truncate',
        id,
        () => checkTruncate(options),
        (cut) => truncateRows(state, id, cut),
      ),
    clear: (id) =>
      write(
        'clear',
        id,
        () => {},
        () => clearRows(state, id),
      ),
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
