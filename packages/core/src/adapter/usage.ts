// Adding up what calls of models cost.

import { StoreError } from '../errors.ts'
import { snapshot } from '../input/check.ts'
import { countsOf, countsSchema, mapCounts } from '../input/counts.ts'
import { channelSchema, messageIdSchema, timeSchema } from '../input/schemas.ts'
import type { TokenUsage } from '../types/message.ts'
import type { Session } from '../types/session.ts'

/** One row of the ledger. */
export interface UsageEvent extends TokenUsage {
  readonly provider?: string
  readonly model?: string
  readonly messageId?: string
  readonly at?: number
  readonly kind?: string
}

/** Counts of other names, as some SDKs give them, are left. */
const eventSchema = countsSchema.strip().safeExtend({
  provider: channelSchema.optional(),
  model: channelSchema.optional(),
  messageId: messageIdSchema.optional(),
  at: timeSchema.optional(),
  kind: channelSchema.optional(),
})

/**
 * Checks a usage: the event as the ledger has it, and its counts alone.
 *
 * @throws {StoreError} invalid a count that is negative or no number
 */
export function checkUsage(usage: UsageEvent): { readonly event: UsageEvent; readonly counts: TokenUsage } {
  const event = snapshot(eventSchema, usage, 'usage')
  return { event, counts: countsOf(event) }
}

/**
 * The token counts once a call is added: `last` is the call's, `accumulated` the sum of each count.
 *
 * @throws {StoreError} invalid a sum is beyond what is counted exactly
 */
export function addToCounts(before: Session['tokenCounts'], last: TokenUsage): Session['tokenCounts'] {
  return { last, accumulated: sumOf(before.accumulated, last, 'usage') }
}

function sumOf(before: TokenUsage, added: TokenUsage, name: string): TokenUsage {
  return mapCounts((count) => {
    if (before[count] === undefined && added[count] === undefined) return undefined
    const sum = (before[count] ?? 0) + (added[count] ?? 0)
    if (Math.abs(sum) <= Number.MAX_SAFE_INTEGER) return sum
    throw new StoreError('invalid', `${name}.${count}: all together would be ${sum}, which no store counts`)
  })
}

/** What a source says it has used; `undefined` where it says nothing. */
export function carriedUsage({ accumulated }: Session['tokenCounts']): TokenUsage | undefined {
  return Object.keys(accumulated).length === 0 ? undefined : accumulated
}

/**
 * The token counts once a source was imported again: its usage takes the place of what was carried forward before, what
 * was used here stays on top. A source that says nothing changes nothing.
 *
 * @throws {StoreError} invalid
 */
export function countsOnceMore(
  before: Session['tokenCounts'],
  source: Session['tokenCounts'],
  carried: TokenUsage = {},
): Session['tokenCounts'] {
  const given = carriedUsage(source)
  if (given === undefined) return before
  const { accumulated } = before
  const usedHere = mapCounts(
    (count) => accumulated[count] && Math.max(0, accumulated[count] - (carried[count] ?? 0)),
  )
  return {
    last: Object.keys(source.last).length === 0 ? before.last : source.last,
    accumulated: sumOf(usedHere, given, 'session.tokenCounts.accumulated'),
  }
}
