// Counts of tokens that are added up, and what they cost.

import { z } from 'zod'
import type { TokenUsage } from '../types/message.ts'

const countNames = ['input', 'output', 'total', 'cacheRead', 'cacheWrite', 'cost'] as const

/** The counts of a usage alone. */
export function countsOf(usage: TokenUsage = {}): TokenUsage {
  return mapCounts((name) => usage[name])
}

/** A count for each name that has one. */
export function mapCounts(countOf: (name: keyof TokenUsage) => number | undefined): TokenUsage {
  const counts = countNames.map((name) => [name, countOf(name)] as const)
  return Object.fromEntries(counts.filter(([, count]) => count !== undefined))
}

const count = z.number().max(Number.MAX_SAFE_INTEGER)
const tokens = count.nonnegative().optional()

/** Counts that are added up: no larger than numbers are exact. */
export const countsSchema: z.ZodObject = z.looseObject({
  input: tokens,
  output: tokens,
  total: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  cost: count.min(-Number.MAX_SAFE_INTEGER).optional(),
})
