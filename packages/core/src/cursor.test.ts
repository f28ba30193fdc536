import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CursorPart, decodeCursor, encodeCursor } from './cursor.ts'

const invalidCursor = expect.objectContaining({ name: 'StoreError', code: 'invalid-cursor' })
const kind = 'sessions.list'
const filter = { ownerId: 'ann', tags: ['a', 'b'], sort: 'active' }

const part: fc.Arbitrary<CursorPart> = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constant(null),
)
const position = fc.array(part, { maxLength: 5 })

const toBase64 = (text: string) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll('=', '')

/** A cursor with the same JSON inside but for what `change` does to it. */
function rewrite(cursor: string, change: (parts: unknown[]) => unknown): string {
  const json = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  return toBase64(JSON.stringify(change(JSON.parse(json) as unknown[])))
}

describe('a cursor', () => {
  test('gives back the position it was made of', () => {
    fc.assert(
      fc.property(position, fc.jsonValue(), (parts, anyFilter) => {
        expect(decodeCursor(kind, anyFilter, encodeCursor(kind, anyFilter, parts))).toEqual(parts)
      }),
    )
  })

  test('is made of letters that a URL carries as they are', () => {
    fc.assert(
      fc.property(position, (parts) => {
        expect(encodeCursor(kind, filter, parts)).toMatch(/^[A-Za-z0-9_-]+$/)
      }),
    )
  })

  test('does not depend on the order of the filter’s keys, nor on members that are undefined', () => {
    const cursor = encodeCursor(kind, { a: { x: 1, y: 2 }, b: [1, { p: 1, q: 2 }] }, [7])
    const same = { none: undefined, b: [1, { q: 2, p: 1 }], a: { y: 2, z: undefined, x: 1 } }
    expect(encodeCursor(kind, same, [7])).toBe(cursor)
    expect(decodeCursor(kind, same, cursor)).toEqual([7])
  })

  test.each([
    ['of another query', kind, { ...filter, ownerId: 'bob' }],
    ['of a query with one condition more', kind, { ...filter, pinned: true }],
    ['of a query with one condition less', kind, { ownerId: 'ann', tags: ['a', 'b'] }],
    ['of a query with a list in another order', kind, { ...filter, tags: ['b', 'a'] }],
    ['of another method', 'messages.read', filter],
    ['of no filter', kind, undefined],
  ])('%s is refused', (_, otherKind, otherFilter) => {
    const cursor = encodeCursor(kind, filter, [0, 1_700_000_000_000, 42])
    expect(() => decodeCursor(otherKind, otherFilter, cursor)).toThrow(invalidCursor)
  })

  test('of another version is refused and named', () => {
    const cursor = rewrite(encodeCursor(kind, filter, [42]), ([, ...rest]) => [2, ...rest])
    expect(() => decodeCursor(kind, filter, cursor)).toThrow(
      expect.objectContaining({
        code: 'invalid-cursor',
        message: 'the cursor is of version 2, this store reads 1',
      }),
    )
  })

  test('with another position put into it is refused', () => {
    const cursor = encodeCursor(kind, filter, [0, 1_700_000_000_000, 42])
    for (const change of [
      ([version, bound]: unknown[]) => [version, bound, 0, 1_700_000_000_000, 43],
      ([version, bound]: unknown[]) => [version, bound],
      (parts: unknown[]) => [...parts, null],
      (parts: unknown[]) => parts.toReversed(),
      (parts: unknown[]) => ({ ...parts }),
      ([version, , ...rest]: unknown[]) => [version, '', ...rest],
    ]) {
      expect(() => decodeCursor(kind, filter, rewrite(cursor, change))).toThrow(invalidCursor)
    }
  })

  test('with any one character changed is refused', () => {
    const cursor = encodeCursor(kind, filter, [0, 1_700_000_000_000, 42, 'ä'])
    for (let index = 0; index < cursor.length; index++) {
      for (const character of 'Aa0_-Qg9 =é') {
        const changed = cursor.slice(0, index) + character + cursor.slice(index + 1)
        if (changed !== cursor) {
          expect(() => decodeCursor(kind, filter, changed), changed).toThrow(invalidCursor)
        }
      }
    }
  })

  test('that was cut, or has something added, is refused', () => {
    const cursor = encodeCursor(kind, filter, [0, 1_700_000_000_000, 42])
    for (let length = 0; length < cursor.length; length++) {
      expect(() => decodeCursor(kind, filter, cursor.slice(0, length))).toThrow(invalidCursor)
    }
    for (const more of ['A', '=', '\n', cursor, 'A'.repeat(5000)]) {
      expect(() => decodeCursor(kind, filter, cursor + more)).toThrow(invalidCursor)
    }
  })

  test('of a text that is none is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.base64String().map((text) => text.replaceAll('=', '')),
          fc.array(fc.jsonValue()).map((parts) => toBase64(JSON.stringify(parts))),
        ),
        (text) => {
          expect(() => decodeCursor(kind, filter, text)).toThrow(invalidCursor)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test.each([[undefined], [null], [5], [1n], [Symbol('x')], [{}]])('%s is no cursor', (cursor) => {
  expect(() => decodeCursor('k', {}, cursor as never)).toThrow(
    expect.objectContaining({ code: 'invalid-cursor', message: 'the cursor is not one of this store' }),
  )
})

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

test.each([
  ['a filter that contains itself', cyclic, [1]],
  ['a filter with a bigint', { a: 1n }, [1]],
  ['a position with a bigint', {}, [1n]],
  ['no position', {}, undefined],
])('%s makes no cursor', (_, filter, position) => {
  expect(() => encodeCursor('k', filter, position as never)).toThrow(
    expect.objectContaining({ code: 'invalid', message: expect.stringContaining('cannot be read') }),
  )
})
