// A parsed query as text for MATCH. User text reaches it as quoted tokens alone, which hold letters, digits, "+" and "#".
// What it finds holds everything that answers; core checks the rest by the messages' own text.

import { type ParsedQuery, type Phrase, phraseOf, type Term } from '@sess/core/adapter'
import { kindToken, roleToken, sessionToken } from './prepare.ts'

/** Longer phrases cost milliseconds a token. */
const phraseTokens = 32

export interface MatchScope {
  readonly columns: readonly ('text' | 'tool')[]
  /** Row ids; absent: sessions are not looked at. */
  readonly sessions?: readonly number[] | undefined
  /** Any of them; empty: all. */
  readonly roles: readonly string[]
  /** Any of them; empty: all. */
  readonly sessionTypes: readonly string[]
  /** Names of tools of which one is called; empty: not looked at. */
  readonly tools: readonly string[]
}

/** The text for MATCH over `messages_fts`; `undefined` where there is nothing to look for and every row may answer. */
export function matchText({ clauses, excluded }: ParsedQuery, scope: MatchScope): string | undefined {
  const columns = `{${scope.columns.join(' ')}}`
  const all = [
    ...clauses.map((terms) => `${columns} : (${anyOf(terms.flatMap(phrasesOf))})`),
    ...toolNames(scope.tools),
    ...scopeOf(scope),
  ]
  if (all.length === 0) return undefined
  const none = excluded.flatMap(({ phrases }) => phrases.filter((phrase) => !isLong(phrase)).map(quote))
  return none.length === 0
    ? all.join(' AND ')
    : `(${all.join(' AND ')}) NOT (${columns} : (${none.join(' OR ')}))`
}

/** The text for MATCH over `sessions_fts`: names that hold any of the terms. */
export function nameMatchText(terms: readonly Term[]): string | undefined {
  const phrases = terms.flatMap(phrasesOf)
  return phrases.length === 0 ? undefined : anyOf(phrases)
}

/** Whether whatever MATCH finds answers: nothing was shortened, and no filter needs the message itself. */
export function isExact({ clauses, excluded }: ParsedQuery): boolean {
  return [...clauses.flat(), ...excluded].every(({ phrases }) => !phrases.some(isLong))
}

function scopeOf({ sessions, roles, sessionTypes }: MatchScope): string[] {
  // A session's kind is its own: named sessions need none.
  const kinds = sessions === undefined ? new Set(sessionTypes.map(kindToken)) : new Set<string>()
  return [sessions?.map(sessionToken) ?? [], roles.map(roleToken), kinds.size === 1 ? [...kinds] : []]
    .filter((tokens) => tokens.length > 0)
    .map((tokens) => `scope : (${tokens.map((token) => `"${token}"`).join(' OR ')})`)
}

/** Of a name without a token nothing can be said. */
function toolNames(names: readonly string[]): string[] {
  const phrases = names.map(phraseOf)
  return phrases.length === 0 || phrases.some((some) => some.length === 0)
    ? []
    : [`tool : (${anyOf(phrases.flat().map(head))})`]
}

function phrasesOf({ phrases }: Term): string[] {
  return phrases.map(head)
}

function anyOf(phrases: readonly string[]): string {
  return phrases.join(' OR ')
}

function isLong({ tokens }: Phrase): boolean {
  return tokens.length > phraseTokens
}

/** What a phrase begins with, as far as it is looked up. */
function head(phrase: Phrase): string {
  const [first, ...rest] = phrase.tokens
  return quote(
    isLong(phrase) ? { tokens: [first, ...rest.slice(0, phraseTokens - 1)], isPrefix: false } : phrase,
  )
}

function quote({ tokens, isPrefix }: Phrase): string {
  return `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`
}
