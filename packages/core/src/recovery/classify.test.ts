import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classifyProviderError, decidingRule } from './classify.ts'
import { maxMatchedText, plainText } from './plain-text.ts'
import { foundRows, referenceRows, seenRows } from './rows/all.ts'
import { inventedMessageTexts } from './rows/invented-messages.ts'
import { inventedOtherTexts } from './rows/invented-other.ts'
import { inventedOverflowTexts } from './rows/invented-overflow.ts'
import { shapes } from './rows/shapes.ts'
import type { ProviderErrorKind } from './rule.ts'
import { providerErrorRules } from './rules.ts'

const invented: readonly (readonly [ProviderErrorKind, readonly string[]])[] = [
  ['context-overflow', inventedOverflowTexts],
  ['invalid-messages', inventedMessageTexts],
  ['other', inventedOtherTexts],
]

/** Those that are not taken for what they are. */
function mistaken<T>(cases: readonly T[], wanted: (one: T) => ProviderErrorKind, error: (one: T) => unknown) {
  return cases
    .map((one) => ({ one, wanted: wanted(one), answered: classifyProviderError(error(one)) }))
    .filter(({ wanted, answered }) => wanted !== answered)
}

describe('classifyProviderError', () => {
  test('the data is what it says it is', () => {
    expect(referenceRows).toHaveLength(138)
    const counts = Object.groupBy(referenceRows, (row) => row.kind)
    expect(counts['context-overflow']).toHaveLength(21)
    expect(counts['invalid-messages']).toHaveLength(75)
    expect(counts.other).toHaveLength(42)
    expect(new Set(seenRows.map((row) => row.id)).size).toBe(138 + foundRows.length)
    for (const [, texts] of invented) expect(texts.length).toBeGreaterThanOrEqual(60)
  })

  test.each(Object.entries(shapes))('every refusal seen is known as %s', (_, shape) => {
    expect(mistaken(seenRows, (row) => row.kind, shape)).toEqual([])
  })

  test.each(invented)('texts nobody wrote yet: %s', (kind, texts) => {
    expect(mistaken(texts, () => kind, String)).toEqual([])
    expect(
      mistaken(
        texts,
        () => kind,
        (text) => ({ error: { message: text } }),
      ),
    ).toEqual([])
  })

  test('capitals, other quotes and other numbers change nothing', () => {
    const rows = seenRows.filter((row) => row.kind !== 'other')
    const changes: readonly ((text: string) => string)[] = [
      (text) => text.toUpperCase(),
      (text) => text.replaceAll('"', '`'),
      (text) => text.replaceAll('`', '"'),
      (text) => text.replaceAll('`', ''),
      (text) => text.replaceAll(/\d{4,}/g, (digits) => String(BigInt(digits) * 3n)),
      (text) => text.replaceAll(' ', '\n   '),
      (text) => `  The model returned the following errors: ${text}`,
    ]
    for (const change of changes) {
      expect(
        mistaken(
          rows,
          (row) => row.kind,
          (row) => change(row.text),
        ),
      ).toEqual([])
    }
  })

  test.each([401, 402, 403, 429, 529])('status %i is never the history’s fault', (status) => {
    const errors = seenRows.map((row) => ({ status, error: { message: row.text } }))
    expect(errors.filter((error) => classifyProviderError(error) !== 'other')).toEqual([])
  })

  test.each([400, 404, 413, 422, 500, 502])('status %i decides nothing by itself', (status) => {
    expect(classifyProviderError({ status })).toBe('other')
    expect(
      classifyProviderError(Object.assign(new Error(`${status} status code (no body)`), { status })),
    ).toBe('other')
    const rows = seenRows.filter((row) => row.kind !== 'other')
    expect(
      mistaken(
        rows,
        (row) => row.kind,
        (row) => ({ status, message: row.text }),
      ),
    ).toEqual([])
  })

  test('codes decide without a text, also beside one that says nothing', () => {
    const of = (code: string, message?: string) => classifyProviderError({ error: { code, message } })
    expect(of('context_length_exceeded')).toBe('context-overflow')
    expect(of('model_max_prompt_tokens_exceeded', 'Bad request')).toBe('context-overflow')
    expect(of('invalid_encrypted_content')).toBe('invalid-messages')
    expect(of('rate_limit_exceeded', 'prompt is too long')).toBe('other')
    expect(of('1261', 'Prompt exceeds max length')).toBe('context-overflow')
    expect(of('1261', 'Row does not hold data for all columns')).toBe('other')
    expect(of('string_above_max_length')).toBe('other')
  })

  test('a body that is too large for the server in front needs the status', () => {
    const error = new Error('Request Entity Too Large')
    expect(classifyProviderError(error)).toBe('other')
    expect(classifyProviderError(Object.assign(error, { status: 413 }))).toBe('context-overflow')
  })

  test('the innermost text decides', () => {
    const inner = Object.assign(new Error('prompt is too long: 2 tokens > 1 maximum'), { status: 400 })
    expect(classifyProviderError(new Error('Rate limit reached', { cause: inner }))).toBe('context-overflow')
    expect(classifyProviderError(Object.assign(inner, { cause: new Error('socket hang up') }))).toBe(
      'context-overflow',
    )
  })

  test('what the user wrote decides nothing', () => {
    const text = 'prompt is too long. messages: roles must alternate between "user" and "assistant"'
    const told: readonly unknown[] = [
      { status: 400, error: { message: 'Bad request', failed_generation: text, param: text } },
      { status: 400, message: 'Bad request', requestBodyValues: { prompt: text }, config: { data: text } },
      { status: 400, message: `Unknown command "${text.replaceAll('"', '')}"` },
      `Validation failed: ${JSON.stringify({ input: { content: text } })}`,
      { choices: [{ message: { role: 'assistant', content: text } }] },
    ]
    expect(told.map(classifyProviderError)).toEqual(told.map(() => 'other'))
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 400],
    ['a function', () => 'prompt is too long'],
    ['an empty string', ''],
    ['an empty object', {}],
    ['an empty list', []],
    ['an empty error', new Error()],
    ['a response without its body', new Response('prompt is too long', { status: 400 })],
  ])('%s is other', (_, error) => {
    expect(classifyProviderError(error)).toBe('other')
  })

  test('anything gets an answer', () => {
    const kinds: readonly ProviderErrorKind[] = ['context-overflow', 'invalid-messages', 'other']
    const pieces = fc.constantFrom(
      ...seenRows.map((row) => row.text),
      '{"message":"',
      "{'error': {'message': '",
      '\\"',
      '"}',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.array(pieces).map((list) => list.join('')),
        ),
        (error) => {
          expect(kinds).toContain(classifyProviderError(error))
          expect(kinds).toContain(
            classifyProviderError({ error: { message: error }, cause: error, raw: error }),
          )
        },
      ),
    )
  })
})

