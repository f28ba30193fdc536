// Errors of the store that say where in a command they happened.

import { isStoreError, StoreError } from '@sess/core'

/** The error with another message; what is no store's error stays as it is. */
export function reworded(error: unknown, reword: (message: string) => string): unknown {
  if (!isStoreError(error)) return error
  const { code, message, operation, retryable } = error
  return new StoreError(code, reword(message), { operation, retryable, cause: error })
}
