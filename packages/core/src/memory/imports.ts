// Imports of the memory store.

import { decideImport, type ImportPlan } from '../adapter/import.ts'
import type { ImportReceipt } from '../types/transfer.ts'
import type { Entry, MemoryState } from './state.ts'

export function importSession(state: MemoryState, plan: ImportPlan): ImportReceipt {
  const match = plan.session.source && findSource(state, plan.session)
  const carriedAt = match?.usage.findIndex(({ kind }) => kind === 'carried_forward') ?? -1
  const carried = match?.usage[carriedAt]
  const decision = decideImport(plan, match && { row: match.row, messages: match.rows, carried })
  if (decision.outcome === 'unchanged' || decision.outcome === 'skipped') {
    return { session: state.session(match as Entry), outcome: decision.outcome, added: 0 }
  }
  if (decision.outcome === 'updated') {
    const entry = match as Entry
    state.addRows(entry, decision.rows)
    state.change(entry, decision.fields)
    if (decision.carried !== undefined) {
      const event = { ...decision.carried, at: carried?.at ?? plan.createdAt, kind: 'carried_forward' }
      entry.usage.splice(carried ? carriedAt : entry.usage.length, carried ? 1 : 0, event)
    }
    return { session: state.session(entry), outcome: 'updated', added: decision.rows.length }
  }
  const now = state.context.now()
  const id = state.newSessionId(plan.session.id, now)
  const entry = state.add(id, plan.session, now, { ...plan.fields, ...decision.fields })
  state.addRows(entry, plan.rows)
  const { accumulated } = plan.session.tokenCounts
  if (Object.values(accumulated).some((count) => count !== 0)) {
    entry.usage.push({ ...accumulated, at: plan.createdAt, kind: 'carried_forward' })
  }
  return { session: state.session(entry), outcome: decision.outcome, added: plan.rows.length }
}

function findSource(state: MemoryState, { source, ownerId }: ImportPlan['session']): Entry | undefined {
  return [...state.entries.values()].find(
    ({ row }) =>
      row.sourceAgent === source?.agent &&
      row.sourceSessionId === source?.sessionId &&
      row.ownerId === ownerId,
  )
}
