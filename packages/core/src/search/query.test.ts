import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holds } from './candidates.ts'
import { indexTokens } from './match.ts'
import { parseQuery, type Term } from './query.ts'
import { tokenize } from './tokens.ts'

const parse = (text: string, prefixLast = false) => parseQuery(text, { timeZone: 'UTC', prefixLast })

const show = ({ phrases }: Term) =>
  phrases.map(({ tokens, isPrefix }) => `${tokens.join(' ')}${isPrefix ? '*' : ''}`).join(' / ')

/** Clauses joined by `&`, alternatives by `|`, exclusions behind `!`. */
function shown(text: string, prefixLast = false): string {
  const { clauses, excluded } = parse(text, prefixLast)
  return [
    ...clauses.map((terms) => terms.map(show).join(' | ')),
    ...excluded.map((term) => `!${show(term)}`),
  ].join(' & ')
}

describe('terms', () => {
  test.each([
    ['words are joined by and', 'naïve CAFÉ', 'naive & cafe'],
    ['a quoted text is a phrase', '"at line 42" now', 'at line 42 & now'],
    ['other quotes are quotes', '“at line” 「悬空引用」', 'at line & 悬空 空引 引用'],
    ['an open quote ends with the query', 'a "b c', 'a & b c'],
    ['a quote within a word is punctuation', `foo"bar don't`, 'foo bar & don t'],
    ['a name is a phrase of its parts', 'session/manager.ts', 'session manager ts'],
    ['camelCase matches joined too', 'listSessions', 'list sessions / listsessions'],
    ['quoted only by its parts', '"listSessions call"', 'list sessions call'],
    ['within a path too', 'src/myFile.ts', 'src my file ts'],
    ['a name with a sign is that name', 'C++ c#', 'c++ & c#'],
    ['quoted, its letters', '"C++"', 'c'],
    ['in a longer name, its parts', 'std::c++17', 'std c 17'],
    ['a prefix', 'templ* listSes*', 'templ* & list ses* / listses*'],
    ['a run is a phrase of its pairs', '悬空引用', '悬空 空引 引用'],
    ['with its last character where something follows', '重跑gen "恢复 到"', '重跑 跑 gen & 恢复 复 到*'],
    ['one character is a beginning', '恢 50条', '恢* & 50 条*'],
    ['but exact where something follows', '跑gen', '跑 gen'],
    ['punctuation is nothing', '* ** - -- ( ) ; ,', ''],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toBe(expected)
  })
})

test.each([
  ['foo ba', 'foo & ba*'],
  ['foo ba ', 'foo & ba'],
  ['"foo ba"', 'foo ba'],
  ['foo role:user', 'foo'],
])('of %j the last word is a prefix as one types', (text, expected) => {
  expect(shown(text, true)).toBe(expected)
})

describe('operators', () => {
  test.each([
    ['OR binds tighter than and', 'a b OR c d', 'a & b | c & d'],
    ['over several', 'a OR b OR c', 'a | b | c'],
    ['in capitals only', 'a or b', 'a & or & b'],
    ['at an end it is a word', 'OR a OR', 'or & a & or'],
    ['beside an exclusion too', 'a OR -b', 'a & or & !b'],
    ['AND is no word', 'a AND b AND', 'a & b'],
    ['other operators are words', 'end NOT NEAR(more', 'end & not & near more'],
    ['a dash excludes', 'a -b -"c d"', 'a & !b & !c d'],
    ['two dashes do not', 'a --b', 'a & b'],
    ['nor a dash alone or inside', 'a - b-c', 'a & b c'],
    ['with nothing to exclude from it is text', '-x -y', 'x & y'],
    ['beside a filter it excludes', 'role:user -x', '!x'],
    ['quoted operators are words', 'a "OR" b "AND"', 'a & or & b & and'],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toBe(expected)
  })
})

