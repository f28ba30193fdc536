// Lists of the memory store: filtered, sorted and cut by the reference rules.

import { listPage } from '../adapter/list-page.ts'
import { type ListPlan, type MatchContext, matchesPlan } from '../adapter/query.ts'
import type { Page } from '../types/query.ts'
import type { Session } from '../types/session.ts'
import type { Entry, MemoryState } from './state.ts'

export function listSessions(state: MemoryState, plan: ListPlan): Page<Session> {
  const matching = [...state.entries.values()].filter((entry) =>
    matchesPlan(plan, entry.row, matchContext(state, entry)),
  )
  const { items, ...rest } = listPage(plan, matching)
  return { items: items.map((entry) => state.session(entry)), ...rest }
}

export function matchContext(state: MemoryState, entry: Entry): MatchContext {
  const threads = [...state.threads].filter(([, thread]) => thread.positions.has(entry.row.id))
  return { tags: entry.tags, threadIds: threads.map(([id]) => id) }
}
