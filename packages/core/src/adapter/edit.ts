// Changing one message in place.

import { z } from 'zod'
import { snapshot } from '../input/check.ts'
import { prepareMessage } from '../input/messages.ts'
import { asGiven } from '../input/rewrite.ts'
import type { MessageMetadata, NewMessage, Role } from '../types/message.ts'
import type { NewMessageRow } from './append.ts'
import { summaryFacts } from './context.ts'
import { damagedMessage, isDamaged, type MessageRecord, toMessage } from './records.ts'

export interface MessagePatch {
  readonly content?: NewMessage['content']
  readonly metadata?: object
}

const notNull = z.unknown().refine((value) => value !== null, { message: 'must not be null' })
const patchSchema = z.strictObject({ content: notNull.optional(), metadata: notNull.optional() })

/**
 * Checks a patch; what comes back is a copy.
 *
 * @throws {StoreError} invalid too-large
 */
export function prepareMessagePatch(patch: MessagePatch, maxBytes: number): MessagePatch {
  const { content, metadata } = snapshot(patchSchema, patch, 'patch')
  const message = {
    role: 'user',
    content: content === undefined ? [] : content,
    metadata: metadata === undefined ? {} : metadata,
  } as const
  const given = asGiven(prepareMessage(message, maxBytes, 'patch'))
  return {
    ...(content === undefined ? {} : { content: given.content }),
    ...(metadata === undefined ? {} : { metadata: given.metadata as object }),
  }
}

/**
 * The row once it is changed. A summary stays one: its `metadata.summary` is kept.
 *
 * @throws {StoreError} invalid the patch breaks a rule; corrupt the row cannot be read and the patch does not give all of it
 */
export function editRow(
  sessionId: string,
  row: MessageRecord,
  { content, metadata }: MessagePatch,
  maxBytes: number,
): NewMessageRow & { readonly preview: string | undefined } {
  const before = toMessage(sessionId, row)
  if (isDamaged(before) && (content === undefined || metadata === undefined)) {
    throw damagedMessage(sessionId, before)
  }
  const { summary, ...kept } = isDamaged(before) ? markOf(row) : before.metadata
  const message = {
    role: row.role as Role,
    content: content ?? (isDamaged(before) ? [] : before.content),
    metadata: metadata ?? kept,
  }
  const prepared = prepareMessage(message, maxBytes, 'patch', summary)
  return {
    messageId: row.messageId,
    seq: row.seq,
    role: row.role,
    createdAt: row.createdAt,
    metadataJson: prepared.metadataJson,
    contentJson: prepared.contentJson,
    turnPart: prepared.turnPart ?? null,
    textJson: prepared.textJson ?? null,
    preview: prepared.preview,
  }
}

/** What is known of a damaged row: that it is a summary, where its mark can be read. */
function markOf(row: MessageRecord): MessageMetadata {
  const facts = summaryFacts(row)
  if (facts === undefined) return {}
  const { seq: _, ...summary } = facts
  return { summary }
}
