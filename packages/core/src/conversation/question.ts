// What may be handed to `begin`: something the user said, or the results of calls that an interrupted turn still waits
// for. Anything else is refused before it is stored, for a provider would refuse every context it stands in.

import { z } from 'zod'
import { StoreError } from '../errors.ts'
import { checkFor } from '../input/arguments.ts'
import { newMessageSchema } from '../input/schemas.ts'
import { isBlank, isTextBlock } from '../turns/parts.ts'
import type { ToolResultBlock, ToolUseBlock } from '../types/content.ts'
import type { Message, NewMessage } from '../types/message.ts'
import { asStored } from './persist.ts'
import { type Run, uncovered } from './run.ts'
import { isSent } from './sent.ts'

const operation = 'conversation.begin'
const ofTheAssistant: readonly unknown[] = ['tool_use', 'thinking', 'redacted_thinking']

const questionSchema: z.ZodType<unknown> = z.unknown().check((context) => {
  const { role, content } = asStored(context.value as NewMessage)
  const fail = (path: (string | number)[], message: string) => {
    context.issues.push({ code: 'custom', path, message, input: context.value })
  }
  if (role !== 'user') fail(['role'], `must be "user", not "${role}"`)
  for (const [index, { type }] of content.entries()) {
    if (ofTheAssistant.includes(type))
      fail(['content', index, 'type'], `must not be ${String(type)}: that is the assistant's`)
  }
  if (content.every((block) => isTextBlock(block) && isBlank(block.text)))
    fail(['content'], 'must say something')
})

/**
 * The user's message of what was given to `begin`.
 *
 * @throws {StoreError} invalid not the user's, or nothing is said
 */
export function questionOf(user: NewMessage['content'] | NewMessage): NewMessage {
  const isContent = typeof user === 'string' || isList(user)
  const question = isContent
    ? { role: 'user' as const, content: user as NewMessage['content'] }
    : (user as NewMessage)
  checkFor(operation, newMessageSchema, question, 'user')
  return checkFor(operation, questionSchema, question, 'user')
}

/** Asking a proxy that was revoked throws. */
function isList(value: unknown): boolean {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** Where the results of a question stand in it. */
function resultsOf({ content }: Message): (readonly [number, ToolResultBlock])[] {
  return content.flatMap((block, index) => (block.type === 'tool_result' ? [[index, block] as const] : []))
}

export function hasResults(question: NewMessage): boolean {
  return resultsOf(asStored(question)).length > 0
}

/**
 * Checks that each result of a question answers a call that the turn still waits for.
 *
 * @throws {StoreError} invalid naming the result that answers none
 */
export function checkResults(question: NewMessage, turn: Run | undefined): void {
  const open = openCalls(turn).map(({ id }) => id)
  for (const [index, { tool_use_id: id }] of resultsOf(asStored(question))) {
    const at = open.indexOf(id)
    if (at < 0) {
      const where = `user.content[${index}].tool_use_id`
      throw new StoreError('invalid', `${where}: the last turn has no open call "${id}"`, { operation })
    }
    open.splice(at, 1)
  }
}

/** The calls in the last message of the assistant that have no result yet; of those that a summary tells none is open. */
export function openCalls(turn: Run | undefined): ToolUseBlock[] {
  const messages = turn === undefined ? [] : uncovered(turn)
  const last = messages.findLastIndex(({ role, content }) => role === 'assistant' && content.some(isSent))
  const open = (messages[last]?.content ?? []).filter(
    (block): block is ToolUseBlock => block.type === 'tool_use' && typeof block.id === 'string',
  )
  for (const { content } of messages.slice(last + 1)) {
    for (const block of content) {
      if (block.type !== 'tool_result') continue
      const at = open.findIndex(({ id }) => id === block.tool_use_id)
      if (at >= 0) open.splice(at, 1)
    }
  }
  return open
}
