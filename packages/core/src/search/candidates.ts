// What a store gives a search to choose from, and which of it holds what is looked for.

import type { Message } from '../types/message.ts'
import { type Column, searchColumns, toolNames } from './extract.ts'
import { findTerm, indexTokens, type TokenIndex } from './match.ts'
import { isAmong, type SearchPlan, type Values } from './plan.ts'
import type { ParsedQuery, Term } from './query.ts'
import { type Measure, measure } from './score.ts'

/** A message of a session that the plan's filters of sessions let through. */
export interface Candidate {
  /** Its place in the order of storing. */
  readonly rowId: number
  readonly message: Message
  /** Bytes of its content as JSON. */
  readonly bytes: number
}

export interface CandidateRange {
  /** Row ids from this on. */
  readonly from?: number
  /** Row ids below this. */
  readonly below?: number
}

/**
 * Messages that may answer a query, newest first by row id. Whatever answers it must be among them; what does not may be,
 * too.
 */
export type CandidateSource = (parsed: ParsedQuery, range: CandidateRange) => AsyncIterable<Candidate>

/** A message that answers the query. */
export interface Match {
  readonly candidate: Candidate
  /** What is searched of it; of a large message made anew each time, for a band of them is not kept in tokens. */
  readonly columns: () => readonly Column[]
  readonly measure: Measure
}

/** Beyond this a message counts as one occurrence: its tokens are not worth counting. */
const countedBytes = 65_536

/** The matches of a range, newest first. */
export async function* matchesOf(
  plan: SearchPlan,
  parsed: ParsedQuery,
  source: CandidateSource,
  range: CandidateRange,
): AsyncGenerator<Match, void, undefined> {
  for await (const candidate of source(parsed, range)) {
    const match = matchOf(plan, parsed, candidate)
    if (match !== undefined) yield match
  }
}

/** The match, where the message passes the filters and holds what is looked for. */
export function matchOf(plan: SearchPlan, parsed: ParsedQuery, candidate: Candidate): Match | undefined {
  const { message, bytes } = candidate
  if (!isCounted(plan, message)) return undefined
  const found = searchColumns(message.content, message.metadata)
  if (found === undefined) return undefined
  const indexes = plan.columns.map((name) => ({ name, index: indexTokens(found[name].tokens) }))
  if (
    !holds(
      parsed,
      indexes.map(({ index }) => index),
    )
  )
    return undefined
  const measured = measure(message.role, indexes, plan.terms)
  return bytes > countedBytes
    ? { candidate, columns: madeAnew(plan, message), measure: asOne(measured) }
    : { candidate, columns: kept(plan.columns.map((name) => found[name])), measure: measured }
}

// Each in a scope of its own: a closure keeps all that its scope holds.
const kept = (columns: readonly Column[]) => () => columns

function madeAnew(plan: SearchPlan, { content, metadata }: Message): () => readonly Column[] {
  return () => {
    const found = searchColumns(content, metadata)
    return found === undefined ? [] : plan.columns.map((name) => found[name])
  }
}

function asOne({ role, counts }: Measure): Measure {
  return { role, length: undefined, counts: counts.map((count) => Math.min(count, 1)) }
}

/** Whether a message passes the filters on messages. */
export function isCounted(plan: SearchPlan, { role, createdAt, content }: Message): boolean {
  return (
    isAmong(plan.roles, role) &&
    (plan.since === undefined || createdAt >= plan.since) &&
    (plan.until === undefined || createdAt < plan.until) &&
    hasTools(plan.tools, content)
  )
}

function hasTools({ any, none }: Values<string>, content: Message['content']): boolean {
  if (any.length === 0 && none.length === 0) return true
  const names = toolNames(content)
  return (
    (any.length === 0 || names.some((name) => any.includes(name))) &&
    !names.some((name) => none.includes(name))
  )
}

/** Whether all clauses hold over the columns together, and nothing that is excluded. */
export function holds({ clauses, excluded }: ParsedQuery, columns: readonly TokenIndex[]): boolean {
  const stands = (term: Term) => columns.some((column) => findTerm(column, term).length > 0)
  return clauses.every((terms) => terms.some(stands)) && !excluded.some(stands)
}

/** Any of what is looked for will do; filters and exclusions stay. */
export function relaxed(parsed: ParsedQuery): ParsedQuery {
  const terms = parsed.clauses.flat()
  return { ...parsed, clauses: terms.length === 0 ? [] : [terms] }
}

/** The column of the search that shows the most of what is looked for, what is said before what tools take and give. */
export function shownColumn(columns: readonly Column[], terms: readonly Term[]): Column {
  const empty: Column = { text: '', tokens: [] }
  let best = { column: columns.find(({ tokens }) => tokens.length > 0) ?? empty, found: 0 }
  for (const column of columns) {
    const index = indexTokens(column.tokens)
    const found = terms.filter((term) => findTerm(index, term).length > 0).length
    if (found > best.found) best = { column, found }
  }
  return best.column
}
