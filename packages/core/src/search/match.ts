// Whether a message holds what a query looks for, by its own text: the memory store finds with it, and every hit of an
// index is checked with it.

import type { Phrase } from './phrases.ts'
import type { Term } from './query.ts'
import type { Token } from './tokens.ts'

/** The tokens of one column, by what they are. */
export interface TokenIndex {
  readonly tokens: readonly Token[]
  /** Indexes into `tokens`, by text. */
  readonly places: ReadonlyMap<string, readonly number[]>
}

export function indexTokens(tokens: readonly Token[]): TokenIndex {
  const places = new Map<string, number[]>()
  tokens.forEach(({ text }, index) => {
    const known = places.get(text)
    if (known === undefined) places.set(text, [index])
    else known.push(index)
  })
  return { tokens, places }
}

/** Where a phrase stands: UTF-16 offsets into the column's text, in order. */
function findPhrase({ tokens, places }: TokenIndex, phrase: Phrase): [start: number, end: number][] {
  const [first, ...rest] = phrase.tokens
  const isWhole = rest.length > 0 || !phrase.isPrefix
  const starts = isWhole ? (places.get(first) ?? []) : prefixPlaces(places, first)
  return starts.flatMap((start): [number, number][] => {
    const from = tokens[start] as Token
    for (const [offset, wanted] of rest.entries()) {
      const token = tokens[start + offset + 1]
      if (token === undefined || token.position !== from.position + offset + 1) return []
      const isLast = offset === rest.length - 1
      if (isLast && phrase.isPrefix ? !token.text.startsWith(wanted) : token.text !== wanted) return []
    }
    return [[from.start, (tokens[start + rest.length] as Token).end]]
  })
}

function prefixPlaces(places: TokenIndex['places'], prefix: string): number[] {
  const found: number[] = []
  for (const [text, list] of places) if (text.startsWith(prefix)) found.push(...list)
  return found.sort((a, b) => a - b)
}

/** Where a term stands in a column. */
export function findTerm(index: TokenIndex, term: Term): [start: number, end: number][] {
  const [only, ...others] = term.phrases
  if (only === undefined) return []
  if (others.length === 0) return findPhrase(index, only)
  return term.phrases
    .flatMap((phrase) => findPhrase(index, phrase))
    .sort(([a, aEnd], [b, bEnd]) => a - b || aEnd - bEnd)
}
