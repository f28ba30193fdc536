// What the process answers its caller. The record is exhaustive: a new code of the store does not compile without one.

import type { StoreErrorCode } from '@sess/core'

/** Exit codes that come from no store. */
export const exitCodes = { ok: 0, other: 1, usage: 2, interrupted: 130, terminated: 143 } as const

/** The exit code of each error of a store. */
export const storeExitCodes: Readonly<Record<StoreErrorCode, number>> = {
  'not-found': 3,
  'already-exists': 4,
  conflict: 4,
  invalid: 5,
  'invalid-cursor': 5,
  'unsupported-version': 5,
  'too-large': 5,
  busy: 6,
  unavailable: 6,
  corrupt: 7,
  'schema-newer': 7,
  unauthorized: 1,
  forbidden: 1,
  'migration-failed': 1,
  unsupported: 1,
  closed: 1,
  unknown: 1,
}
