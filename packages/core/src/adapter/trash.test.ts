import { expect, test } from 'vitest'
import { trashTime } from './trash.ts'

test.each([
  [5, [], 5],
  [5, [null, 4, 6], 5],
  [5, [5, null, 6, 8], 7],
])('at %i, beside %j, is %i', (now, times, at) => {
  expect(trashTime(now, times)).toBe(at)
})
