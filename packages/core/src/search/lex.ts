// Cuts a query into words, quoted texts and `name:value` pairs. A quote, a dash or a colon that does not begin anything is
// punctuation within its word.

export const filterNames = [
  'role',
  'type',
  'session',
  'cwd',
  'channel',
  'tool',
  'tag',
  'before',
  'after',
  'in',
] as const
export type FilterName = (typeof filterNames)[number]

export interface Piece {
  /** As it was typed, the dash included. */
  readonly typed: string
  /** Without dash, quotes and name. */
  readonly text: string
  readonly isExcluded: boolean
  readonly isQuoted: boolean
  /** For `name:value` of a known name. */
  readonly filter?: FilterName
}

// A dash excludes what follows; two are text.
const dash = /-(?![-\s]|$)/y
const name = new RegExp(`(${filterNames.join('|')}):(?=[^\\s])`, 'y')
const quoted = /"([^"]*)(?:"|$)/y
const word = /\S+/y
const blank = /[\s\p{Cc}]+/uy

/** The pieces of a query in their order; never throws. */
export function* lex(query: string): Generator<Piece, void, undefined> {
  const text = query.replaceAll('：', ':').replace(/[“”「」＂]/g, '"')
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  while (at < text.length) {
    if (take(blank)) continue
    const start = at
    const isExcluded = take(dash) !== null
    const filter = take(name)?.[1] as FilterName | undefined
    const phrase = take(quoted)
    const found = phrase ?? take(word)
    const typed = text.slice(start, at)
    yield {
      typed,
      text: (phrase ? phrase[1] : found?.[0]) ?? '',
      isExcluded,
      isQuoted: phrase !== null,
      ...(filter === undefined ? {} : { filter }),
    }
  }
}
