// Time and ids of a spec: fixed until the spec moves them, so that exact values can be asserted and nothing sleeps.

import type { IdGenerator } from '@sess/core'

/** When every spec begins: noon of 1 March 2026, UTC, in epoch milliseconds. */
export const startTime: number = Date.UTC(2026, 2, 1, 12)

/** A clock that stands still unless told otherwise. */
export interface TestClock {
  /** What the store is given as its clock. */
  readonly now: () => number
  /** Moves on by some milliseconds and answers the time then. */
  advance(milliseconds: number): number
  /** Goes to a time, also an earlier one. */
  set(time: number): void
  /** From now on each reading of the clock moves it on by one millisecond. */
  tick(): void
}

export function createTestClock(): TestClock {
  let time = startTime
  let step = 0
  return {
    now: () => {
      time += step
      return time
    },
    advance: (milliseconds) => {
      time += milliseconds
      return time
    },
    set: (to) => {
      time = to
    },
    tick: () => {
      step = 1
    },
  }
}

/** Message ids `m-1`, `m-2`, ... in the order they are asked for; date ids for sessions. */
export function createTestIds(): IdGenerator {
  let count = 0
  return { message: () => `m-${++count}`, session: 'date' }
}
