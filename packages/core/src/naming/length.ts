// How long a name may be, and where a longer one is cut: by cost, grapheme by grapheme, so that a prefix always costs
// what it did and one rule serves every mixture of scripts. An emoji joined by ZWJ is one grapheme.

import { limits } from '../limits.ts'

/** Letters and digits of Han, Hiragana, Katakana and Hangul: the scripts whose names are counted in characters. */
const cjk = /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\p{L}\p{N}]]/v
const cjkEach = new RegExp(cjk.source, 'gv')
const otherWords =
  /[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]][[\p{L}\p{M}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]]*/gv
const kanaOrHangul = /[[\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\p{L}]]/gv
const widePunctuation = /^[\u3000-\u303f\uff00-\uffef]/
/** Words of these stand without spaces between them and are counted by their length. */
const spaceless = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const emoji = /\p{Emoji_Presentation}|\ufe0f/u

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters of a name in CJK, words of any other, where a caller gives no limit. */
export const nameLimits = { characters: 10, words: 6 } as const

/** A word is this long at most, on the average. */
const wordLength = 16

/** How much of a text is CJK, from 0 to 1: its CJK characters among those and the words of other scripts. */
export function cjkShare(text: string): number {
  const characters = text.match(cjkEach)?.length ?? 0
  return characters === 0 ? 0 : characters / (characters + (text.match(otherWords)?.length ?? 0))
}

/** Whether a text that is mostly CJK is Chinese: hardly any of it is kana or Hangul. */
export function isChinese(text: string): boolean {
  const characters = text.match(cjkEach)?.length ?? 0
  return cjkShare(text) >= 0.5 && (text.match(kanaOrHangul)?.length ?? 0) <= characters / 20
}

/** The first `end` UTF-16 units of a text, or a few less where that would split a grapheme. */
export function wholeGraphemes(text: string, end: number): string {
  if (text.length <= end) return text
  // What follows matters only so far as it may belong to the last one.
  const last = graphemes.segment(text.slice(0, end + 64)).containing(end)
  return text.slice(0, last?.index || end)
}

/**
 * The beginning of a line that a name has room for: whole words, whole graphemes.
 *
 * A CJK character (also a wide punctuation mark, or a space behind a CJK character) takes a tenth of the room, another
 * word or an emoji a sixth, so that a mixed name has its share of both; with `limit` each takes one of that many. Thai,
 * Lao, Khmer and Burmese count five graphemes a word. In any case it ends after 16 graphemes a word on the average, and
 * after 500 code points.
 */
export function cutName(line: string, limit?: number): string {
  const words = limit ?? nameLimits.words
  const wordCost = 5
  const room = wordCost * words
  const characterCost = limit === undefined ? room / nameLimits.characters : wordCost
  let [spent, count, codePoints, end] = [0, 0, 0, 0]
  let inWord = false
  let behindCjk = false
  for (const { segment, index } of graphemes.segment(line)) {
    const isCjk = cjk.test(segment) || widePunctuation.test(segment)
    if (segment.trim() === '') {
      spent += behindCjk ? characterCost : 0
      inWord = false
    } else if (isCjk) {
      spent += characterCost
      inWord = false
    } else if (spaceless.test(segment)) {
      spent += 1
      inWord = false
    } else {
      // A word is paid for at its beginning, so it comes whole or not at all.
      spent += inWord ? (emoji.test(segment) ? characterCost : 0) : wordCost
      inWord = true
    }
    behindCjk = isCjk
    count++
    for (const _ of segment) codePoints++
    if (spent > room || count > wordLength * words || codePoints > limits.name) break
    end = index + segment.length
  }
  return line.slice(0, end)
}
