// Searching sessions: what is looked for may stand in different messages of a session, or in its name. A search looks at
// the store as it was when its first page was made, so that pages go on exactly while messages are added.

import type { CursorPart } from '../cursor.ts'
import { StoreError } from '../errors.ts'
import type { Snippet } from '../port/search.ts'
import type { Session } from '../types/session.ts'
import { type KeyRange, type RankedPage, recentPage, relevantPage } from './bands.ts'
import { type Candidate, type Match, matchOf, relaxed } from './candidates.ts'
import { type Column, columnOf } from './extract.ts'
import { findTerm, indexTokens, type TokenIndex } from './match.ts'
import { exactOrRelaxed, type Hit, pageFacts, toHit } from './messages.ts'
import type { SearchPlan } from './plan.ts'
import type { ParsedQuery, Term } from './query.ts'
import { type Measure, userWeight } from './score.ts'
import { cutSnippet } from './snippet.ts'

/** Relevance is ranked over so many of the newest sessions at a time. */
const sessionBand = 200
/** So many of a session's newest hits are looked at; the best are shown. */
export const hitsLookedAt = 10
const hitsShown = 3
/** A word in the name counts like three in a text. */
const nameWeight = 6

/** A session that answers: all clauses hold over its messages and its name together, and nothing that is excluded. */
export interface SessionCandidate {
  /**
   * Unique: the row id of its newest message that is a hit, or of its newest message where only the name is one; below 0
   * for a session without messages.
   */
  readonly position: number
  readonly session: Session
  /** How many of its messages hold anything that is looked for. */
  readonly hitCount: number
  /** The newest of them, at most {@link hitsLookedAt}, newest first. */
  readonly newest: readonly Candidate[]
}

/** The position of a session that has no messages, by its own row id. */
export function withoutMessages(rowId: number): number {
  return rowId - 2 ** 52
}

export interface SessionRange extends KeyRange {
  /** Messages from this row id on do not count. */
  readonly top: number
}

export interface SessionSource {
  /** Above every row id there is. */
  top(): Promise<number>
  /** Sessions that answer, highest position first; at most `count`. */
  read(parsed: ParsedQuery, range: SessionRange, count: number): Promise<readonly SessionCandidate[]>
}

export interface FoundSession {
  readonly session: Session
  readonly hitCount: number
  readonly nameSnippet?: Snippet
  readonly hits: readonly Hit[]
}

export interface FoundSessionPage {
  readonly found: readonly FoundSession[]
  readonly nextCursor?: string
  readonly relaxed?: true
}

/** One page of the sessions that answer a plan, each once. */
export async function searchSessions(plan: SearchPlan, source: SessionSource): Promise<FoundSessionPage> {
  if (plan.isEmpty || plan.columns.length === 0) return { found: [] }
  let top = 0
  const { page, isRelaxed } = await exactOrRelaxed(plan, async (parsed, after) => {
    const [given, ...rest] = after ?? []
    if (after === undefined) top = await source.top()
    else if (typeof given === 'number') top = given
    else throw new StoreError('invalid-cursor', 'the cursor is damaged')
    return readPage(plan, parsed, source, top, after && rest)
  })
  return {
    found: page.found.map(({ match, score }) => toFound(plan, match, score)),
    ...pageFacts(plan, page, isRelaxed, [top]),
  }
}

interface SessionMatch {
  readonly candidate: SessionCandidate
  readonly name: Column
  readonly hits: readonly Match[]
  readonly measure: Measure
}

function readPage(
  plan: SearchPlan,
  parsed: ParsedQuery,
  source: SessionSource,
  top: number,
  after: readonly CursorPart[] | undefined,
): Promise<RankedPage<SessionMatch>> {
  const page = plan.sort === 'recent' ? recentPage : relevantPage
  return page(
    {
      limit: plan.limit,
      terms: plan.terms.length,
      size: sessionBand,
      read: async (range, count) =>
        (await source.read(parsed, { ...range, top }, count)).map((candidate) => toMatch(plan, candidate)),
      keyOf: ({ candidate }) => candidate.position,
      measureOf: ({ measure }) => measure,
    },
    after,
  )
}

/** What a session has to show for itself: of each term the most that one message or the name has of it. */
function toMatch(plan: SearchPlan, candidate: SessionCandidate): SessionMatch {
  const name = columnOf([candidate.session.name])
  const index = indexTokens(name.tokens)
  const hits = candidate.newest.flatMap((one) => matchOf(plan, anyOf(plan.parsed), one) ?? [])
  return {
    candidate,
    name,
    hits,
    measure: {
      role: 'assistant',
      length: undefined,
      counts: plan.terms.map((term, at) =>
        Math.max(
          nameWeight * findTerm(index, term).length,
          ...hits.map(({ measure }) => weighted(measure, at)),
        ),
      ),
    },
  }
}

function weighted({ role, counts }: Measure, term: number): number {
  return (counts[term] ?? 0) * (role === 'user' ? userWeight : 1)
}

function toFound(plan: SearchPlan, { candidate, name, hits }: SessionMatch, score: number): FoundSession {
  const inName = cutSnippet(name, plan.terms)
  const best = hits
    .map((hit) => ({
      hit,
      of: hit.measure.counts.reduce((sum, _, term) => sum + Math.log1p(weighted(hit.measure, term)), 0),
    }))
    .sort((a, b) => b.of - a.of || b.hit.candidate.rowId - a.hit.candidate.rowId)
    .slice(0, hitsShown)
  return {
    session: candidate.session,
    hitCount: candidate.hitCount,
    ...(inName.ranges.length > 0 ? { nameSnippet: inName } : {}),
    hits: best.map(({ hit }) => toHit(plan, hit, score)),
  }
}

/** What makes a message one of a session's hits: anything that is looked for. What is excluded is so of whole sessions. */
export function anyOf(parsed: ParsedQuery): ParsedQuery {
  return { ...relaxed(parsed), excluded: [] }
}

/** Whether a session answers: `columns` are those of all of its messages that count, and of its name. */
export function answers({ clauses, excluded }: ParsedQuery, columns: Iterable<TokenIndex>): boolean {
  const open = new Set(clauses)
  for (const column of columns) {
    const stands = (term: Term) => findTerm(column, term).length > 0
    if (excluded.some(stands)) return false
    for (const terms of open) if (terms.some(stands)) open.delete(terms)
  }
  return open.size === 0
}
