import { expect, test } from 'vitest'
import { nextDateId, raisedCounter } from './numbering.ts'

test('the next id of a day is after its counter and skips what callers have taken', () => {
  expect(nextDateId('20260301', 0, () => false)).toBe('20260301_1')
  const taken = new Set(['20260301_5', '20260301_6', '20260301_8'])
  expect(nextDateId('20260301', 4, (id) => taken.has(id))).toBe('20260301_7')
  expect(nextDateId('laptop-20260301', 9, () => false)).toBe('laptop-20260301_10')
})

test.each([
  ['20260301_5', { day: '20260301', number: 5 }],
  ['laptop-20260301_12', { day: 'laptop-20260301', number: 12 }],
  // The last number that is no leap, and the first that is.
  ['20260301_10004', { day: '20260301', number: 10_004 }],
  ['20260301_10005', undefined],
  ['20260301_4', undefined],
  ['20260301_05', undefined],
  ['chat', undefined],
])('where 4 was the last number, %s raises to %j', (id, raised) => {
  expect(raisedCounter(id, () => 4)).toEqual(raised)
})
