// What holds of every name, whatever a model answers.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanName, firstWords } from './clean.ts'

const graphemes = (text: string) =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)

const pieces = [
  ...[
    '<think>',
    '</think>',
    '<b>',
    '</b>',
    '<',
    '>',
    '<title>',
    '</title>',
    '[THINK]',
    '<|end|>',
    '<!--',
    '-->',
  ],
  ...[
    '"',
    "'",
    '“',
    '”',
    '‘',
    '’',
    '「',
    '」',
    '«',
    '»',
    '`',
    '```',
    '```json\n',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '《',
    '》',
  ],
  ...[
    '#',
    '# ',
    '**',
    '*',
    '_',
    '__',
    '~~',
    '- ',
    '1. ',
    '> ',
    '|',
    '](',
    '![',
    '\\',
    '.',
    ':',
    '。',
    '！',
    '?',
    '…',
  ],
  ...[
    'Title:',
    '标题：',
    'name',
    'Sure! Here is a title: ',
    '{"title": "',
    '"}',
    ' ',
    '\n',
    '\t',
    '\u3000',
    '\u2028',
  ],
  ...[
    '\u202e',
    '\u2066',
    '\u200f',
    '\u200b',
    '\u200d',
    '\u200c',
    '\ufe0f',
    '\u{e0067}',
    '\u{e007f}',
    '\0',
    '\u001b[31m',
  ],
  ...[
    '\ud83d',
    '\ude00',
    '👨‍👩‍👧‍👦',
    '🏴',
    '🇩',
    '🇪',
    '1️⃣',
    '👍🏽',
    'a',
    'word',
    'Wörter',
    'x'.repeat(40),
    '中',
    '文字',
    'かな',
    '한글',
  ],
  ...['ไทย', 'العربية', 'हिन्दी', '\u0301', '\u0301'.repeat(20), '12', '🚀', '©', '々', '，'],
]

const anyText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
    .map((units) => String.fromCharCode(...units)),
)
const anyLimit = fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined })

const cleaners = [
  ['a cleaned name', (text: string, limit?: number) => cleanName(text, { limit })],
  ['first words', firstWords],
] as const

describe.each(cleaners)('%s', (_, clean) => {
  const holds = (property: (name: string, limit: number | undefined) => void) =>
    fc.assert(
      fc.property(anyText, anyLimit, (text, limit) => {
        const name = clean(text, limit)
        if (name !== undefined) property(name, limit)
      }),
      { numRuns: 3000 },
    )

  test('is a tidy line that every store takes', () => {
    holds((name) => {
      expect(name).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/u)
      expect(name).toBe(name.trim())
      expect(name).not.toMatch(/\s\s/u)
      expect(name.isWellFormed()).toBe(true)
      expect([...name].length).toBeLessThanOrEqual(500)
      expect(name).toMatch(/[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u)
    })
  })

  test('is no longer than the limit', () => {
    holds((name, limit) => {
      const cjk = /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\p{L}\p{N}]]/v
      const all = graphemes(name)
      expect(all.filter((grapheme) => cjk.test(grapheme)).length).toBeLessThanOrEqual(limit ?? 10)
      if (all.every((grapheme) => cjk.test(grapheme))) expect(all.length).toBeLessThanOrEqual(limit ?? 10)
      else if (/^[\p{scx=Latin}\d\s]*$/u.test(name))
        expect(name.split(' ').length).toBeLessThanOrEqual(limit ?? 6)
      expect(all.length).toBeLessThanOrEqual(16 * (limit ?? 6))
    })
  })

  test('is not changed when it is cleaned again', () => {
    holds((name, limit) => {
      expect(clean(name, limit)).toBe(name)
    })
  })
})

test('emoji come whole or not at all', () => {
  const emoji = fc.constantFrom('👨‍👩‍👧‍👦', '👍🏽', '🏳️‍🌈', '🇩🇪', '❤️‍🔥', '1️⃣', '🧑🏽‍🚀')
  const name = fc.array(fc.oneof(emoji, fc.constantFrom('中', ' word ', 'a')), {
    minLength: 1,
    maxLength: 40,
  })
  fc.assert(
    fc.property(name, anyLimit, (parts, limit) => {
      const whole = new Set(graphemes(parts.join('')))
      for (const grapheme of graphemes(cleanName(parts.join(''), { limit }) ?? ''))
        expect(whole).toContain(grapheme)
    }),
    { numRuns: 1000 },
  )
})
