// The query language: words, phrases, exclusions, alternatives and filters, into a tree. Nothing a person types is an
// error but a date that is none; all else that means nothing is literal text.

import { roles, sessionTypes } from '../input/schemas.ts'
import { parseDate } from '../text/dates.ts'
import type { Role } from '../types/message.ts'
import type { SessionType } from '../types/session.ts'
import { type FilterName, lex, type Piece } from './lex.ts'
import { type Phrase, phraseOf, phrasesOfWord } from './phrases.ts'

/** What is looked for; any of the phrases will do. */
export interface Term {
  /** As it was typed. */
  readonly text: string
  readonly phrases: readonly Phrase[]
}

/** All of its clauses must hold, of each any term; nothing that is excluded may. */
export interface ParsedQuery {
  readonly clauses: readonly (readonly Term[])[]
  readonly excluded: readonly Term[]
  readonly filters: readonly QueryFilter[]
  /** Terms beyond the limits, as they were typed. */
  readonly ignored: readonly string[]
  /** Dates that are none, as they were typed: `before:tomorrow`. */
  readonly problems: readonly string[]
}

/** A condition on the message or its session. Several of one name: any of them, but all of the tags. */
export type QueryFilter = { readonly isExcluded: boolean } & (
  | { readonly name: 'role'; readonly value: Role }
  | { readonly name: 'type'; readonly value: SessionType }
  | { readonly name: 'session' | 'cwd' | 'channel' | 'tool' | 'tag'; readonly value: string }
  /** Epoch milliseconds; after includes the moment, before does not. */
  | { readonly name: 'before' | 'after'; readonly value: number }
  | { readonly name: 'in'; readonly value: 'text' | 'tool' | 'all' }
)

export interface ParseOptions {
  /** The zone of dates that name none. */
  readonly timeZone: string
  /** Takes the last word as a prefix. */
  readonly prefixLast?: boolean
}

/** Longer queries are cut: a pasted page would otherwise cost seconds. */
const queryLimits = { terms: 32, shortPrefixes: 3, ignored: 100 } as const

/** Reads a query; never throws. */
export function parseQuery(text: string, { timeZone, prefixLast = false }: ParseOptions): ParsedQuery {
  const items = [...lex(text)].map((piece) => read(piece, timeZone))
  const words = items.flatMap((item) => (item.kind === 'word' ? [item.piece] : []))
  const filters = items.flatMap((item) => (item.kind === 'filter' ? [item.filter] : []))
  // With nothing looked for, a dash excludes from nothing: it is text.
  const isLiteral = filters.length === 0 && words.every(({ isExcluded }) => isExcluded)
  const last = prefixLast && items.at(-1)?.kind === 'word' && /\S$/.test(text) ? words.at(-1) : undefined

  const bound = createBound()
  const clauses: Term[][] = []
  const excluded: Term[] = []
  let joins = false
  words.forEach((piece, index) => {
    if (isOperator(piece, 'AND')) return
    if (isOperator(piece, 'OR') && isOperand(words[index - 1]) && isOperand(words[index + 1])) {
      joins = true
      return
    }
    const term = bound.take(piece.typed, () => toTerm(piece, piece === last))
    if (term === undefined) return
    if (piece.isExcluded && !isLiteral) excluded.push(term)
    else if (joins && clauses.length > 0) clauses.at(-1)?.push(term)
    else clauses.push([term])
    joins = false
  })
  return {
    clauses,
    excluded,
    filters,
    ignored: bound.ignored,
    problems: items.flatMap((item) => (item.kind === 'problem' ? [item.text] : [])),
  }
}

/** Operators count in capitals only, and bare. */
function isOperator({ text, isQuoted, isExcluded, filter }: Piece, operator: 'AND' | 'OR'): boolean {
  return text === operator && !isQuoted && !isExcluded && filter === undefined
}

function isOperand(piece: Piece | undefined): boolean {
  return piece !== undefined && !piece.isExcluded && !isOperator(piece, 'OR') && !isOperator(piece, 'AND')
}

function toTerm({ typed, text, isQuoted }: Piece, isUnfinished: boolean): Term {
  if (isQuoted) return { text: typed, phrases: phraseOf(text) }
  const stem = text.replace(/\*+$/, '')
  return { text: typed, phrases: phrasesOfWord(stem, isUnfinished || stem !== text) }
}

/** Takes terms as long as there is room. */
function createBound() {
  const ignored: string[] = []
  let terms = 0
  let shortPrefixes = 0
  const take = (typed: string, read: () => Term): Term | undefined => {
    // A page that was pasted is not read to its end.
    const term = terms === queryLimits.terms ? undefined : read()
    if (term?.phrases.length === 0) return undefined
    const short = term?.phrases.filter(isShortPrefix).length ?? 0
    if (term === undefined || shortPrefixes + short > queryLimits.shortPrefixes) {
      if (ignored.length < queryLimits.ignored) ignored.push(typed)
      return undefined
    }
    terms += 1
    shortPrefixes += short
    return term
  }
  return { take, ignored }
}

function isShortPrefix({ tokens, isPrefix }: Phrase): boolean {
  return isPrefix && Array.from(tokens.at(-1) ?? '').length === 1
}

type Item =
  | { readonly kind: 'word'; readonly piece: Piece }
  | { readonly kind: 'filter'; readonly filter: QueryFilter }
  | { readonly kind: 'problem'; readonly text: string }

function read(piece: Piece, timeZone: string): Item {
  const { filter: name, text, typed, isExcluded } = piece
  if (name === undefined) return { kind: 'word', piece }
  if (name === 'before' || name === 'after') {
    const value = parseDate(text, timeZone)
    return value === undefined
      ? { kind: 'problem', text: typed }
      : { kind: 'filter', filter: { name, value, isExcluded } }
  }
  const value = knownValue(name, text)
  if (value !== undefined) return { kind: 'filter', filter: { name, value, isExcluded } as QueryFilter }
  // A value that none has (`type:string`): text.
  const { filter: _, ...rest } = piece
  return { kind: 'word', piece: { ...rest, text: `${name}:${text}`, isQuoted: false } }
}

const known: { readonly [name in FilterName]?: readonly string[] } = {
  role: roles,
  type: sessionTypes,
  in: ['text', 'tool', 'all'],
}

function knownValue(name: FilterName, text: string): string | undefined {
  const values = known[name]
  if (values === undefined) return text === '' ? undefined : text
  return values.find((value) => value === text.toLowerCase())
}
