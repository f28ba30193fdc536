// Lists of the memory store: filtered, sorted and cut by the reference rules.

import { type ListPlan, type MatchContext, matchesPlan } from '../adapter/query.ts'
import type { SessionRecord } from '../adapter/records.ts'
import type { Page } from '../types/query.ts'
import type { Session } from '../types/session.ts'
import type { Entry, MemoryState } from './state.ts'

export function listSessions(state: MemoryState, plan: ListPlan): Page<Session> {
  const direction = plan.order === 'desc' ? -1 : 1
  const phaseOf = (row: SessionRecord) => (plan.pinnedFirst ? row.pinned : 0)
  const compare = (a: SessionRecord, b: SessionRecord) =>
    phaseOf(b) - phaseOf(a) || direction * (a[plan.sort] - b[plan.sort] || a.rowId - b.rowId)
  const after = plan.after
  const isAfter = (row: SessionRecord) => {
    if (after === undefined) return true
    const phases = plan.pinnedFirst ? (after.phase ?? 0) - row.pinned : 0
    return (phases || direction * (row[plan.sort] - after.time || row.rowId - after.rowId)) > 0
  }
  const matching = [...state.entries.values()]
    .filter((entry) => matchesPlan(plan, entry.row, matchContext(state, entry)) && isAfter(entry.row))
    .sort((a, b) => compare(a.row, b.row))
  const items = matching.slice(0, plan.limit)
  const last = items.at(-1)?.row
  return {
    items: items.map((entry) => state.session(entry)),
    ...(last !== undefined && matching.length > items.length
      ? {
          nextCursor: plan.cursorAt({
            phase: plan.pinnedFirst ? (last.pinned as 0 | 1) : null,
            time: last[plan.sort],
            rowId: last.rowId,
          }),
        }
      : {}),
  }
}

export function matchContext(state: MemoryState, entry: Entry): MatchContext {
  const threads = [...state.threads].filter(([, thread]) => thread.positions.has(entry.row.id))
  return { tags: entry.tags, threadIds: threads.map(([id]) => id) }
}
