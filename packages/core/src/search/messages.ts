// Searching messages. The store gives candidates; everything that decides is here, so every store answers the same.

import type { CursorPart } from '../cursor.ts'
import type { Snippet } from '../port/search.ts'
import { type RankedPage, recentPage, relevantPage } from './bands.ts'
import {
  type Candidate,
  type CandidateSource,
  type Match,
  matchesOf,
  relaxed,
  shownColumn,
} from './candidates.ts'
import type { SearchPlan } from './plan.ts'
import type { ParsedQuery } from './query.ts'
import { cutSnippet } from './snippet.ts'

/** Relevance is ranked over so many of the newest matches at a time. */
export const messageBand = 256

export interface Hit {
  readonly candidate: Candidate
  readonly score: number
  readonly snippet: Snippet
}

export interface HitPage {
  readonly hits: readonly Hit[]
  readonly nextCursor?: string
  readonly relaxed?: true
}

/** One page of the messages that answer a plan. */
export async function searchMessages(plan: SearchPlan, source: CandidateSource): Promise<HitPage> {
  if (plan.isEmpty || plan.columns.length === 0) return { hits: [] }
  const { page, isRelaxed } = await exactOrRelaxed(plan, (parsed, after) =>
    readPage(plan, parsed, source, after),
  )
  return {
    hits: page.found.map(({ match, score }) => toHit(plan, match, score)),
    ...pageFacts(plan, page, isRelaxed),
  }
}

/** Where a page goes on, and whether it is relaxed; `before` stands before the place in the cursor. */
export function pageFacts(
  plan: SearchPlan,
  { found, next }: RankedPage<unknown>,
  isRelaxed: boolean,
  before: readonly CursorPart[] = [],
): { readonly nextCursor?: string; readonly relaxed?: true } {
  return {
    ...(next === undefined ? {} : { nextCursor: plan.cursorAt([isRelaxed ? 1 : 0, ...before, ...next]) }),
    ...(isRelaxed && found.length > 0 ? { relaxed: true as const } : {}),
  }
}

/** A hit as it is shown. */
export function toHit(plan: SearchPlan, { candidate, columns }: Match, score: number): Hit {
  return { candidate, score, snippet: cutSnippet(shownColumn(columns(), plan.terms), plan.terms) }
}

/** Where nothing answers all that is looked for, what answers any of it; pages go on as they began. */
export async function exactOrRelaxed<T>(
  { parsed, after }: SearchPlan,
  read: (parsed: ParsedQuery, after: readonly CursorPart[] | undefined) => Promise<RankedPage<T>>,
): Promise<{ readonly page: RankedPage<T>; readonly isRelaxed: boolean }> {
  if (after !== undefined) {
    const [isRelaxed, ...rest] = after
    return { page: await read(isRelaxed === 1 ? relaxed(parsed) : parsed, rest), isRelaxed: isRelaxed === 1 }
  }
  const page = await read(parsed, undefined)
  if (page.found.length > 0 || parsed.clauses.length < 2) return { page, isRelaxed: false }
  return { page: await read(relaxed(parsed), undefined), isRelaxed: true }
}

function readPage(
  plan: SearchPlan,
  parsed: ParsedQuery,
  source: CandidateSource,
  after: readonly CursorPart[] | undefined,
): Promise<RankedPage<Match>> {
  const page = plan.sort === 'recent' ? recentPage : relevantPage
  return page(
    {
      limit: plan.limit,
      terms: plan.terms.length,
      size: messageBand,
      async read(range, count) {
        const matches: Match[] = []
        for await (const match of matchesOf(plan, parsed, source, range)) {
          matches.push(match)
          if (matches.length === count) break
        }
        return matches
      },
      keyOf: ({ candidate }) => candidate.rowId,
      measureOf: ({ measure }) => measure,
    },
    after,
  )
}
