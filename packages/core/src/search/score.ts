// How well a message answers a query: BM25 (Robertson and Zaragoza, 2009) over a band of matches. A band's statistics are
// counted once and travel in the cursor, so a score depends on the message alone.

import type { Role } from '../types/message.ts'
import { findTerm, type TokenIndex } from './match.ts'
import type { Term } from './query.ts'

const k1 = 1.2
const b = 0.75
/** What is said counts twice what tools take and give. */
const weights = { text: 2, tool: 1 } as const
/** A user's words count more than the assistant's. */
export const userWeight = 1.2

/** What scoring needs of a match. */
export interface Measure {
  readonly role: Role
  /** Tokens of the columns; `undefined` for a message too long to count, which is taken for one of middle length. */
  readonly length: number | undefined
  /** Of each positive term, how often it stands in the message, weighted by column. */
  readonly counts: readonly number[]
}

export interface BandStatistics {
  /** Matches in the band. */
  readonly size: number
  /** Mean length of a match. */
  readonly meanLength: number
  /** Of each term, in how many matches it stands. */
  readonly documents: readonly number[]
}

/** Measures a match by the columns that are searched. */
export function measure(
  role: Role,
  columns: readonly { readonly name: 'text' | 'tool'; readonly index: TokenIndex }[],
  terms: readonly Term[],
): Measure {
  return {
    role,
    length: columns.reduce((sum, { index }) => sum + index.tokens.length, 0),
    counts: terms.map((term) =>
      columns.reduce((sum, { name, index }) => sum + weights[name] * findTerm(index, term).length, 0),
    ),
  }
}

export function bandStatistics(measures: readonly Measure[], termCount: number): BandStatistics {
  const size = measures.length
  const lengths = measures.map(({ length }) => length).filter((length) => length !== undefined)
  return {
    size,
    meanLength: lengths.length === 0 ? 0 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length,
    documents: Array.from({ length: termCount }, (_, term) =>
      measures.reduce((sum, { counts }) => sum + ((counts[term] ?? 0) > 0 ? 1 : 0), 0),
    ),
  }
}

/** The score of a match within its band; higher is better, 0 where nothing is looked for. */
export function scoreOf({ role, length, counts }: Measure, band: BandStatistics): number {
  const relative = length === undefined || band.meanLength === 0 ? 1 : length / band.meanLength
  const norm = k1 * (1 - b + b * relative)
  const sum = counts.reduce((score, count, term) => {
    if (count === 0) return score
    const documents = band.documents[term] ?? 0
    const rarity = Math.log(1 + (band.size - documents + 0.5) / (documents + 0.5))
    return score + (rarity * (count * (k1 + 1))) / (count + norm)
  }, 0)
  return role === 'user' ? sum * userWeight : sum
}
