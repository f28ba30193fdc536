// The passage of a text that shows best why it was found.

import type { Snippet } from '../port/search.ts'
import type { Column } from './extract.ts'
import { findTerm, indexTokens } from './match.ts'
import type { Term } from './query.ts'

/** How much a snippet shows, in words; a character of a script without spaces is half of one. */
const snippetWords = 32
/** Stands where text was left out. */
export const ellipsis = '…'

/** How many characters of punctuation are kept beside a word. */
const signs = 32

interface Hit {
  readonly start: number
  readonly end: number
  /** Which term was found. */
  readonly term: number
}

interface Word {
  readonly start: number
  readonly end: number
  readonly weight: number
}

/** The densest passage of about 32 words: of most different terms, then of most hits, then the first. */
export function cutSnippet(column: Column, terms: readonly Term[]): Snippet {
  const words = wordsOf(column)
  if (words.length === 0) return { text: '', ranges: [] }
  const index = indexTokens(column.tokens)
  const hits = terms
    .flatMap((term, which) => findTerm(index, term).map(([start, end]): Hit => ({ start, end, term: which })))
    .sort((a, b) => a.start - b.start || a.end - b.end)
  const from = densest(words, hits)
  const limit = endOf(words, from)
  const first = (words[from] as Word).start
  const last = hits.findLast(({ start, end }) => start >= first && end <= limit)
  const begin = withLead(words, from, last?.end ?? first)
  const [start, end] = onGraphemes(column.text, ...withSigns(column.text, words, begin))
  const inside = hits.filter((hit) => hit.start >= start && hit.end <= end)
  return toSnippet(column.text, start, end, inside)
}

function wordsOf({ tokens }: Column): Word[] {
  return tokens.flatMap(({ kind, start, end }) =>
    kind === 'joined' ? [] : [{ start, end, weight: kind === undefined ? 1 : 0.5 }],
  )
}

/** The word at which the best passage begins. */
function densest(words: readonly Word[], hits: readonly Hit[]): number {
  let best = { terms: 0, hits: 0, word: 0 }
  let word = 0
  for (const [at, hit] of hits.entries()) {
    while (word < words.length - 1 && (words[word] as Word).start < hit.start) word++
    const limit = endOf(words, word)
    const inside = new Set<number>()
    let count = 0
    for (let next = at; next < hits.length && (hits[next] as Hit).end <= limit; next++) {
      inside.add((hits[next] as Hit).term)
      count++
    }
    const isBetter = inside.size > best.terms || (inside.size === best.terms && count > best.hits)
    if (isBetter) best = { terms: inside.size, hits: count, word }
  }
  return best.word
}

/** The end of as many words as a snippet shows, at least one. */
function endOf(words: readonly Word[], from: number): number {
  let weight = 0
  let end = (words[from] as Word).end
  for (let at = from; at < words.length && weight < snippetWords; at++) {
    const word = words[at] as Word
    weight += word.weight
    end = Math.max(end, word.end)
  }
  return end
}

/** Half of the room that is left goes before the first hit; at the end of the text all of it. */
function withLead(words: readonly Word[], from: number, lastEnd: number): number {
  let used = 0
  let at = from
  while (at < words.length && (words[at] as Word).start < lastEnd) used += (words[at++] as Word).weight
  let after = 0
  while (at < words.length && after < snippetWords) after += (words[at++] as Word).weight
  let room = Math.max((snippetWords - used) / 2, snippetWords - used - after)
  let begin = from
  while (begin > 0 && room >= (words[begin - 1] as Word).weight) room -= (words[--begin] as Word).weight
  return begin
}

/** With the punctuation that clings to the first and last word, and all of it at the ends of the text, within reason. */
function withSigns(text: string, words: readonly Word[], begin: number): [start: number, end: number] {
  const first = (words[begin] as Word).start
  const last = endOf(words, begin)
  const before = text.slice(Math.max(0, first - signs), first)
  const after = text.slice(last, last + signs)
  const isFirst = begin === 0 && first <= signs
  const isLast = last + signs >= text.length && words.every(({ end }) => end <= last)
  const clings = /[^\s\p{L}\p{N}\p{M}]*/uy
  clings.lastIndex = 0
  const behind = clings.exec(after)?.[0].length ?? 0
  const ahead = /[^\s\p{L}\p{N}\p{M}]*$/u.exec(before)?.[0].length ?? 0
  return [isFirst ? 0 : first - ahead, isLast ? text.length : last + behind]
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The passage grown to whole graphemes. */
function onGraphemes(text: string, start: number, end: number): [start: number, end: number] {
  // A grapheme is looked for near by only: `containing` reads from the beginning.
  const near = 256
  const from = Math.max(0, start - near)
  const before = graphemes.segment(text.slice(from, start + near)).containing(start - from)
  const upTo = Math.max(0, end - near)
  const after = graphemes.segment(text.slice(upTo, end + near)).containing(end - upTo - 1)
  return [
    before === undefined ? start : from + before.index,
    after === undefined ? end : upTo + after.index + after.segment.length,
  ]
}

/** Blanks and control characters become single spaces; ranges that touch become one. */
function toSnippet(text: string, start: number, end: number, hits: readonly Hit[]): Snippet {
  const isCutBefore = start > 0
  const isCutAfter = end < text.length
  let shown = isCutBefore ? ellipsis : ''
  const places = new Map<number, number>()
  const wanted = new Set(hits.flatMap((hit) => [hit.start, hit.end]))
  let at = start
  for (const { 0: piece, index } of text.slice(start, end).matchAll(/[\s\p{Cc}]+|[^\s\p{Cc}]+/gu)) {
    const isBlank = /^[\s\p{Cc}]/u.test(piece)
    for (let place = start + index; place <= start + index + piece.length; place++) {
      if (wanted.has(place)) places.set(place, shown.length + (isBlank ? 0 : place - start - index))
    }
    shown += isBlank ? ' ' : piece
    at = start + index + piece.length
  }
  if (isCutAfter && at <= text.length) shown += ellipsis
  const ranges: [number, number][] = []
  for (const hit of hits) {
    const [from, to] = [places.get(hit.start) ?? 0, places.get(hit.end) ?? 0]
    const last = ranges.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else ranges.push([from, to])
  }
  return { text: shown, ranges }
}