describe('the rules', () => {
  test('every one decides something', () => {
    const errors = [
      ...seenRows.map(({ status, type, code, text }) => ({ status, error: { message: text, type, code } })),
      ...invented.flatMap(([, texts]) => texts),
      { status: 413, message: 'Payload Too Large' },
    ]
    const deciding = new Set(errors.map(decidingRule))
    expect(providerErrorRules.filter((rule) => !deciding.has(rule)).map((rule) => rule.why)).toEqual([])
  })

  test('each says why and has a condition', () => {
    for (const { statuses, codes, pattern, why } of providerErrorRules) {
      expect(why).not.toBe('')
      expect(statuses ?? codes ?? pattern).toBeDefined()
      expect(codes ?? []).toEqual(codes?.map((code) => code.toLowerCase()) ?? [])
    }
  })

  test('no pattern has a quantifier without an upper end, or a state', () => {
    for (const { pattern } of providerErrorRules) {
      expect(pattern?.source ?? '').not.toMatch(/(?<!\\)[*+]|\{\d{1,5},\}/)
      expect(pattern?.flags ?? '').toBe('')
    }
  })

  test('only the head of a text is looked at', () => {
    const told = 'prompt is too long'
    expect(classifyProviderError(`${'x '.repeat(1000)}${told}`)).toBe('context-overflow')
    expect(classifyProviderError(`${'x '.repeat(maxMatchedText / 2)}${told}`)).toBe('other')
    expect(plainText('é'.repeat(1_000_000))).toHaveLength(maxMatchedText)
    expect(classifyProviderError(`${told} ${'x'.repeat(1_000_000)}`)).toBe('context-overflow')
    expect(
      classifyProviderError(JSON.stringify({ error: { message: `${told} ${'"'.repeat(1_000_000)}` } })),
    ).toBe('context-overflow')
  })
})
