// Messages on their way in: checked, and turned into the texts and facts that are stored.

import { z } from 'zod'
import { StoreError } from '../errors.ts'
import { createHash } from '../hash.ts'
import { limits } from '../limits.ts'
import { previewLine } from '../text/preview.ts'
import { utf8Length } from '../text/utf8.ts'
import { type TurnPart, textForm, turnPart } from '../turns/parts.ts'
import type { ContentBlock } from '../types/content.ts'
import type { MessageMetadata, NewMessage, Role } from '../types/message.ts'
import type { ImportedMessage } from '../types/transfer.ts'
import { snapshot } from './check.ts'
import { toJsonText } from './json.ts'
import { list } from './list.ts'
import { importedMessageSchema, newMessageSchema } from './schemas.ts'

/** A message as it will be stored, but for what the store itself gives: id, seq and time where they are absent. */
export interface PreparedMessage {
  readonly id: string | undefined
  readonly seq: number | undefined
  readonly role: Role
  readonly createdAt: number | undefined
  readonly contentJson: string
  readonly metadataJson: string
  /** See {@link turnPart}. */
  readonly turnPart: TurnPart | undefined
  /** What a text restore reads instead of `contentJson`, where the two differ. */
  readonly textJson: string | undefined
  readonly preview: string | undefined
}

const batch = list(z.unknown())

/**
 * Checks a batch and prepares it.
 *
 * @throws {StoreError} invalid naming the path, too-large naming the message
 */
export function prepareMessages(
  messages: readonly NewMessage[],
  maxBytes: number = limits.messageBytes,
  name = 'messages',
): PreparedMessage[] {
  return snapshot(batch, messages, name).map((message, index) =>
    prepareMessage(message, maxBytes, `${name}[${index}]`),
  )
}

/**
 * Checks and prepares one message. `metadata.summary` belongs to `compact`: a caller's own is refused.
 *
 * @param summary what makes the message a summary, where it is one; it stays visible to the agent
 */
export function prepareMessage(
  message: NewMessage,
  maxBytes: number,
  name: string,
  summary?: MessageMetadata['summary'],
): PreparedMessage {
  const envelope = snapshot(newMessageSchema, message, name)
  const metadata = message.metadata as MessageMetadata | undefined
  if (metadata?.summary !== undefined) {
    throw new StoreError('invalid', `${name}.metadata.summary is set by compact alone`)
  }
  if (summary === undefined) return prepare(envelope, message.content, metadata, maxBytes, name)
  if (metadata?.agentVisible === false) {
    throw new StoreError('invalid', `${name}.metadata.agentVisible: a summary stays visible to the agent`)
  }
  return prepare(envelope, message.content, { ...metadata, summary }, maxBytes, name)
}

/** Checks and prepares a message of an import, which may carry a seq and a summary. */
export function prepareImported(message: ImportedMessage, maxBytes: number, name: string): PreparedMessage {
  const envelope = snapshot(importedMessageSchema, message, name)
  return prepare(envelope, message.content, message.metadata as MessageMetadata, maxBytes, name)
}

/** The envelope is zod's copy; content and metadata are the caller's own, whose keys zod does not all keep. */
function prepare(
  { id, seq, role, createdAt }: Pick<ImportedMessage, 'id' | 'seq' | 'role' | 'createdAt'>,
  given: NewMessage['content'],
  metadata: MessageMetadata = {},
  maxBytes: number,
  name: string,
): PreparedMessage {
  const content = (
    typeof given === 'string' ? [{ type: 'text', text: given }] : given
  ) as readonly ContentBlock[]
  // What is far too large never becomes text; how large the rest is, the error says.
  const bound = Math.max(maxBytes, limits.messageBytes)
  const contentJson = toJsonText(content, `${name}.content`, bound)
  const metadataJson = toJsonText(metadata, `${name}.metadata`, bound)
  const bytes = utf8Length(contentJson) + utf8Length(metadataJson)
  if (bytes > maxBytes) {
    throw new StoreError('too-large', `${name} has ${bytes} bytes of JSON, the store takes ${maxBytes}`)
  }
  const part = turnPart(role, content, metadata)
  const form = part === undefined ? undefined : textForm(content)
  return {
    id,
    seq,
    role,
    createdAt,
    contentJson,
    metadataJson,
    turnPart: part,
    textJson: form && JSON.stringify(form),
    preview: previewLine(role, content, metadata),
  }
}

/** The digest of an operation: of the method, its `throughSeq`, and the messages as given, before ids and times. */
export function operationDigest(
  method: string,
  messages: readonly PreparedMessage[],
  throughSeq: number | null = null,
): string {
  const hash = createHash().update(JSON.stringify([method, throughSeq, messages.length]))
  for (const message of messages) hash.update(digestText(message))
  return hash.digest()
}

/** What one message adds to a digest: lengths first, so that no two lists of messages spell the same. */
export function digestText(message: PreparedMessage): string {
  const head = [
    message.id ?? null,
    message.role,
    message.createdAt ?? null,
    message.contentJson.length,
    message.metadataJson.length,
  ]
  return `${JSON.stringify(head)}${message.contentJson}${message.metadataJson}`
}
