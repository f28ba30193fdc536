// Replacements, compactions and cuts on their way in.

import { z } from 'zod'
import type { MessageLog } from '../port/messages.ts'
import type { NewMessage } from '../types/message.ts'
import { check } from './check.ts'
import { operationDigest, type PreparedMessage, prepareMessage, prepareMessages } from './messages.ts'
import { expectationFields, messageIdSchema } from './schemas.ts'
import { checkSessionId } from './sessions.ts'

/** A rewrite, checked; its digest is taken of the messages as they were given. */
export interface PreparedRewrite {
  readonly messages: readonly PreparedMessage[]
  readonly expectedVersion: number | undefined
  readonly operationId: string | undefined
  readonly digest: string | undefined
}

const replaceSchema = z.strictObject(expectationFields)
const compactSchema = z.strictObject({
  ...expectationFields,
  throughSeq: z.number().int(),
  summary: z.unknown(),
})

/** @throws {StoreError} invalid too-large */
export function prepareReplace(
  id: string,
  messages: readonly NewMessage[],
  options: { readonly expectedVersion?: number; readonly operationId?: string },
  maxBytes: number,
): PreparedRewrite {
  checkSessionId(id)
  check(replaceSchema, options, 'options')
  return rewrite('replace', prepareMessages(messages, maxBytes), options, null)
}

/** @throws {StoreError} invalid too-large */
export function prepareCompact(
  id: string,
  options: Parameters<MessageLog['compact']>[1],
  maxBytes: number,
): PreparedRewrite {
  checkSessionId(id)
  check(compactSchema, options, 'options')
  const summary = prepareMessage(options.summary, maxBytes, 'options.summary')
  return rewrite('compact', [summary], options, options.throughSeq)
}

function rewrite(
  method: string,
  messages: readonly PreparedMessage[],
  { expectedVersion, operationId }: { readonly expectedVersion?: number; readonly operationId?: string },
  throughSeq: number | null,
): PreparedRewrite {
  const digest = operationId === undefined ? undefined : operationDigest(method, messages, throughSeq)
  return { messages, expectedVersion, operationId, digest }
}

const truncateSchema = z
  .strictObject({ fromSeq: z.number().int().min(0).optional(), fromMessageId: messageIdSchema.optional() })
  .refine((options) => (options.fromSeq === undefined) !== (options.fromMessageId === undefined), {
    message: 'takes fromSeq or fromMessageId',
  })

/** @throws {StoreError} invalid */
export function checkTruncate(options: { readonly fromSeq?: number; readonly fromMessageId?: string }): void {
  check(truncateSchema, options, 'options')
}

/** @throws {StoreError} invalid */
export function checkMessageIds(messageIds: readonly string[]): void {
  check(z.array(messageIdSchema), messageIds, 'messageIds')
}
