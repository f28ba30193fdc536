// A search with its defaults filled in, the same for every store: what is looked for, where, and from which place on.

import { type ListPlan, type MatchContext, matchesPlan, planList } from '../adapter/query.ts'
import type { SessionRecord } from '../adapter/records.ts'
import type { CursorPart } from '../cursor.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { StoreError } from '../errors.ts'
import { snapshot } from '../input/check.ts'
import { searchQuerySchema } from '../input/schemas.ts'
import { limits } from '../limits.ts'
import type { SearchQuery } from '../port/search.ts'
import type { Role } from '../types/message.ts'
import type { SessionFilter } from '../types/query.ts'
import type { SessionType } from '../types/session.ts'
import { type ParsedQuery, parseQuery, type QueryFilter, type Term } from './query.ts'

/** Values of which one must hold, and values that must not. */
export interface Values<T> {
  /** Empty: any will do. */
  readonly any: readonly T[]
  readonly none: readonly T[]
}

export interface SearchPlan {
  readonly parsed: ParsedQuery
  /** Everything that is looked for. */
  readonly terms: readonly Term[]
  /** Which sessions count, apart from what the text's filters say of them. */
  readonly sessions: ListPlan
  readonly inSessions: Values<string>
  readonly types: Values<SessionType>
  readonly workingDirs: Values<string>
  readonly channels: Values<string>
  /** All of `any` must be there. */
  readonly tags: Values<string>
  /** Names of tools that a message calls. */
  readonly tools: Values<string>
  readonly roles: Values<Role>
  readonly columns: readonly ('text' | 'tool')[]
  /** Epoch milliseconds of a message, included. */
  readonly since: number | undefined
  /** Excluded. */
  readonly until: number | undefined
  /** Neither text nor a filter: nothing is asked. */
  readonly isEmpty: boolean
  readonly sort: 'relevance' | 'recent'
  readonly limit: number
  readonly include: 'message' | undefined
  readonly around: number | undefined
  readonly after: readonly CursorPart[] | undefined
  readonly cursorAt: (position: readonly CursorPart[]) => string
}

/**
 * Checks a search and fills in its defaults.
 *
 * @throws {StoreError} invalid also a date in the text that is none; invalid-cursor
 */
export function planSearch(kind: string, query: SearchQuery, timeZone: string): SearchPlan {
  const {
    text,
    limit = limits.pageDefault,
    cursor,
    include,
    around,
    sort = 'relevance',
    ...conditions
  } = snapshot(searchQuerySchema, query, 'query')
  const {
    sessionId,
    in: column = 'all',
    roles = [],
    prefixLast = false,
    since,
    until,
    ...filter
  } = conditions
  const parsed = parseQuery(text, { timeZone, prefixLast })
  if (parsed.problems.length > 0) {
    throw new StoreError(
      'invalid',
      `query.text: ${parsed.problems[0]} is no date: take 2026-03-01 or 2026-03-01T09:00`,
    )
  }
  const of = valuesOf(parsed.filters)
  const inSessions = of('session')
  const types = of('type')
  const binding = { text, sort, prefixLast, ...conditions }
  const columns = of('in')
  return {
    parsed,
    terms: parsed.clauses.flat(),
    sessions: planSessions(filter, sessionId !== undefined || inSessions.any.length > 0, types.any),
    inSessions: sessionId === undefined ? inSessions : narrowed(inSessions, sessionId),
    types,
    workingDirs: of('cwd'),
    channels: of('channel'),
    tags: of('tag'),
    tools: of('tool'),
    roles: bothOf(of('role'), roles),
    columns: (['text', 'tool'] as const).filter(
      (name) =>
        (column === 'all' || column === name) &&
        (columns.any.length === 0 || columns.any.includes('all') || columns.any.includes(name)) &&
        !columns.none.includes(name) &&
        !columns.none.includes('all'),
    ),
    since: latest([
      since,
      ...bounds(parsed.filters, 'after', false),
      ...bounds(parsed.filters, 'before', true),
    ]),
    until: earliest([
      until,
      ...bounds(parsed.filters, 'before', false),
      ...bounds(parsed.filters, 'after', true),
    ]),
    isEmpty: parsed.clauses.length === 0 && parsed.filters.length === 0 && !isFiltered(conditions),
    // Where nothing is looked for, nothing is more relevant.
    sort: parsed.clauses.length === 0 ? 'recent' : sort,
    limit,
    include,
    around,
    after: cursor === undefined ? undefined : decodeCursor(kind, binding, cursor),
    cursorAt: (position) => encodeCursor(kind, binding, position),
  }
}

/** A session that is named is searched whatever it is; a type that is named is shown. */
function planSessions(
  { ...filter }: SessionFilter,
  isNamed: boolean,
  types: readonly SessionType[],
): ListPlan {
  const shown: SessionFilter = isNamed
    ? { types: 'all', archived: 'any', deleted: 'any' }
    : types.length > 0
      ? { types }
      : {}
  return planList({ ...shown, ...filter })
}

/** Whether anything but the owner narrows the search. */
function isFiltered({
  prefixLast: _,
  in: __,
  ownerId: ___,
  ...rest
}: object & Partial<SearchQuery>): boolean {
  return Object.values(rest).some((value) => value !== undefined)
}

function valuesOf(filters: readonly QueryFilter[]) {
  return <Name extends Exclude<QueryFilter['name'], 'before' | 'after'>>(name: Name) => {
    type Value = Extract<QueryFilter, { readonly name: Name }>['value']
    const of = (isExcluded: boolean) =>
      filters
        .filter((one) => one.name === name && one.isExcluded === isExcluded)
        .map(({ value }) => value as Value)
    return { any: of(false), none: of(true) }
  }
}

/** Only the named one, if the text does not name others. */
function narrowed({ any, none }: Values<string>, id: string): Values<string> {
  return any.length === 0 || any.includes(id) ? { any: [id], none } : { any: [id], none: [...none, id] }
}

function bothOf(named: Values<Role>, given: readonly Role[]): Values<Role> {
  if (given.length === 0) return named
  const both = named.any.length === 0 ? given : given.filter((role) => named.any.includes(role))
  // None of either is none at all.
  return both.length === 0 ? { any: given, none: [...named.none, ...given] } : { any: both, none: named.none }
}

function bounds(filters: readonly QueryFilter[], name: 'before' | 'after', isExcluded: boolean): number[] {
  return filters.flatMap((one) => (one.name === name && one.isExcluded === isExcluded ? [one.value] : []))
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  const given = times.filter((time) => time !== undefined)
  return given.length === 0 ? undefined : Math.max(...given)
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const given = times.filter((time) => time !== undefined)
  return given.length === 0 ? undefined : Math.min(...given)
}

/** Whether a session is one to search: the reference for every store. */
export function isSearched(plan: SearchPlan, row: SessionRecord, context: MatchContext): boolean {
  const { tags } = plan
  return (
    matchesPlan(plan.sessions, row, context) &&
    isAmong(plan.inSessions, row.id) &&
    isAmong(plan.types, row.sessionType as SessionType) &&
    isAmong(plan.workingDirs, row.workingDir ?? '') &&
    isAmong(plan.channels, row.channelType ?? '') &&
    tags.any.every((tag) => context.tags.includes(tag)) &&
    !tags.none.some((tag) => context.tags.includes(tag))
  )
}

/** Whether a value is one of those that will do, and none of those that must not be. */
export function isAmong<T>({ any, none }: Values<T>, value: T): boolean {
  return (any.length === 0 || any.includes(value)) && !none.includes(value)
}
