// Token counts as Goose writes them, in three spellings. A count that is no number of tokens is left out.

import type { JsonObject, TokenUsage } from '@sess/core'
import { present } from '../values.ts'

/** The usage whose counts stand in `value` under these keys; empty where there are none. */
export function readUsage(
  value: JsonObject,
  keys: { readonly [key in keyof TokenUsage]?: string },
): TokenUsage {
  const count = (key: string | undefined): number | undefined => {
    const number = key === undefined ? undefined : value[key]
    return typeof number === 'number' && number >= 0 && Number.isFinite(number) ? number : undefined
  }
  return present<TokenUsage>({
    input: count(keys.input),
    output: count(keys.output),
    total: count(keys.total),
    cacheRead: count(keys.cacheRead),
    cacheWrite: count(keys.cacheWrite),
    cost: count(keys.cost),
  })
}

/** `usage` and `accumulated_usage` of a session. */
export const nestedKeys = {
  input: 'input_tokens',
  output: 'output_tokens',
  total: 'total_tokens',
  cacheRead: 'cache_read_input_tokens',
  cacheWrite: 'cache_write_input_tokens',
} as const

/** Beside the accumulated counts of older sessions stand those of the last call, spelt as in `usage`. */
export const accumulatedKeys = {
  input: 'accumulated_input_tokens',
  output: 'accumulated_output_tokens',
  total: 'accumulated_total_tokens',
} as const

/** `metadata.usage` of a message. */
export const messageKeys = {
  input: 'inputTokens',
  output: 'outputTokens',
  total: 'totalTokens',
  cacheRead: 'cacheReadInputTokens',
  cacheWrite: 'cacheWriteInputTokens',
  cost: 'cost',
} as const
