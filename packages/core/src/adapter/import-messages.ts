// Reads the messages of an import from wherever they come. What is wrong with a message is kept apart from what its source
// throws: both are `invalid`, the one named by the message's field, the other with its cause.

import { isStoreError, StoreError, unreadable } from '../errors.ts'
import type { ImportedMessage } from '../types/transfer.ts'
import type { ImportChecks, PlacedMessage } from './import-checks.ts'

/**
 * Reads all messages.
 *
 * @param isGivenUp whether nobody waits for them any more: then no further one is read
 * @throws {StoreError} invalid too-large
 */
export async function readImported(
  messages: Iterable<ImportedMessage> | AsyncIterable<ImportedMessage>,
  checks: ImportChecks,
  isGivenUp: () => boolean,
): Promise<PlacedMessage[]> {
  const reader = createReader(checks)
  try {
    if (isIterable<AsyncIterable<ImportedMessage>>(messages, Symbol.asyncIterator)) {
      for await (const message of messages) if (isGivenUp() || !reader.take(message)) break
    } else if (isIterable<Iterable<ImportedMessage>>(messages, Symbol.iterator)) {
      // At once: an array is the caller's to change as soon as the import was called.
      for (const message of messages) if (!reader.take(message)) break
    } else {
      reader.refuse(new StoreError('invalid', 'messages: must be an iterable of messages'))
    }
  } catch (cause) {
    reader.fail(cause)
  }
  return reader.finish()
}

function isIterable<T extends object>(value: object, symbol: symbol): value is T {
  return typeof value === 'object' && value !== null && symbol in value
}

function createReader(checks: ImportChecks) {
  const placed: PlacedMessage[] = []
  let problem: StoreError | undefined
  return {
    /** Whether to go on. */
    take(message: ImportedMessage): boolean {
      const name = `messages[${placed.length}]`
      try {
        placed.push(checks.add(message, name))
        return true
      } catch (cause) {
        problem = isStoreError(cause) ? cause : unreadable(name, cause)
        return false
      }
    },
    refuse(error: StoreError) {
      problem = error
    },
    /** What the source threw; a problem of before stays the one that is told of. */
    fail(cause: unknown) {
      problem ??= unreadable(`messages[${placed.length}]`, cause)
    },
    finish(): PlacedMessage[] {
      if (problem) throw problem
      return placed
    },
  }
}
