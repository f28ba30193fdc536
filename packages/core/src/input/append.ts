// An append on its way in.

import { StoreError } from '../errors.ts'
import type { StoreContext } from '../options.ts'
import type { AppendOptions } from '../port/messages.ts'
import type { NewMessage } from '../types/message.ts'
import { snapshot } from './check.ts'
import { operationDigest, type PreparedMessage, prepareMessages } from './messages.ts'
import { appendOptionsSchema } from './schemas.ts'
import { checkSessionId, type PreparedSession, prepareSession } from './sessions.ts'

export interface PreparedAppend {
  readonly messages: readonly PreparedMessage[]
  /** The session to create where there is none. */
  readonly createSession: PreparedSession | undefined
  readonly expectedVersion: number | undefined
  readonly operationId: string | undefined
  readonly digest: string | undefined
}

/**
 * Checks an append's arguments.
 *
 * @throws {StoreError} invalid too-large
 */
export function prepareAppend(
  id: string,
  messages: readonly NewMessage[],
  options: AppendOptions,
  { locale }: StoreContext,
  maxBytes: number,
): PreparedAppend {
  checkSessionId(id)
  const { createSession, expectedVersion, operationId } = snapshot(appendOptionsSchema, options, 'options')
  const fields = createSession === true ? {} : createSession
  if (fields?.id !== undefined && fields.id !== id) {
    throw new StoreError('invalid', `options.createSession.id: must be "${id}", the session appended to`)
  }
  const prepared = prepareMessages(messages, maxBytes)
  return {
    messages: prepared,
    createSession: fields && prepareSession(fields, locale, 'options.createSession'),
    expectedVersion,
    operationId,
    digest: operationId === undefined ? undefined : operationDigest('append', prepared),
  }
}
