// Tokens of the change feed: the change number up to which a reader has seen everything.

import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { StoreError } from '../errors.ts'
import { check } from '../input/check.ts'
import { pageFields } from '../input/schemas.ts'
import { limits } from '../limits.ts'

const kind = 'changes.since'
const limitSchema = pageFields.limit
const tokenSchema = z.string()

/** A checked request: everything above `after`, or only the present token. */
export interface ChangesPlan {
  readonly after: number | 'now'
  readonly limit: number
}

/** @throws {StoreError} invalid invalid-cursor */
export function planChanges(token: string | undefined, limit: number = limits.pageDefault): ChangesPlan {
  check(limitSchema, limit, 'limit')
  if (token === undefined) return { after: 0, limit }
  if (token === 'now') return { after: 'now', limit }
  check(tokenSchema, token, 'token')
  const [after] = decodeCursor(kind, null, token)
  if (typeof after !== 'number' || after < 0) throw new StoreError('invalid-cursor', 'the token is damaged')
  return { after, limit }
}

export function changeToken(changeSeq: number): string {
  return encodeCursor(kind, null, [changeSeq])
}

/**
 * Refuses a token from which the feed cannot go on: removals before the horizon are forgotten, and a counter that is
 * lower than the token is another file's, a restored backup's for one.
 *
 * @throws {StoreError} invalid-cursor
 */
export function assertWithinFeed(after: number, horizon: number, counter: number): void {
  if (after === 0 || (after >= horizon && after <= counter)) return
  const why = after > counter ? 'is ahead of this store' : 'is older than what this store remembers'
  throw new StoreError('invalid-cursor', `the token ${why}; start again without it`)
}

/** How long a removal is remembered, in milliseconds: 30 days. */
export const tombstoneAge: number = 30 * 24 * 60 * 60 * 1000
