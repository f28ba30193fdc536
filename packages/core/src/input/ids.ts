// Whether a text can be an id at all. A read of one that cannot is a read of an unknown session: empty.

import { z } from 'zod'
import { check } from './check.ts'
import { messageIdSchema, sessionIdSchema } from './schemas.ts'

const text = z.string()

/**
 * Whether a session (or thread) of that id can exist. Ids that break the rule never reach a driver, some of which cut
 * a text at its first NUL.
 *
 * @throws {StoreError} invalid not a string
 */
export function isSessionId(id: string): boolean {
  return sessionIdSchema.safeParse(check(text, id, 'id')).success
}

/** The same for a message's id. */
export function isMessageId(id: string): boolean {
  return messageIdSchema.safeParse(check(text, id, 'messageId')).success
}

/** Checks an id a caller names a message by, for a write. */
export function checkMessageId(messageId: string): void {
  check(messageIdSchema, messageId, 'messageId')
}

/** Checks that what something is read by is a text at all. */
export function checkIdText(id: string): void {
  check(text, id, 'id')
}
