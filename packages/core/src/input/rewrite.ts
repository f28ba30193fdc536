// Replacements, compactions and cuts on their way in.

import { z } from 'zod'
import type { MessageLog } from '../port/messages.ts'
import type { NewMessage } from '../types/message.ts'
import { snapshot } from './check.ts'
import { list } from './list.ts'
import { operationDigest, type PreparedMessage, prepareMessage, prepareMessages } from './messages.ts'
import { expectationFields, messageIdSchema, seqBoundSchema } from './schemas.ts'
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
  const expectation = snapshot(replaceSchema, options, 'options')
  return rewrite('replace', prepareMessages(messages, maxBytes), expectation, null)
}

/** A compaction, checked. */
export interface PreparedCompact extends PreparedRewrite {
  readonly throughSeq: number
  /** As it was given; the store adds what it stands for. */
  readonly summary: NewMessage
}

/** @throws {StoreError} invalid too-large */
export function prepareCompact(
  id: string,
  options: Parameters<MessageLog['compact']>[1],
  maxBytes: number,
): PreparedCompact {
  checkSessionId(id)
  const { throughSeq, summary, ...expectation } = snapshot(compactSchema, options, 'options')
  const prepared = prepareMessage(summary, maxBytes, 'options.summary')
  return {
    ...rewrite('compact', [prepared], expectation, throughSeq),
    throughSeq,
    summary: asGiven(prepared),
  }
}

/** The message that a prepared one came from, in values of its own. */
export function asGiven({ id, role, createdAt, contentJson, metadataJson }: PreparedMessage): NewMessage {
  const [content, metadata] = [JSON.parse(contentJson), JSON.parse(metadataJson)]
  return {
    role,
    content,
    metadata,
    ...(id === undefined ? {} : { id }),
    ...(createdAt === undefined ? {} : { createdAt }),
  }
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
  .strictObject({ fromSeq: seqBoundSchema.optional(), fromMessageId: messageIdSchema.optional() })
  .refine((options) => (options.fromSeq === undefined) !== (options.fromMessageId === undefined), {
    message: 'takes fromSeq or fromMessageId',
  })

/** @throws {StoreError} invalid */
export function checkTruncate<T extends { readonly fromSeq?: number; readonly fromMessageId?: string }>(
  options: T,
): T {
  return snapshot(truncateSchema, options, 'options')
}

const messageIdsSchema = list(messageIdSchema)

/** @throws {StoreError} invalid */
export function checkMessageIds(messageIds: readonly string[]): readonly string[] {
  return snapshot(messageIdsSchema, messageIds, 'messageIds')
}
