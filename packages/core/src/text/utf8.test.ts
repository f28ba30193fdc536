import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codePointLength, firstCodePoints, utf8Length } from './utf8.ts'

/** Any UTF-16 at all, halves of surrogate pairs too. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })))
  .map((units) => String.fromCharCode(...units))

describe('utf8Length', () => {
  test.each([
    ['', 0],
    ['a', 1],
    ['\x7f', 1],
    ['\x80', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\uffff', 3],
    ['😀', 4],
    ['👩‍👩‍👧', 18],
    ['\ud83d', 3],
    ['\ude00', 3],
    ['\ude00\ud83d', 6],
    ['\ud83d\ud83d\ude00', 7],
    ['\ud83da', 4],
  ])('of %j is %i', (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes)
  })

  test('is what an encoder makes of any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('codePointLength', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['😀', 1],
    ['a😀b', 3],
    ['e\u0301', 2],
    ['👩‍👩‍👧', 5],
    ['\ud83d', 1],
    ['\ude00\ud83d', 2],
  ])('of %j is %i', (text, count) => {
    expect(codePointLength(text)).toBe(count)
  })
})

describe('firstCodePoints', () => {
  test.each([
    ['abc', 2, 'ab'],
    ['abc', 3, 'abc'],
    ['abc', 9, 'abc'],
    ['abc', 0, ''],
    ['', 5, ''],
    ['😀😀', 1, '😀'],
    ['a😀b', 2, 'a😀'],
    ['\ud83d\ud83d\ude00x', 2, '\ud83d\ud83d\ude00'],
  ])('of %j, %i, are %j', (text, count, expected) => {
    expect(firstCodePoints(text, count)).toBe(expected)
  })

  test('are what an iteration over the text begins with', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 20 }), (text, count) => {
        expect(firstCodePoints(text, count)).toBe([...text].slice(0, count).join(''))
        expect(codePointLength(text)).toBe([...text].length)
      }),
      { numRuns: 500 },
    )
  })
})
