// The sessions that answer a search. Found newest first by their messages, or by their names; what a session comes to is
// then looked at as a whole, for many sessions at once.

import type { Session } from '@sess/core'
import {
  anyOf,
  breathe,
  columnOf,
  findTerm,
  hitsLookedAt,
  indexTokens,
  type ParsedQuery,
  readSession,
  type SearchPlan,
  type SessionCandidate,
  type SessionRange,
  type SessionSource,
  type Term,
  type TokenIndex,
  withoutMessages,
} from '@sess/core/adapter'
import type { StoreParts } from '../context.ts'
import { type SessionRow, tagsOf } from '../sql/columns.ts'
import { sessionsByRowIds, tailRows, unindexedNames, walkNames } from '../sql/search.ts'
import { nameMatchText } from './match-text.ts'
import type { SearchView } from './view.ts'
import type { Walker } from './walk.ts'

/** Sessions are looked at in groups of so many. */
const groupSize = 200
const nameChunk = 2000

/** A session with what its messages come to. */
interface Looked {
  readonly rowId: number
  readonly session: Session
  readonly position: number
  readonly hitCount: number
  /** Row ids, newest first. */
  readonly newest: readonly number[]
}

type FoundRow = SessionRow & { readonly newest: number | null }

export function createSessionSource(
  parts: StoreParts,
  plan: SearchPlan,
  view: SearchView,
  walker: Walker,
): SessionSource {
  const { engine, onDamage } = parts
  /** Of each parsed query, the sessions whose names say that they may answer; the same for all bands of a search. */
  const named = new Map<ParsedQuery, Promise<readonly Looked[]>>()

  return {
    top: async () => view.top,
    async read(parsed, range, count) {
      const few = view.sessions !== undefined && view.sessions.length <= groupSize ? view.sessions : undefined
      const found = few === undefined ? await all(parsed, range, count) : await answering(parsed, few, range)
      const listed = found.toSorted((a, b) => b.position - a.position).slice(0, count)
      const candidates: SessionCandidate[] = []
      for (const one of listed) candidates.push(await toCandidate(one))
      return candidates
    },
  }

  async function all(parsed: ParsedQuery, range: SessionRange, count: number): Promise<readonly Looked[]> {
    const byName = await namesOf(parsed, range.top)
    const known = new Set(byName.map(({ rowId }) => rowId))
    const found = byName.filter(({ position }) => isWithin(position, range))
    const fromNames = found.length
    const bounds = {
      from: Math.max(0, range.from ?? 0),
      below: Math.min(range.top, range.below ?? range.top),
    }
    for await (const chunk of walker.hits(anyOf(parsed), bounds)) {
      const fresh = new Set(
        chunk.map(({ sessionRowId }) => sessionRowId).filter((rowId) => !known.has(rowId)),
      )
      for (const group of groupsOf([...fresh])) {
        for (const rowId of group) known.add(rowId)
        found.push(...(await answering(parsed, group, range)))
        // Further down there are only older ones.
        if (found.length - fromNames >= count) return found
      }
    }
    return found
  }

  function namesOf(parsed: ParsedQuery, top: number): Promise<readonly Looked[]> {
    const known = named.get(parsed)
    if (known !== undefined) return known
    const found = (async () => {
      const looked: Looked[] = []
      for (const group of groupsOf(await sessionsNamed(parsed.clauses.flat())))
        looked.push(...(await answering(parsed, group, { top })))
      return looked
    })()
    named.set(parsed, found)
    return found
  }

  /** Searched sessions whose names hold any of the terms. */
  async function sessionsNamed(terms: readonly Term[]): Promise<number[]> {
    const match = nameMatchText(terms)
    if (match === undefined) return []
    const found: number[] = []
    for (let after = 0; view.isIndexed; ) {
      const [rows = []] = await engine.read([walkNames(plan, match, after, nameChunk)])
      const walked = rows as unknown as readonly { readonly rowId: number; readonly passes: number }[]
      found.push(...walked.filter(({ passes }) => passes === 1).map(({ rowId }) => rowId))
      if (walked.length < nameChunk) break
      after = walked.at(-1)?.rowId ?? after
      await breathe()
    }
    const [rest = []] = await engine.read([unindexedNames(plan, view.names, tailRows)])
    for (const { rowId, name } of rest as unknown as readonly {
      readonly rowId: number
      readonly name: unknown
    }[]) {
      if (typeof name === 'string' && holdsAny(nameIndex(name), terms)) found.push(rowId)
    }
    return [...new Set(found)]
  }

  /** Those of some sessions that answer and stand in the range. */
  async function answering(
    parsed: ParsedQuery,
    rowIds: readonly number[],
    range: SessionRange,
  ): Promise<readonly Looked[]> {
    const looked = (await lookAt(parsed, rowIds, range.top)).filter(({ position }) =>
      isWithin(position, range),
    )
    if (looked.length === 0) return []
    const { clauses, excluded } = parsed
    const ids = looked.map(({ rowId }) => rowId)
    const names = new Map(looked.map(({ rowId, session }) => [rowId, nameIndex(session.name)]))
    const without = await holding([excluded], ids, range.top)
    // What is looked for alone stands where there is a hit, or in the name.
    const each = clauses.length > 1 ? await holding(clauses, ids, range.top) : [new Set(ids)]
    const inName = (rowId: number, terms: readonly Term[]) => {
      const name = names.get(rowId)
      return name !== undefined && holdsAny(name, terms)
    }
    return looked.filter(({ rowId, hitCount }) => {
      if (without[0]?.has(rowId) || inName(rowId, excluded)) return false
      if (clauses.length === 0) return hitCount > 0
      if (clauses.length === 1) return hitCount > 0 || inName(rowId, clauses[0] ?? [])
      return clauses.every((terms, at) => each[at]?.has(rowId) || inName(rowId, terms))
    })
  }

  /** For each of some sets of terms, which sessions have a message with any of them. */
  async function holding(
    sets: readonly (readonly Term[])[],
    rowIds: readonly number[],
    top: number,
  ): Promise<Set<number>[]> {
    const answer: Set<number>[] = []
    for (const terms of sets) {
      const found = new Set<number>()
      answer.push(found)
      if (terms.length === 0) continue
      const parsed = { ...plan.parsed, clauses: [terms], excluded: [] }
      for await (const chunk of walker.hits(parsed, { from: 0, below: top }, rowIds)) {
        for (const { sessionRowId } of chunk) found.add(sessionRowId)
        if (found.size === rowIds.length) break
      }
    }
    return answer
  }

  async function lookAt(parsed: ParsedQuery, rowIds: readonly number[], top: number): Promise<Looked[]> {
    const hits = new Map<number, { count: number; newest: number[] }>()
    for await (const chunk of walker.hits(anyOf(parsed), { from: 0, below: top }, rowIds)) {
      for (const { rowId, sessionRowId } of chunk) {
        const known = hits.get(sessionRowId) ?? { count: 0, newest: [] }
        if (known.count === 0) hits.set(sessionRowId, known)
        if (known.count < hitsLookedAt) known.newest.push(rowId)
        known.count++
      }
    }
    const [rows = []] = await engine.read([sessionsByRowIds(rowIds, top)])
    return (rows as unknown as readonly FoundRow[]).flatMap((row): Looked[] => {
      const { rowId } = row
      const session = readSession(row, tagsOf(row, onDamage), onDamage)
      const { count, newest } = hits.get(rowId) ?? { count: 0, newest: [] }
      const position = newest[0] ?? row.newest ?? withoutMessages(rowId)
      return session === undefined ? [] : [{ rowId, session, position, hitCount: count, newest }]
    })
  }

  async function toCandidate({ newest, ...looked }: Looked): Promise<SessionCandidate> {
    return { ...looked, newest: await walker.bodies(newest) }
  }
}

function nameIndex(name: string): TokenIndex {
  return indexTokens(columnOf([name]).tokens)
}

function holdsAny(index: TokenIndex, terms: readonly Term[]): boolean {
  return terms.some((term) => findTerm(index, term).length > 0)
}

function isWithin(position: number, { from, below }: Pick<SessionRange, 'from' | 'below'>): boolean {
  return position >= (from ?? Number.NEGATIVE_INFINITY) && position < (below ?? Number.POSITIVE_INFINITY)
}

function* groupsOf(rowIds: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < rowIds.length; start += groupSize) yield rowIds.slice(start, start + groupSize)
}
