// Text as search sees it: a row of tokens, made the same way from what is stored and from what is asked for. Whatever
// changes here changes what an index must hold.

import { foldText } from '../text/fold.ts'

/** Stands between blocks and before joined forms, so that no phrase reaches across. No text makes this token. */
const gapToken = '#'

export interface Token {
  /** Folded; at most 64 code points. */
  readonly text: string
  /** Where it stands in the text it was made from, UTF-16, end excluded. */
  readonly start: number
  readonly end: number
  /** Tokens of a phrase have positions one after the other. */
  readonly position: number
  /** What it is apart from a word or a part of one: of a run of a script without spaces a pair or its last character. */
  readonly kind?: 'pair' | 'last' | 'joined'
}

const tokenLength = 64

// Han, kana, Hangul, Thai, Lao, Khmer, Burmese: letters, marks and digits of theirs, with those they share (々, ー).
const pairScripts = ['Han', 'Hira', 'Kana', 'Hang', 'Thai', 'Lao', 'Khmr', 'Mymr']
const pairCharacter = `(?=[\\p{L}\\p{M}\\p{N}])[${pairScripts.map((script) => `\\p{scx=${script}}`).join('')}]`
const pictograph = '\\p{ExtPict}(?:\\ufe0f|\\p{EMod})*'
const emoji = `\\p{RI}\\p{RI}|${pictograph}(?:\\u200d${pictograph})*`
const wordCharacter = `(?!${pairCharacter})[\\p{L}\\p{N}\\p{M}\\p{DI}]`
const word = `(?!\\p{DI})${wordCharacter}(?:${wordCharacter})*`
const symbols = '(?:\\+\\+|#)(?!\\p{L})'

const anyScanner = new RegExp(
  `(?<pairs>(?:${pairCharacter})+)|(?<emoji>${emoji})|(?<word>${word})(?<symbols>${symbols})?`,
  'gu',
)
// What most text and all code is.
const asciiScanner = /(?<word>[0-9A-Za-z]+)(?<symbols>(?:\+\+|#)(?![A-Za-z]))?/g
const isAscii = /^[\0-\x7f]*$/

// Before a capital behind a small letter, and before the last capital of a run that a small letter follows.
const hump = /(?<=\p{Ll}\p{M}*)(?=\p{Lu})|(?<=\p{Lu}\p{M}*)(?=\p{Lu}\p{M}*\p{Ll})/u
const asciiHump = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/
const versionMark = /^[vV](?=\p{Nd})/u
const asciiSigns = /[\0-/:-`{-\x7f]+/g
const ignorable = /\p{DI}+/gu

/** The tokens of a text, those of a position before those of later ones; joined forms come last. */
export function tokenize(text: string): Token[] {
  const ascii = isAscii.test(text)
  const tokens: Token[] = []
  const joined: Token[] = []
  let position = 0
  const add = (folded: string, start: number, end: number, kind?: 'pair' | 'last') => {
    if (folded === '') return
    tokens.push({ text: folded, start, end, position: position++, ...(kind === undefined ? {} : { kind }) })
  }
  for (const match of text.matchAll(ascii ? asciiScanner : anyScanner)) {
    const {
      pairs,
      emoji: picture,
      word: whole = '',
      symbols: sign,
    } = match.groups as {
      readonly [name: string]: string | undefined
    }
    const start = match.index
    if (pairs !== undefined) {
      addPairs(pairs, start, add)
      continue
    }
    if (picture !== undefined) {
      add(cut(picture.replaceAll('\ufe0f', '')), start, start + picture.length)
      continue
    }
    const parts = partsOf(whole, ascii)
    let at = start
    for (const part of parts) {
      for (const piece of foldWord(part, ascii)) add(piece, at, at + part.length)
      at += part.length
    }
    const humps = parts.length - (versionMark.test(whole) ? 1 : 0)
    const folded = humps > 1 || sign !== undefined ? foldWord(whole, ascii).join('') : ''
    if (humps > 1) joined.push(joinedToken(folded, start, at))
    if (sign !== undefined)
      joined.push(joinedToken(`${cut(folded, tokenLength - sign.length)}${sign}`, start, at + sign.length))
  }
  // Each behind a gap of its own.
  for (const token of joined) {
    position += 2
    tokens.push({ ...token, position: position - 1 })
  }
  return tokens
}

function joinedToken(text: string, start: number, end: number): Token {
  return { text: cut(text), start, end, position: 0, kind: 'joined' }
}

function partsOf(word: string, ascii: boolean): string[] {
  const parts = word.split(ascii ? asciiHump : hump)
  const first = parts[0] ?? ''
  return versionMark.test(first) ? [first.slice(0, 1), first.slice(1), ...parts.slice(1)] : parts
}

/** Folding may make several words of one character (½). */
function foldWord(word: string, ascii: boolean): string[] {
  if (ascii) return [cut(word.toLowerCase())]
  const folded = foldText(word.replace(ignorable, ''))
  return folded.split(asciiSigns).flatMap((piece) => (piece === '' ? [] : [cut(piece)]))
}

function cut(text: string, length = tokenLength): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join('')
}

// One character each, and already as folding would leave it.
const plainPair = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]+$/
// What composes to one character must be folded together: marks, halfwidth voicing, Hangul letters.
const cluster = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\uffa0-\uffdc]+|.[\p{M}\uff9e\uff9f]*/gsu

/** Overlapping pairs, and the last character alone. */
function addPairs(
  run: string,
  start: number,
  add: (text: string, start: number, end: number, kind: 'pair' | 'last') => void,
): void {
  const characters = plainPair.test(run) ? null : foldClusters(run)
  const count = characters?.length ?? run.length
  const at = (index: number) =>
    characters?.[index] ?? { text: run.charAt(index), start: index, end: index + 1 }
  for (let index = 0; index < count; index++) {
    const one = at(index)
    if (index === count - 1) add(one.text, start + one.start, start + one.end, 'last')
    else {
      const next = at(index + 1)
      add(one.text + next.text, start + one.start, start + next.end, 'pair')
    }
  }
}

interface Character {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The folded characters of a run, each with the place of the cluster it comes from. */
function foldClusters(run: string): Character[] {
  return Array.from(run.matchAll(cluster)).flatMap(({ 0: given, index }) => {
    // Signs that folding brings out (㈠) are none of the run.
    const folded = Array.from(foldText(given).replace(asciiSigns, ''))
    const kept = Array.from(given)
    let start = index
    return folded.map((text, place): Character => {
      // As many as before: one for one.
      if (folded.length !== kept.length) return { text, start: index, end: index + given.length }
      const end = start + (kept[place] as string).length
      const character = { text, start, end }
      start = end
      return character
    })
  })
}

/** The texts of the index for one row: its tokens, gaps where no phrase may reach across. */
export function preparedText(tokens: readonly Token[]): string {
  let last = -1
  const words: string[] = []
  for (const { text, position } of tokens) {
    if (position > last + 1) words.push(gapToken)
    words.push(text)
    last = position
  }
  return words.join(' ')
}
