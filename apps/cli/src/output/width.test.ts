import { describe, expect, it } from 'vitest'
import { truncate, widthOf } from './width.ts'

describe('widthOf', () => {
  it.each([
    ['abc', 3],
    ['杭州', 4],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['e\u0301', 1],
    ['', 0],
  ])('measures %j as %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })
})

describe('truncate', () => {
  it.each([
    ['fits', 4, 'fits'],
    ['too long', 4, 'too…'],
    ['a b', 3, 'a b'],
    ['ab cd', 4, 'ab…'],
    ['杭州三日', 8, '杭州三日'],
    ['杭州三日', 7, '杭州三…'],
    // A wide character that would need one column more than there is.
    ['杭州三日', 6, '杭州…'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5, '👩‍👩‍👧👩‍👩‍👧…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['anything', 1, '…'],
    ['anything', 0, ''],
  ])('cuts %j to %i columns', (text, width, cut) => {
    expect(truncate(text, width)).toBe(cut)
    expect(widthOf(cut)).toBeLessThanOrEqual(width)
  })

  it('looks at the beginning of a long text only', () => {
    expect(truncate('x'.repeat(50_000_000), 5)).toBe('xxxx…')
  })
})
