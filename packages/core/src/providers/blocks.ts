// Messages as converters work on them: content is always a list of blocks, and a block is a plain object with a type.
// Guards look at the members too: a row of another program may hold a tool_use without a name.

import { isBlank } from '../turns/parts.ts'
import type { NewMessage, Role } from '../types/message.ts'
import { isObject, itemsOf, own } from './json.ts'
import { nativeOf, type ProviderName } from './native.ts'

/** What converters take: a new message, a stored one, a restored one. */
export type ConvertibleMessage = Pick<NewMessage, 'role' | 'content' | 'metadata'>

/** A content block, whatever it is. */
export interface Block {
  readonly type: string
  readonly [key: string]: unknown
}

/** A message being converted. */
export interface Entry {
  readonly role: Role
  readonly blocks: readonly Block[]
  readonly metadata: object | undefined
}

/** A call of a tool. */
export interface Call extends Block {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** A tool's answer; `call` is there once {@link linkCalls} has found what it answers. */
export interface Result extends Block {
  readonly tool_use_id: string
  readonly call?: { readonly name: string; readonly order: number }
}

/** The messages that an agent may see, as entries. */
export function entriesOf(messages: readonly ConvertibleMessage[]): Entry[] {
  return messages
    .filter(({ metadata }) => !isObject(metadata) || own(metadata, 'agentVisible') !== false)
    .map(({ role, content, metadata }) => ({
      role,
      metadata,
      blocks:
        typeof content === 'string'
          ? [{ type: 'text', text: content }]
          : itemsOf(content).filter((block): block is Block => isObject(block)),
    }))
}

/** Whether a message was read from that provider's own shape. */
export function isOwn(entry: Entry, provider: ProviderName): boolean {
  return nativeOf(entry.metadata, provider) !== undefined
}

export function isText(block: Block): block is Block & { readonly text: string } {
  return block.type === 'text' && typeof block.text === 'string'
}

/** A text block that says something. */
export function isSaid(block: Block): block is Block & { readonly text: string } {
  return isText(block) && !isBlank(block.text)
}

export function isThinking(block: Block): block is Block & { readonly thinking: string } {
  return block.type === 'thinking' && typeof block.thinking === 'string'
}

export function isCall(block: Block): block is Call {
  return block.type === 'tool_use' && typeof block.id === 'string' && typeof block.name === 'string'
}

export function isResult(block: Block): block is Result {
  return block.type === 'tool_result' && typeof block.tool_use_id === 'string'
}

/** Blocks of a result, a string content being one of text. */
export function resultBlocks(result: Result): readonly Block[] {
  const { content } = result
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return itemsOf(content).filter((block): block is Block => isObject(block))
}

/** What stands for a block that a provider cannot be shown. */
export function placeholder(block: Block): string {
  return `[${String(block.type)}]`
}

/** What a tool said, for providers whose results hold text only; never blank. */
export function resultText(result: Result): string {
  const text = resultBlocks(result)
    .map((block) => (isText(block) ? block.text : placeholder(block)))
    .join('\n')
  return isBlank(text) ? '(no output)' : text
}

/** As {@link resultText}, with a failure told in words, for providers that have no member for it. */
export function toldResult(result: Result): string {
  const text = resultText(result)
  return result.is_error === true && !/^\W*error\b/i.test(text) ? `error: ${text}` : text
}

/** The texts that say something, joined by a newline. */
export function saidText(blocks: readonly Block[]): string {
  return blocks
    .filter(isSaid)
    .map((block) => block.text)
    .join('\n')
}
