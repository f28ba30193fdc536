import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from '../text/fold.ts'
import { columnOf } from './extract.ts'
import { highlightSnippet } from './highlight.ts'
import { findTerm, indexTokens } from './match.ts'
import { parseQuery } from './query.ts'
import { cutSnippet } from './snippet.ts'

const termsOf = (query: string) => parseQuery(query, { timeZone: 'UTC' }).clauses.flat()
const snippet = (query: string, ...texts: string[]) => cutSnippet(columnOf(texts), termsOf(query))
const marked = (query: string, ...texts: string[]) => highlightSnippet(snippet(query, ...texts))
const filler = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ')

describe('a snippet', () => {
  test.each([
    ['short text whole', 'times', 'The call times out', 'The call [times] out'],
    ['every place', 'a b', 'a x b a', '[a] x [b] [a]'],
    ['a phrase as one', '"call times"', 'The call times out', 'The [call times] out'],
    ['parts of a name', 'sessions', 'The listSessions() call', 'The list[Sessions]() call'],
    ['a name whole', 'listsessions', 'The listSessions() call', 'The [listSessions]() call'],
    ['folded text as it stands', 'strasse uber', 'Über die Straße', '[Über] die [Straße]'],
    ['pairs as one', '悬空引用', '后50条悬空引用清零', '后50条[悬空引用]清零'],
    ['words side by side as one', '悬空 引用', '条悬空引用清', '条[悬空引用]清'],
    ['halfwidth', 'セッション', 'x ｾｯｼｮﾝの', 'x [ｾｯｼｮﾝ]の'],
    ['blanks as one', 'b', 'a \n\n\t b\u0000c', 'a [b] c'],
    ['nothing found', 'zzz', 'The call', 'The call'],
  ])('marks %s', (_, query, text, expected) => {
    expect(marked(query, text)).toBe(expected)
  })

  test('is about 32 words around the densest passage', () => {
    const text = `needle ${filler('a', 100)} needle pin ${filler('b', 100)}`
    const { text: shown } = snippet('needle pin', text)
    expect(marked('needle pin', text)).toBe(
      `…${Array.from({ length: 15 }, (_, index) => `a${index + 85}`).join(' ')} [needle] [pin] ${filler('b', 15)}…`,
    )
    expect(shown.split(' ').length).toBe(32)
  })

  test('at the end of a text shows more of what was before', () => {
    expect(marked('needle', `${filler('a', 100)} needle`)).toBe(
      `…${Array.from({ length: 31 }, (_, index) => `a${index + 69}`).join(' ')} [needle]`,
    )
  })

  test('of a script without spaces is 64 pairs', () => {
    const { text } = snippet('引用', `${'空'.repeat(100)}引用${'清'.repeat(100)}`)
    expect(text.length).toBe(1 + 65 + 1)
  })

  test('comes from one block or several', () => {
    expect(marked('a d', 'a b', 'c d')).toBe('[a] b c [d]')
    expect(snippet('x')).toEqual({ text: '', ranges: [] })
  })
})

describe('highlightSnippet', () => {
  test('escapes the text but not the marks', () => {
    const { text, ranges } = snippet('b', `<a href="x">'b' & c</a> ${filler('w', 60)}`)
    expect(
      highlightSnippet({ text, ranges }, { open: '<b>', close: '</b>', ellipsis: '...', escape: 'html' }),
    ).toMatch(/^&lt;a href=&quot;x&quot;&gt;&#39;<b>b<\/b>&#39; &amp; c&lt;\/a&gt; w0 .*\.\.\.$/)
  })

  test.each([
    [[[2, 1]]],
    [[[0, 9]]],
    [
      [
        [0, 2],
        [1, 3],
      ],
    ],
    [[[-1, 1]]],
  ] as const)('refuses %j', (ranges) => {
    expect(() => highlightSnippet({ text: 'abcd', ranges: ranges as never })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    )
  })
})

test('each range marks text that folds to a term, on whole graphemes, in order', () => {
  const word = fc.constantFrom(
    'Straße',
    'Über',
    'ＡＢ',
    '悬空引用',
    'ｾｯｼｮﾝ',
    'セッション',
    '세션',
    'e\u0301',
    'listSessions',
    '👩‍👩‍👧',
    '\n',
    'x',
    '½',
  )
  const query = fc.constantFrom(
    'strasse',
    'uber',
    'ab',
    '空引',
    'セッション',
    '세션',
    'e',
    'list',
    'sessions',
    '👩‍👩‍👧',
    'x',
  )
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 120 }),
      fc.array(query, { minLength: 1, maxLength: 3 }),
      (words, queries) => {
        const text = words.join(' ')
        const { text: shown, ranges } = snippet(queries.join(' '), text)
        const column = indexTokens(columnOf([text]).tokens)
        const found = termsOf(queries.join(' ')).some((term) => findTerm(column, term).length > 0)
        expect(ranges.length > 0).toBe(found)
        let last = 0
        for (const [start, end] of ranges) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(queries.some((one) => foldText(shown.slice(start, end)).includes(one))).toBe(true)
          last = end
        }
        expect(shown).toBe(shown.toWellFormed())
        expect(last).toBeLessThanOrEqual(shown.length)
      },
    ),
    { numRuns: 500 },
  )
})
