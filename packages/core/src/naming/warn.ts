// What naming tells the logger of failures.

import { isStoreError } from '../errors.ts'
import type { Logger } from '../options.ts'

/**
 * Tells of a failure by its kind alone: a provider's own message may repeat the prompt. A logger that throws is passed
 * over, as it must not undo what it only tells of.
 */
export function warn(logger: Logger | undefined, sessionId: string, error: unknown, message: string): void {
  const kind = isStoreError(error) ? error.code : error instanceof Error ? error.name : typeof error
  try {
    logger?.warn({ sessionId, operation: 'autoName', error: kind }, message)
  } catch {}
}
