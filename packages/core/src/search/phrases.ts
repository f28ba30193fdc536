// What a word or a quoted phrase of a query looks for: tokens that stand one after the other.

import { type Token, tokenize } from './tokens.ts'

export interface Phrase {
  readonly tokens: readonly [string, ...string[]]
  /** Whether the last token is only the beginning of one. */
  readonly isPrefix: boolean
}

/**
 * What a word looks for: its parts as a phrase, for camelCase the joined form as well, for `c++` that alone. None where
 * it holds no token.
 */
export function phrasesOfWord(word: string, isPrefix = false): Phrase[] {
  const tokens = tokenize(word)
  const parts = tokens.filter(({ kind }) => kind !== 'joined')
  // A joined form counts where it is the whole word, not one name in a path.
  const whole = tokens.filter(
    ({ kind, start, end }) =>
      kind === 'joined' && start === parts[0]?.start && end >= (parts.at(-1)?.end ?? 0),
  )
  const sign = whole.find(({ text }) => /[+#]$/.test(text))
  const joined = (sign ? [sign] : whole).flatMap(({ text }) => phrase([text], isPrefix))
  return sign ? joined : [...phraseOfTokens(parts, isPrefix), ...joined]
}

/** What a quoted text looks for. */
export function phraseOf(text: string): Phrase[] {
  return phraseOfTokens(
    tokenize(text).filter(({ kind }) => kind !== 'joined'),
    false,
  )
}

function phraseOfTokens(parts: readonly Token[], isPrefix: boolean): Phrase[] {
  const texts: string[] = []
  let beginsRun = false
  parts.forEach((token, index) => {
    const isEnd = index === parts.length - 1
    const followsPair = parts[index - 1]?.kind === 'pair'
    // The pair before says it all, unless something follows: then it says what that follows on.
    if (token.kind === 'last' && isEnd && followsPair) return
    texts.push(token.text)
    // One character is the beginning of a pair, or stands alone.
    if (token.kind === 'last' && isEnd) beginsRun = true
  })
  return phrase(texts, isPrefix || beginsRun)
}

function phrase(texts: readonly string[], isPrefix: boolean): Phrase[] {
  const [first, ...rest] = texts
  return first === undefined ? [] : [{ tokens: [first, ...rest], isPrefix }]
}
