import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from './fold.ts'

describe('foldText', () => {
  test.each([
    ['case', 'Hello WORLD', 'hello world'],
    ['ß as ss', 'Straße', 'strasse'],
    ['capital ẞ as ss', 'STRAẞE', 'strasse'],
    ['accents of Latin letters', 'ÀÉîõüçñ', 'aeioucn'],
    ['accents written as marks of their own', 'e\u0301a\u0308\u0304', 'ea'],
    ['several accents on one letter', 'Việt Nam ǘ', 'viet nam u'],
    ['a capital I with a dot', 'İstanbul', 'istanbul'],
    ['Greek accents and the final sigma', 'Ελλάς', 'ελλασ'],
    ['Greek capitals', 'ΕΛΛΆΣ', 'ελλασ'],
    ['Cyrillic diacritics', 'Ёлка, Йод', 'елка, иод'],
    ['full-width letters', 'ＳＱＬｉｔｅ　１２', 'sqlite 12'],
    ['ligatures', 'ﬁx oﬀ', 'fix off'],
    ['double letters', 'ǅ Ĳ', 'dz ij'],
    ['signs that are letters', 'K Å µ ℌ', 'k a μ h'],
    ['raised digits', 'x²', 'x2'],
    ['half-width kana', 'ｾｯｼｮﾝ', 'セッション'],
  ])('folds %s', (_, text, expected) => {
    expect(foldText(text)).toBe(expected)
  })

  test.each([
    ['Thai marks', 'การกู้คืนเซสชัน'],
    ['dakuten and handakuten', 'がぱガパ'],
    ['Hangul', '세션 복원'],
    ['Han', '会话恢复'],
    ['Devanagari marks', 'हिन्दी'],
    ['Hebrew points', 'שָׁלוֹם'],
    ['Arabic marks', 'كِتَاب'],
    ['letters whose stroke is no diacritic', 'øłđħ'],
    ['an emoji of several parts', '👩‍👩‍👧 1️⃣'],
    ['punctuation and digits', "foo_bar-2.0 (don't) c++"],
  ])('keeps %s', (_, text) => {
    expect(foldText(text)).toBe(text.normalize('NFC'))
  })

  test('takes composed and decomposed forms for the same', () => {
    for (const text of ['Ünïcödé', 'Ёлка', 'がぱ', '세션', 'Ελλάς']) {
      expect(foldText(text.normalize('NFD'))).toBe(foldText(text.normalize('NFC')))
    }
  })

  test('changes nothing when done twice', () => {
    // Latin, Greek, Cyrillic with their marks, and everything else.
    const letter = fc.oneof(
      fc.integer({ min: 0x41, max: 0x52f }).map((code) => String.fromCodePoint(code)),
      fc.integer({ min: 0x1e00, max: 0x212b }).map((code) => String.fromCodePoint(code)),
      fc.string({ unit: 'binary', maxLength: 1 }),
    )
    fc.assert(
      fc.property(fc.array(letter), (letters) => {
        const folded = foldText(letters.join(''))
        expect(foldText(folded)).toBe(folded)
      }),
      { numRuns: 2000 },
    )
  })

  test('takes upper and lower case of a text for the same', () => {
    const letters = fc.constantFrom(...'aäßéñiøœzαάςσωϊбёйяğşŉǰΐﬃﬆÀÉΩЖЙİ漢がก')
    fc.assert(
      fc.property(fc.string({ unit: letters }), (text) => {
        expect(foldText(text.toLowerCase())).toBe(foldText(text))
        expect(foldText(text.toUpperCase())).toBe(foldText(text))
      }),
      { numRuns: 500 },
    )
  })

  test('a dotless i is a letter of its own, as in full case folding', () => {
    expect(foldText('ı')).toBe('ı')
  })
})