describe('filters', () => {
  const filters = (text: string) =>
    parse(text).filters.map(({ name, value, isExcluded }) => `${isExcluded ? '-' : ''}${name}=${value}`)

  test('each is known by its name, negated too', () => {
    expect(
      filters(
        'role:user -type:hidden session:20260301_1 cwd:"/home/a b" channel:web tool:bash -tag:x in:tool role：assistant',
      ),
    ).toEqual([
      'role=user',
      '-type=hidden',
      'session=20260301_1',
      'cwd=/home/a b',
      'channel=web',
      'tool=bash',
      '-tag=x',
      'in=tool',
      'role=assistant',
    ])
  })

  test.each([
    ['an unknown name', 'col:val', 'col val'],
    ['a value that none has', 'type:string role:nobody', 'type string & role nobody'],
    ['no value', 'text: role: x', 'text & role & x'],
    ['a quoted name', '"role:user"', 'role user'],
  ])('%s is text', (_, text, expected) => {
    expect(filters(text)).toEqual([])
    expect(shown(text)).toBe(expected)
  })

  const march = Date.UTC(2026, 2, 1)
  test.each([
    ['a day', 'after:2026-03-01', march],
    ['a time', 'before:2026-03-01T09:30', march + 9.5 * 3_600_000],
    ['an offset', 'after:2026-03-01T00:00+08:00', march - 8 * 3_600_000],
    ['with a space, quoted', 'after:"2026-03-01 00:00:01.5Z"', march + 1500],
  ])('%s is exact', (_, text, value) => {
    expect(parse(text).filters.map((filter) => filter.value)).toEqual([value])
  })

  test('a day is one of the zone', () => {
    const { filters: found } = parseQuery('after:2026-03-29 before:2026-03-30', { timeZone: 'Europe/Berlin' })
    // Clocks go forward that night.
    expect(found.map(({ value }) => value)).toEqual([Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 22)])
  })

  test('a date that is none is a problem, not an error', () => {
    const { problems, clauses } = parse('before:tomorrow x after:2026-02-30 -after:99')
    expect(problems).toEqual(['before:tomorrow', 'after:2026-02-30', '-after:99'])
    expect(clauses.length).toBe(1)
  })
})

describe('limits', () => {
  test('the thirty-third term is ignored by name', () => {
    const words = Array.from({ length: 34 }, (_, index) => `w${index}`)
    const { clauses, ignored } = parse(words.join(' '))
    expect(clauses.length).toBe(32)
    expect(ignored).toEqual(['w32', 'w33'])
  })

  test('so are exclusions beyond, and the fourth prefix of one character', () => {
    const { excluded, ignored } = parse(
      `a ${Array.from({ length: 300 }, (_, index) => `-x${index}`).join(' ')}`,
    )
    // Of those, a hundred are named.
    expect([excluded.length, ignored.length, ignored[0]]).toEqual([31, 100, '-x31'])
    expect(parse('a* b* 会 c* 话 dd*')).toMatchObject({ clauses: { length: 4 }, ignored: ['c*', '话'] })
  })
})

const pieces = fc.oneof(
  fc.constantFrom(
    '"',
    '“',
    '「',
    '-',
    '--',
    '*',
    'OR',
    'AND',
    'NEAR(',
    '(',
    ':',
    'role:',
    'before:',
    'in:tool',
    ' ',
  ),
  fc.constantFrom('listSessions', 'C++', '悬空引用', '恢', 'เซสชัน', '\ud83d', '\0', '👩‍👩‍👧', 'x'),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const anyQuery = fc.array(pieces, { maxLength: 20 }).map((list) => list.join(''))

test('no query throws, and none has an empty clause, term or token', () => {
  fc.assert(
    fc.property(anyQuery, fc.boolean(), (text, prefixLast) => {
      const { clauses, excluded } = parse(text, prefixLast)
      for (const terms of [...clauses, excluded]) {
        for (const { phrases } of terms) {
          expect(phrases.length).toBeGreaterThan(0)
          for (const { tokens } of phrases) expect(tokens.every((token) => token !== '')).toBe(true)
        }
      }
      expect(clauses.every((terms) => terms.length > 0)).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

test('a text is found by itself, quoted or not, whatever it is', () => {
  const word = fc.constantFrom(
    'listSessions',
    '悬空引用',
    'セッション',
    'เซสชัน',
    '세션',
    'C++',
    'v8',
    'x_y/z.ts',
    'ＳＱＬite',
    '½',
  )
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (list) => {
      const text = list.join(' ')
      const column = indexTokens(tokenize(text))
      expect(holds(parse(text), [column])).toBe(true)
      expect(holds(parse(`"${text}"`), [column])).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
