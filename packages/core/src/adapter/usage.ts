// Adding up what calls of models cost.

import { z } from 'zod'
import { check } from '../input/check.ts'
import { channelSchema, messageIdSchema, usageSchema } from '../input/schemas.ts'
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

const eventSchema = usageSchema.safeExtend({
  provider: channelSchema.optional(),
  model: channelSchema.optional(),
  messageId: messageIdSchema.optional(),
  at: z.number().int().optional(),
  kind: channelSchema.optional(),
})

const counts = ['input', 'output', 'total', 'cacheRead', 'cacheWrite', 'cost'] as const

/**
 * Checks a usage and answers its counts alone.
 *
 * @throws {StoreError} invalid a count that is negative or no number
 */
export function checkUsage(usage: UsageEvent): TokenUsage {
  check(eventSchema, usage, 'usage')
  return Object.fromEntries(
    counts.flatMap((name) => (usage[name] === undefined ? [] : [[name, usage[name]]])),
  )
}

/** The token counts once a call is added: `last` is the call's, `accumulated` the sum of each count. */
export function addToCounts(before: Session['tokenCounts'], last: TokenUsage): Session['tokenCounts'] {
  const accumulated = Object.fromEntries(
    counts.flatMap((name) => {
      const [sum, added] = [before.accumulated[name], last[name]]
      return sum === undefined && added === undefined ? [] : [[name, (sum ?? 0) + (added ?? 0)]]
    }),
  )
  return { last, accumulated }
}
