// A page of a list, sorted and cut in plain code: the reference for every store.

import type { Page } from '../types/query.ts'
import type { ListPlan } from './query.ts'
import type { SessionRecord } from './records.ts'

/** What a list sorts by. */
type SortKey = Pick<SessionRecord, 'pinned' | 'lastActiveAt' | 'createdAt' | 'rowId'>

/**
 * The page that a plan asks for, of the sessions that match it (`matchesPlan`), with the cursor of the next one: pinned
 * ones first where it says so, then by time, ties by order of creation.
 */
export function listPage<Session extends { readonly row: SortKey }>(
  plan: ListPlan,
  matching: Iterable<Session>,
): Page<Session> {
  const { sort, limit, after, pinnedFirst } = plan
  const direction = plan.order === 'desc' ? -1 : 1
  const placeOf = ({ row }: Session) => ({ phase: row.pinned, time: row[sort], rowId: row.rowId })
  type Place = ReturnType<typeof placeOf>
  // Less than 0 where `a` comes first.
  const compare = (a: Place, b: Place) =>
    (pinnedFirst ? b.phase - a.phase : 0) || direction * (a.time - b.time || a.rowId - b.rowId)
  const from = after && { ...after, phase: after.phase ?? 0 }
  const rest = [...matching]
    .filter((session) => from === undefined || compare(placeOf(session), from) > 0)
    .sort((a, b) => compare(placeOf(a), placeOf(b)))
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  if (last === undefined || rest.length <= limit) return { items }
  const { phase, time, rowId } = placeOf(last)
  return { items, nextCursor: plan.cursorAt({ phase: pinnedFirst ? (phase as 0 | 1) : null, time, rowId }) }
}
