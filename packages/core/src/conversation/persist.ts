// Storing what a run of an agent made, step by step or at its end.

import { z } from 'zod'
import { isStoreError } from '../errors.ts'
import { checkFor, checkStore } from '../input/arguments.ts'
import { newMessageSchema } from '../input/schemas.ts'
import type { AppendReceipt } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import { toTextMessages } from '../restore/text.ts'
import { turnPart, turnParts } from '../turns/parts.ts'
import type { ContentBlock } from '../types/content.ts'
import type { Message, MessageMetadata, NewMessage } from '../types/message.ts'
import type { NewSession } from '../types/session.ts'

export interface PersistOptions {
  /** "strip" (default) leaves thinking and redacted_thinking of assistant messages out; "keep" stores them. */
  readonly thinking?: 'strip' | 'keep'
  /** "keep" (default): history is for people too; "strip" stores only what a text restore would use. */
  readonly tools?: 'keep' | 'strip'
  /** Marks messages that have no channel of their own. */
  readonly channelType?: string
  /** Mark assistant messages that do not say who wrote them: full restore keeps thinking only where these match. */
  readonly provider?: string
  readonly model?: string
  /** Creates the session on first use (default true, or its fields); false keeps a session that was deleted meanwhile deleted. */
  readonly createSession?: NewSession | boolean
  readonly expectedVersion?: number
  /** Makes a retry safe. */
  readonly operationId?: string
}

export const persistFields: { readonly [field: string]: z.ZodType<unknown> } = {
  thinking: z.enum(['strip', 'keep']).optional(),
  tools: z.enum(['keep', 'strip']).optional(),
  channelType: z.string().optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
}

const optionsSchema = z.strictObject({
  ...persistFields,
  // Looked into by the store.
  createSession: z.unknown().optional(),
  expectedVersion: z.unknown().optional(),
  operationId: z.unknown().optional(),
})
const messagesSchema = z.array(newMessageSchema)

/**
 * Checks messages before any is looked into; what the store alone knows (sizes, values that are no JSON) it refuses.
 *
 * @throws {StoreError} invalid naming the message and the field
 */
export function checkMessages(operation: string, messages: readonly NewMessage[]): void {
  checkFor(operation, messagesSchema, messages, 'messages')
}

/**
 * Stores the messages of a run, all or nothing. Answers `undefined`, and stores nothing, when the session is gone and
 * `createSession` is false.
 *
 * @throws {StoreError} what `messages.append` throws
 */
export async function persistRun(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  messages: readonly NewMessage[],
  options: PersistOptions = {},
): Promise<AppendReceipt | undefined> {
  checkStore('persistRun', store, 'messages')
  checkFor('persistRun', optionsSchema, options, 'options')
  checkMessages('persistRun', messages)
  const { createSession = true, expectedVersion, operationId } = options
  const kept = keepForStore(messages, options)
  try {
    return await store.messages.append(sessionId, kept, {
      ...(createSession === false ? {} : { createSession }),
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
      ...(operationId === undefined ? {} : { operationId }),
    })
  } catch (error) {
    if (createSession === false && isStoreError(error) && error.code === 'not-found') return undefined
    throw error
  }
}

function keepForStore(messages: readonly NewMessage[], options: PersistOptions): NewMessage[] {
  const { thinking = 'strip', tools = 'keep' } = options
  const withoutThinking = thinking === 'keep' ? messages : messages.flatMap(stripThinking)
  const kept = tools === 'keep' ? withoutThinking : textOnly(withoutThinking)
  return kept.map((message) => mark(message, options))
}

/** An assistant message that held nothing else is not stored. */
function stripThinking(message: NewMessage): NewMessage[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return [message]
  const content = message.content.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking')
  if (content.length === message.content.length) return [message]
  return content.length === 0 ? [] : [{ ...message, content }]
}

/** Of each turn the opener, steering texts and the reply, cut to their texts. */
function textOnly(messages: readonly NewMessage[]): NewMessage[] {
  const turns: NewMessage[][] = [[]]
  for (const message of messages) {
    const { content, metadata } = asStored(message)
    if (turnPart(message.role, content, metadata) === turnParts.opener) turns.push([])
    turns.at(-1)?.push(message)
  }
  return turns.flatMap((turn) =>
    toTextMessages(turn.map(asStored)).map(({ seq, content }) => ({ ...(turn[seq] as NewMessage), content })),
  )
}

/** What the rules of turns look at; `seq` is the place in the turn. */
export function asStored(message: NewMessage, index = 0): Message {
  const content =
    typeof message.content === 'string'
      ? [{ type: 'text' as const, text: message.content }]
      : ([...message.content] as readonly ContentBlock[])
  return {
    id: '',
    sessionId: '',
    seq: index,
    role: message.role,
    content,
    createdAt: 0,
    metadata: (message.metadata ?? {}) as MessageMetadata,
  }
}

/** The message with the marks it does not have yet. */
export function mark(message: NewMessage, { channelType, provider, model }: PersistOptions): NewMessage {
  const given = (message.metadata ?? {}) as MessageMetadata
  const isAssistant = message.role === 'assistant'
  const marks = {
    ...(channelType !== undefined && given.channelType === undefined ? { channelType } : {}),
    ...(isAssistant && provider !== undefined && given.provider === undefined ? { provider } : {}),
    ...(isAssistant && model !== undefined && given.model === undefined ? { model } : {}),
  }
  return Object.keys(marks).length === 0 ? message : { ...message, metadata: { ...given, ...marks } }
}
