// What sessions come to as a whole: whether they answer, by all of their messages and their names together, how many hits
// they have, and where they stand in time. Many sessions are looked at together.

import type { Session } from '@sess/core'
import {
  anyOf,
  columnOf,
  findTerm,
  hitsLookedAt,
  indexTokens,
  type ParsedQuery,
  readSession,
  type SearchPlan,
  type SessionRange,
  type Term,
  type TokenIndex,
  withoutMessages,
} from '@sess/core/adapter'
import type { StoreParts } from '../context.ts'
import { type SessionRow, tagsOf } from '../sql/columns.ts'
import { sessionsByRowIds } from '../sql/search.ts'
import type { Walker } from './walk.ts'

/** Sessions are looked at in groups of so many at the most. */
export const groupSize = 200

/** A session with what its messages come to. */
export interface Looked {
  readonly rowId: number
  readonly session: Session
  readonly position: number
  readonly hitCount: number
  /** Row ids, newest first. */
  readonly newest: readonly number[]
}

type FoundRow = SessionRow & { readonly newest: number | null }
type Parts = Pick<StoreParts, 'engine' | 'onDamage'>

export class SessionAnswers {
  readonly #parts: Parts
  readonly #plan: SearchPlan
  readonly #walker: Walker

  constructor(parts: Parts, plan: SearchPlan, walker: Walker) {
    this.#parts = parts
    this.#plan = plan
    this.#walker = walker
  }

  /** Those of some sessions that answer and stand in the range. */
  async answering(parsed: ParsedQuery, rowIds: readonly number[], range: SessionRange): Promise<Looked[]> {
    const found: Looked[] = []
    for (let start = 0; start < rowIds.length; start += groupSize)
      found.push(...(await this.#answeringGroup(parsed, rowIds.slice(start, start + groupSize), range)))
    return found
  }

  async #answeringGroup(
    parsed: ParsedQuery,
    rowIds: readonly number[],
    range: SessionRange,
  ): Promise<readonly Looked[]> {
    const { clauses, excluded } = parsed
    const all = await this.#lookAt(parsed, rowIds, range.top)
    const looked = all.filter(({ position }) => isWithin(position, range))
    const ids = looked.map(({ rowId }) => rowId)
    const without = await this.#holding(excluded, ids, range.top)
    // What is looked for alone stands where there is a hit, or in the name.
    const sets = clauses.length > 1 ? clauses : []
    const withEach: Set<number>[] = []
    for (const terms of sets) withEach.push(await this.#holding(terms, ids, range.top))
    return looked.filter(({ rowId, session, hitCount }) => {
      const name = nameIndex(session.name)
      if (without.has(rowId) || holdsAny(name, excluded)) return false
      if (clauses.length < 2) return hitCount > 0 || holdsAny(name, clauses[0] ?? [])
      return clauses.every((terms, at) => withEach[at]?.has(rowId) || holdsAny(name, terms))
    })
  }

  /** Which of some sessions have a message with any of the terms. */
  async #holding(terms: readonly Term[], rowIds: readonly number[], top: number): Promise<Set<number>> {
    const found = new Set<number>()
    if (terms.length === 0 || rowIds.length === 0) return found
    for await (const chunk of this.#walker.hits(
      onlyAny(this.#plan, terms),
      { from: 0, below: top },
      rowIds,
    )) {
      for (const { sessionRowId } of chunk) found.add(sessionRowId)
      if (found.size === rowIds.length) break
    }
    return found
  }

  async #lookAt(parsed: ParsedQuery, rowIds: readonly number[], top: number): Promise<Looked[]> {
    const { engine, onDamage } = this.#parts
    const hits = new Map<number, { count: number; newest: number[] }>()
    for await (const chunk of this.#walker.hits(anyOf(parsed), { from: 0, below: top }, rowIds)) {
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
}

/** A query that any of some terms answers. */
export function onlyAny({ parsed }: SearchPlan, terms: readonly Term[]): ParsedQuery {
  return { ...parsed, clauses: [terms], excluded: [] }
}

export function nameIndex(name: string): TokenIndex {
  return indexTokens(columnOf([name]).tokens)
}

export function holdsAny(index: TokenIndex, terms: readonly Term[]): boolean {
  return terms.some((term) => findTerm(index, term).length > 0)
}

export function isWithin(position: number, { from, below }: Pick<SessionRange, 'from' | 'below'>): boolean {
  return position >= (from ?? Number.NEGATIVE_INFINITY) && position < (below ?? Number.POSITIVE_INFINITY)
}
