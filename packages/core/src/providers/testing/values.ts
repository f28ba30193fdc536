// Arbitrary values for tests of converters: texts, JSON, members that no provider knows.

import fc from 'fast-check'

/** Members that a provider's own shape may have and no converter knows. Leaks are found by their names. */
const strangeKeys = ['x_strange', 'native', 'constructor', 'x~/strange'] as const

export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ' ', '\n\n', 'Hello', 'Grüß Gott 👋🏽', '{"a":1}', 'error: no'),
  fc.string({ maxLength: 12 }),
)

export const word: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_'),
  minLength: 1,
  maxLength: 8,
})

/** JSON as it comes off a wire: no -0. */
export const json: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 }).map(cloned)

export const object: fc.Arbitrary<object> = fc.oneof(
  fc.constant({}),
  fc.dictionary(word, json, { maxKeys: 3 }).map((value) => cloned(value) as object),
)

const extras: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .dictionary(fc.constantFrom(...strangeKeys), json, { maxKeys: 2 })
      .map((value) => cloned(value) as object),
  },
)

/** An object with extra members, its members in any order. */
export function loose(shape: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.tuple(shape, extras, fc.boolean()).map(([value, more, isReversed]) => {
    const entries = Object.entries({ ...more, ...value }).filter(([, member]) => member !== undefined)
    return Object.fromEntries(isReversed ? entries.reverse() : entries)
  })
}

/** A member that may be left out. */
export function optional<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined })
}

export const base64: fc.Arbitrary<string> = fc.constantFrom('c2ln', 'AAAA', 'iVBORw0KGgo=')

/** What comes back from JSON. */
export function cloned<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
