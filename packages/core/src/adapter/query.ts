// A list query with its defaults filled in, the same for every store, and the rules a session is matched by.

import { decodeCursor, encodeCursor } from '../cursor.ts'
import { StoreError } from '../errors.ts'
import { snapshot } from '../input/check.ts'
import { sessionQuerySchema, sessionTypes } from '../input/schemas.ts'
import { limits } from '../limits.ts'
import { foldText } from '../text/fold.ts'
import type { SessionFilter, SessionQuery } from '../types/query.ts'
import type { SessionType } from '../types/session.ts'
import type { SessionRecord } from './records.ts'

/** The types a plain list shows; a partial index holds the same condition. */
export const shownTypes: readonly SessionType[] = ['user', 'scheduled', 'terminal', 'gateway', 'acp']

/** Where a page of sessions begins: after this row, in the phase of pinned ones or of all others. */
export interface ListPosition {
  /** 1 pinned, 0 the others, null when the query does not put pinned first. */
  readonly phase: 0 | 1 | null
  readonly time: number
  readonly rowId: number
}

/** A checked query without absent fields. */
export interface ListPlan {
  readonly filter: SessionFilter
  readonly types: readonly SessionType[]
  readonly archived: boolean | 'any'
  readonly deleted: boolean | 'any'
  /** The column it sorts by. */
  readonly sort: 'lastActiveAt' | 'createdAt'
  readonly order: 'desc' | 'asc'
  readonly pinnedFirst: boolean
  readonly limit: number
  readonly after: ListPosition | undefined
  readonly cursorAt: (position: ListPosition) => string
}

const kind = 'sessions.list'

/**
 * Checks a query and fills in its defaults.
 *
 * @throws {StoreError} invalid invalid-cursor
 */
export function planList(query: SessionQuery): ListPlan {
  const checked = snapshot(sessionQuerySchema, query, 'query')
  const { limit = limits.pageDefault, cursor, sort, order, pinnedFirst, ...filter } = checked
  const binding = {
    ...filter,
    sort: sort ?? 'active',
    order: order ?? 'desc',
    pinnedFirst: pinnedFirst ?? false,
  }
  return {
    filter,
    types: typesOf(filter),
    archived: filter.archived ?? false,
    deleted: filter.deleted ?? false,
    sort: sort === 'created' ? 'createdAt' : 'lastActiveAt',
    order: binding.order,
    pinnedFirst: binding.pinnedFirst,
    limit,
    after: cursor === undefined ? undefined : readPosition(binding, cursor),
    cursorAt: ({ phase, time, rowId }) => encodeCursor(kind, binding, [phase, time, rowId]),
  }
}

function typesOf(filter: SessionFilter): readonly SessionType[] {
  if (filter.types === 'all') return sessionTypes
  if (filter.types !== undefined) return sessionTypes.filter((type) => filter.types?.includes(type))
  const asked: SessionType[] = []
  if (filter.parentSessionId !== undefined) asked.push('sub_agent')
  if (filter.branchOf !== undefined) asked.push('hidden')
  return [...shownTypes, ...asked]
}

function readPosition(binding: { readonly pinnedFirst: boolean }, cursor: string): ListPosition {
  const [phase, time, rowId] = decodeCursor(kind, binding, cursor)
  if (
    (phase === null || phase === 0 || phase === 1) &&
    (phase !== null) === binding.pinnedFirst &&
    typeof time === 'number' &&
    typeof rowId === 'number'
  ) {
    return { phase, time, rowId }
  }
  throw new StoreError('invalid-cursor', 'the cursor is damaged')
}

/** What a match looks at beside the row itself. */
export interface MatchContext {
  readonly tags: readonly string[]
  readonly threadIds: readonly string[]
}

/** Whether a session is in a list: the reference for every store, used by the memory store as it stands. */
export function matchesPlan(plan: ListPlan, row: SessionRecord, context: MatchContext): boolean {
  const { filter } = plan
  const equal = (wanted: string | undefined, found: string | null) => wanted === undefined || wanted === found
  const set = (wanted: boolean | 'any', found: number | null) =>
    wanted === 'any' || wanted === (found !== null)
  const time = row[plan.sort]
  return (
    plan.types.some((type) => type === row.sessionType) &&
    set(plan.archived, row.archivedAt) &&
    set(plan.deleted, row.deletedAt) &&
    equal(filter.ownerId, row.ownerId) &&
    equal(filter.workingDir, row.workingDir) &&
    equal(filter.channelType, row.channelType) &&
    equal(filter.channelKey, row.channelKey) &&
    equal(filter.parentSessionId, row.parentSessionId) &&
    equal(filter.branchOf, row.branchOf) &&
    equal(filter.sourceAgent, row.sourceAgent) &&
    equal(filter.sourceSessionId, row.sourceSessionId) &&
    (filter.threadId === undefined || context.threadIds.includes(filter.threadId)) &&
    (filter.tags ?? []).every((tag) => context.tags.includes(tag)) &&
    (filter.pinned === undefined || filter.pinned === (row.pinned === 1)) &&
    (filter.idPrefix === undefined || row.id.startsWith(filter.idPrefix)) &&
    (filter.nameContains === undefined || foldText(row.name).includes(foldText(filter.nameContains))) &&
    (filter.since === undefined || time >= filter.since) &&
    (filter.until === undefined || time < filter.until) &&
    (filter.withMessages === undefined || filter.withMessages === row.messageCount > 0) &&
    matchesMetadata(filter.metadata, row.metadata)
  )
}

function matchesMetadata(wanted: SessionFilter['metadata'], json: string): boolean {
  if (wanted === undefined) return true
  try {
    const found: unknown = JSON.parse(json)
    return Object.entries(wanted).every(
      ([key, value]) =>
        typeof found === 'object' &&
        found !== null &&
        Object.hasOwn(found, key) &&
        (found as never)[key] === value,
    )
  } catch {
    return Object.keys(wanted).length === 0
  }
}
