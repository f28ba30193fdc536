// Forks and rewinds of the memory store.

import { contextFields, contextOf, contextWithout } from '../adapter/context.ts'
import { branchOf, forkOf, seqOf } from '../adapter/copies.ts'
import { StoreError } from '../errors.ts'
import type { Session } from '../types/session.ts'
import type { ForkOptions } from '../types/transfer.ts'
import { previewOf, summariesOf } from './rows.ts'
import type { MemoryState } from './state.ts'

export function forkSession(state: MemoryState, sourceId: string, options: ForkOptions): Session {
  const source = state.entries.get(sourceId)
  if (source === undefined) throw new StoreError('not-found', `there is no session "${sourceId}"`)
  const { atMessageId } = options
  const last = source.row.nextSeq - 1
  const at =
    atMessageId === undefined
      ? Math.min(options.atSeq ?? last, last)
      : seqOf(sourceId, atMessageId, source.byMessageId.get(atMessageId)?.seq)
  const now = state.context.now()
  const prepared = forkOf(source.row, source.tags, options, state.context.locale)
  const id = state.newSessionId(prepared.id, now)
  const rows = source.rows
    .filter(({ seq }) => seq <= at)
    .map((row) => ({ ...row, messageId: `${id}:${row.seq}` }))
  const context = contextWithout(contextOf(source.row), summariesOf(source), (seq) => seq <= at)
  const fork = state.add(id, prepared, now, {
    forkedFromSessionId: sourceId,
    forkedFromSeq: at,
    messageCount: rows.length,
    nextSeq: at + 1,
    preview: previewOf(rows),
    ...contextFields({ ...context, startSeq: Math.min(context.startSeq, at + 1) }),
  })
  state.addRows(fork, rows)
  return state.session(fork)
}

export function rewindSession(
  state: MemoryState,
  id: string,
  options: { readonly toMessageId?: string; readonly toSeq?: number },
): { readonly session: Session; readonly branch?: Session } {
  const source = state.live(id)
  const { toMessageId } = options
  const to =
    toMessageId === undefined
      ? (options.toSeq ?? 0)
      : seqOf(id, toMessageId, source.byMessageId.get(toMessageId)?.seq)
  const summaries = summariesOf(source)
  const before = contextOf(source.row)
  const moved = source.rows.filter(({ seq }) => seq > to)
  if (moved.length === 0) return { session: state.session(source) }
  const now = state.context.now()
  const branch = state.add(state.newSessionId(undefined, now), branchOf(source.row, source.tags), now, {
    branchOf: id,
    messageCount: moved.length,
    nextSeq: source.row.nextSeq,
    preview: previewOf(moved),
    ...contextFields(contextWithout(before, summaries, (seq) => seq > to)),
  })
  state.keepRows(source, ({ seq }) => seq <= to)
  state.moveRows(branch, moved)
  state.change(source, {
    messageCount: source.rows.length,
    preview: previewOf(source.rows),
    version: source.row.version + 1,
    ...contextFields(contextWithout(before, summaries, (seq) => seq <= to)),
  })
  return { session: state.session(source), branch: state.session(branch) }
}
