// Pages of a ranking that goes on exactly while matches are added: the newest matches are ranked among themselves, and
// when they are used up, the next newest. A cursor carries the band's bounds and statistics, so scores stay what they were.

import type { CursorPart } from '../cursor.ts'
import { StoreError } from '../errors.ts'
import { type BandStatistics, bandStatistics, type Measure, scoreOf } from './score.ts'

/** Keys from `from` on and below `below`. */
export interface KeyRange {
  readonly from?: number
  readonly below?: number
}

export interface Scored<T> {
  readonly match: T
  readonly score: number
}

export interface RankedPage<T> {
  readonly found: readonly Scored<T>[]
  /** Where the next page goes on; absent on the last one. */
  readonly next?: readonly CursorPart[]
}

export interface Ranking<T> {
  readonly limit: number
  /** How many terms are looked for. */
  readonly terms: number
  /** How many of the newest are ranked at a time. */
  readonly size: number
  /** The newest matches of a range, at most `count`, newest first. */
  readonly read: (range: KeyRange, count: number) => Promise<readonly T[]>
  /** Its place in time: higher is newer, and no two have the same. */
  readonly keyOf: (match: T) => number
  readonly measureOf: (match: T) => Measure
}

/** Newest first. Scores are within the page's own matches: for show only. */
export async function recentPage<T>(
  { limit, terms, read, keyOf, measureOf }: Ranking<T>,
  after: readonly CursorPart[] | undefined,
): Promise<RankedPage<T>> {
  const [below] = after === undefined ? [] : numbers(after, 1)
  const matches = await read(below === undefined ? {} : { below }, limit + 1)
  const shown = matches.slice(0, limit)
  const last = shown.at(-1)
  const statistics = bandStatistics(shown.map(measureOf), terms)
  return {
    found: shown.map((match) => ({ match, score: scoreOf(measureOf(match), statistics) })),
    ...(matches.length > limit && last !== undefined ? { next: [keyOf(last)] } : {}),
  }
}

interface Band<T> {
  readonly matches: readonly T[]
  readonly statistics: BandStatistics
  readonly from: number
  readonly below: number
  /** What was shown last. */
  readonly shown?: { readonly score: number; readonly key: number }
}

/** The best first within each band; equal scores newest first. */
export async function relevantPage<T>(
  ranking: Ranking<T>,
  after: readonly CursorPart[] | undefined,
): Promise<RankedPage<T>> {
  const { limit, keyOf, measureOf } = ranking
  const found: Scored<T>[] = []
  let band = after === undefined ? await nextBand(ranking, undefined) : await sameBand(ranking, after)
  while (band !== undefined) {
    const { statistics, from, below, shown } = band
    const ranked = band.matches
      .map((match): Scored<T> => ({ match, score: scoreOf(measureOf(match), statistics) }))
      .sort((a, b) => b.score - a.score || keyOf(b.match) - keyOf(a.match))
      .filter(
        ({ match, score }) =>
          shown === undefined || score < shown.score || (score === shown.score && keyOf(match) < shown.key),
      )
    for (const one of ranked) {
      if (found.length < limit) {
        found.push(one)
        continue
      }
      const last = found.at(-1) as Scored<T>
      const key = keyOf(last.match)
      // Where the page ended with the band before, this one has shown nothing yet.
      const place = key >= from && key < below ? [last.score, key] : [null, null]
      const { size, meanLength, documents } = statistics
      return { found, next: [from, below, size, meanLength, ...documents, ...place] }
    }
    band = await nextBand(ranking, from)
  }
  return { found }
}

async function nextBand<T>(ranking: Ranking<T>, below: number | undefined): Promise<Band<T> | undefined> {
  const { read, size, keyOf, measureOf, terms } = ranking
  const matches = await read(below === undefined ? {} : { below }, size)
  const [first, last] = [matches[0], matches.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return {
    matches,
    statistics: bandStatistics(matches.map(measureOf), terms),
    from: keyOf(last),
    below: keyOf(first) + 1,
  }
}

/** The band that a cursor is in, with the statistics it had. */
async function sameBand<T>(ranking: Ranking<T>, after: readonly CursorPart[]): Promise<Band<T>> {
  const bounds = numbers(after.slice(0, -2), 4 + ranking.terms)
  const [from = 0, below = 0, size = 0, meanLength = 0, ...documents] = bounds
  const [score, key] = after.slice(-2)
  return {
    matches: await ranking.read({ from, below }, ranking.size),
    statistics: { size, meanLength, documents },
    from,
    below,
    ...(typeof score === 'number' && typeof key === 'number' ? { shown: { score, key } } : {}),
  }
}

function numbers(parts: readonly CursorPart[], count: number): number[] {
  if (parts.length !== count || !parts.every((part) => typeof part === 'number')) {
    throw new StoreError('invalid-cursor', 'the cursor is damaged')
  }
  return parts as number[]
}
