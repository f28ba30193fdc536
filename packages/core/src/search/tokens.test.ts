import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from '../text/fold.ts'
import { preparedText, tokenize } from './tokens.ts'

const prepared = (text: string) => preparedText(tokenize(text))

test.each([
  ['words are folded', 'Über naïve café straße ПРИВЕТ', 'uber naive cafe strasse привет'],
  [
    'names fall into their parts, and camelCase is joined as well',
    'The listSessions() call',
    'the list sessions call # listsessions',
  ],
  [
    'paths and codes',
    'src/session/manager.ts SQLITE_BUSY_SNAPSHOT exit_code=517',
    'src session manager ts sqlite busy snapshot exit code 517',
  ],
  ['a run of capitals', 'HTTPServer parseURL', 'http server parse url # httpserver # parseurl'],
  ['letters and digits stay together', 'utf8Decoder x86 3d', 'utf8decoder x86 3d'],
  ['a version', 'v22.13 V8 rev8', 'v 22 13 v 8 rev8'],
  ['names with signs', 'C++ and c# or a+b, x#y, C++17', 'c and c or a b x y c 17 # c++ # c# # c++'],
  ['Chinese beside Latin', '重跑gen-itgc后50条', '重跑 跑 gen itgc 后 50 条'],
  ['one character', '步2', '步 2'],
  ['kana, halfwidth too', 'ｾｯｼｮﾝ が', 'セッ ッシ ショ ョン ン が'],
  ['halfwidth voicing composes', 'ｶﾞｷﾞ', 'ガギ ギ'],
  ['Hangul, decomposed too', '복원 \u1112\u1161\u11ab글', '복원 원 한글 글'],
  ['Thai keeps its marks', 'เซสชัน', 'เซ ซส สช ชั ัน น'],
  ['fullwidth', 'ＳＱＬ ｉｔｅ', 'sql ite'],
  ['fullwidth camelCase', 'ＳＱＬite', 'sq lite # sqlite'],
  ['an emoji is one', 'a 👩‍👩‍👧❤️🇩🇪 b', 'a 👩‍👩‍👧 ❤ 🇩🇪 b'],
  ['beyond the first plane', '𠮷野家', '𠮷野 野家 家'],
  ['a fraction', 'a ½ b', 'a 1⁄2 b'],
  ['signs that folding brings out', '㈠', '一'],
  ['invisible characters', 'a\u00adb c\u200bd', 'ab cd'],
  ['no words', ' -- \0 \ud83d # ++ ', ''],
])('%s', (_, text, expected) => {
  expect(prepared(text)).toBe(expected)
})

test('a token has at most 64 characters', () => {
  expect(prepared('x'.repeat(100))).toBe('x'.repeat(64))
  expect(prepared(`${'𝒳'.repeat(100)}`)).toBe('x'.repeat(64))
  expect(prepared(`${'x'.repeat(100)}++`)).toBe(`${'x'.repeat(64)} # ${'x'.repeat(62)}++`)
})

describe('whatever the text', () => {
  const words = fc.constantFrom(
    'listSessions',
    'HTTPServer',
    'C++',
    'f#',
    'v8',
    '悬空引用',
    'セッション',
    'ｶﾞ',
    '세션',
    'เซสชัน',
    'ﷺ',
    'İ',
    'ß',
    '½',
    '👩‍👩‍👧',
    '❤️',
    '🇩🇪',
    '\u200d',
    '\ufe0f',
    '\ud83d',
    '_',
    '/',
    ' ',
    '\0',
    '#',
    '++',
    'ǆ',
    'ﬁ',
    'Σς',
    '\u0301',
    '๐',
  )
  const text = fc
    .array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 12 })
    .map((list) => list.join(''))

  test('tokens stand in order, inside it, and an index would cut them at the same places', () => {
    fc.assert(
      fc.property(text, (given) => {
        const tokens = tokenize(given)
        let last = -1
        for (const token of tokens) {
          expect(token.position).toBeGreaterThan(last)
          last = token.position
          expect(token.start).toBeLessThan(token.end)
          expect(token.end).toBeLessThanOrEqual(given.length)
          // The tokenizer of the index knows ASCII only: letters, digits, `+` and `#` are of a token, all other ASCII is not.
          expect(token.text).toMatch(/^[^\0-"$-*,-/:-`{-\x7f]+$/)
          expect(token.text).toBe(token.text.toWellFormed())
          expect(Array.from(token.text).length).toBeLessThanOrEqual(64)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('folding first changes nothing but camelCase and signs', () => {
    const plain = fc.array(
      fc.constantFrom('straße', 'ПРИВЕТ', '悬空', 'ｾｯｼｮﾝ', '세션', 'เซสชัน', '/', 'İ', 'ﬁ', 'ＡＢ'),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(plain, (list) => {
        const given = list.join(' ')
        expect(tokenize(foldText(given)).map((token) => token.text)).toEqual(
          tokenize(given).map((token) => token.text),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('a piece of a text without spaces is a phrase of its pairs', () => {
    const character = fc.constantFrom(...'悬空引用清零修复验证セッションの復元세션을복원เซสชันล้มเหลว𠮷野家')
    fc.assert(
      fc.property(
        fc.array(character, { minLength: 2, maxLength: 20 }),
        fc.nat(),
        fc.nat(),
        (list, from, count) => {
          const start = from % (list.length - 1)
          const piece = list.slice(start, start + 2 + (count % (list.length - start - 1)))
          const sought = ` ${tokenize(piece.join(''))
            .filter(({ kind }) => kind === 'pair')
            .map((token) => token.text)
            .join(' ')} `
          expect(` ${prepared(`x ${list.join('')} y`)} `).toContain(sought)
        },
      ),
      { numRuns: 500 },
    )
  })
})
