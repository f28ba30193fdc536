// Sessions made from a session: the fork somebody asked for, and the hidden branch that keeps what a rewind took away.

import { z } from 'zod'
import { StoreError } from '../errors.ts'
import { snapshot } from '../input/check.ts'
import { messageIdSchema, nameSchema, seqBoundSchema, sessionIdSchema } from '../input/schemas.ts'
import type { PreparedSession } from '../input/sessions.ts'
import { limits } from '../limits.ts'
import type { Locale } from '../restore/text.ts'
import { foldText } from '../text/fold.ts'
import { firstCodePoints } from '../text/utf8.ts'
import type { ForkOptions } from '../types/transfer.ts'
import type { SessionRecord } from './records.ts'

export const copySuffixes: { readonly [locale in Locale]: string } = { en: ' (copy)', zh: ' (副本)' }

const forkSchema = z
  .strictObject({
    atMessageId: messageIdSchema.optional(),
    atSeq: seqBoundSchema.optional(),
    id: sessionIdSchema.optional(),
    name: nameSchema.optional(),
  })
  .refine((options) => options.atMessageId === undefined || options.atSeq === undefined, {
    message: 'takes atMessageId or atSeq, not both',
  })

/** @throws {StoreError} invalid */
export function checkFork(options: ForkOptions): ForkOptions {
  return snapshot(forkSchema, options, 'options')
}

const rewindSchema = z
  .strictObject({ toMessageId: messageIdSchema.optional(), toSeq: seqBoundSchema.optional() })
  .refine((options) => (options.toMessageId === undefined) !== (options.toSeq === undefined), {
    message: 'takes toMessageId or toSeq',
  })

/** @throws {StoreError} invalid */
export function checkRewind<T extends { readonly toMessageId?: string; readonly toSeq?: number }>(
  options: T,
): T {
  return snapshot(rewindSchema, options, 'options')
}

/** What a copy takes along: owner, place, channel, model, data and tags; not the chat, parent, source, pin or archive. */
function copyOf(row: SessionRecord, tags: readonly string[]): PreparedSession {
  return {
    id: undefined,
    name: row.name,
    nameFolded: foldText(row.name),
    nameSource: row.nameSource as PreparedSession['nameSource'],
    type: row.sessionType as PreparedSession['type'],
    ownerId: row.ownerId,
    workingDir: row.workingDir ?? undefined,
    channelType: row.channelType ?? undefined,
    channelKey: undefined,
    parentSessionId: undefined,
    providerName: row.providerName ?? undefined,
    mode: row.mode ?? undefined,
    createdAt: undefined,
    modelConfigJson: row.modelConfig ?? undefined,
    extensionDataJson: row.extensionData,
    metadataJson: row.metadata,
    tags,
  }
}

/** The session a fork makes; a sub-agent's or hidden one becomes a user's. */
export function forkOf(
  row: SessionRecord,
  tags: readonly string[],
  { id, name }: ForkOptions,
  locale: Locale,
): PreparedSession {
  const copy = copyOf(row, tags)
  const suffix = copySuffixes[locale]
  const forkName = name ?? firstCodePoints(row.name, limits.name - suffix.length) + suffix
  return {
    ...copy,
    id,
    name: forkName,
    nameFolded: foldText(forkName),
    nameSource: name === undefined ? copy.nameSource : 'user',
    type: copy.type === 'sub_agent' || copy.type === 'hidden' ? 'user' : copy.type,
  }
}

/** The hidden session a rewind makes. */
export function branchOf(row: SessionRecord, tags: readonly string[]): PreparedSession {
  return { ...copyOf(row, tags), type: 'hidden' }
}

/** The seq of a message that was named. */
export function seqOf(sessionId: string, messageId: string, seq: number | undefined): number {
  if (seq !== undefined) return seq
  throw new StoreError('not-found', `session "${sessionId}" has no message "${messageId}"`)
}
