// Changes of a memory store's history: each drops or changes rows, and then says what that means for the session.

import {
  contextAfterEdit,
  contextFields,
  contextOf,
  contextWithout,
  type SessionContext,
} from '../adapter/context.ts'
import { seqOf } from '../adapter/copies.ts'
import { editRow, type MessagePatch } from '../adapter/edit.ts'
import { damagedMessage, isDamaged, toMessage } from '../adapter/records.ts'
import type { Message } from '../types/message.ts'
import { previewOf, summariesOf } from './rows.ts'
import type { Entry, MemoryState } from './state.ts'

export function editMessage(
  state: MemoryState,
  id: string,
  messageId: string,
  patch: MessagePatch,
  maxBytes: number,
): Message {
  const entry = state.live(id)
  const row = entry.byMessageId.get(messageId)
  seqOf(id, messageId, row?.seq)
  if (row === undefined) throw new Error('unreachable: seqOf refuses an unknown message')
  if (patch.content !== undefined || patch.metadata !== undefined) {
    const { preview: _, ...fields } = editRow(id, row, patch, maxBytes)
    const edited = { ...fields, rowId: row.rowId }
    entry.rows = entry.rows.map((other) => (other.seq === row.seq ? edited : other))
    entry.byMessageId.set(messageId, edited)
    settle(state, entry, contextAfterEdit(contextOf(entry.row), edited))
  }
  const message = toMessage(id, entry.byMessageId.get(messageId) ?? row)
  if (isDamaged(message)) throw damagedMessage(id, message)
  return message
}

export function removeRows(state: MemoryState, id: string, messageIds: ReadonlySet<string>): number {
  return dropRows(state, id, ({ messageId }) => messageIds.has(messageId))
}

export function truncateRows(
  state: MemoryState,
  id: string,
  { fromSeq, fromMessageId }: { readonly fromSeq?: number; readonly fromMessageId?: string },
): number {
  const from =
    fromMessageId === undefined
      ? (fromSeq ?? 0)
      : seqOf(id, fromMessageId, state.live(id).byMessageId.get(fromMessageId)?.seq)
  return dropRows(state, id, ({ seq }) => seq >= from)
}

/** Everything goes; what comes next begins the context. */
export function clearRows(state: MemoryState, id: string): number {
  const entry = state.live(id)
  const { nextSeq } = entry.row
  const count = state.keepRows(entry, () => false).length
  if (count > 0) settle(state, entry, { startSeq: nextSeq })
  return count
}

function dropRows(
  state: MemoryState,
  id: string,
  goes: (row: { readonly seq: number; readonly messageId: string }) => boolean,
): number {
  const entry = state.live(id)
  const summaries = summariesOf(entry)
  const gone = new Set(state.keepRows(entry, (row) => !goes(row)).map(({ seq }) => seq))
  if (gone.size === 0) return 0
  settle(
    state,
    entry,
    contextWithout(contextOf(entry.row), summaries, (seq) => !gone.has(seq)),
  )
  return gone.size
}

function settle(state: MemoryState, entry: Entry, context: SessionContext): void {
  state.change(entry, {
    version: entry.row.version + 1,
    messageCount: entry.rows.length,
    preview: previewOf(entry.rows),
    ...contextFields(context),
  })
}
