// From the Responses API. What a model put out at once (reasoning, a message, calls) is one assistant message of ours;
// outputs are messages of role tool. A message item's own members are in `metadata.native`, an item's in its block.

import type { JsonObject } from '../../types/content.ts'
import type { NewMessage, Role } from '../../types/message.ts'
import type { Block } from '../blocks.ts'
import { converted } from '../given.ts'
import { isObject, itemsOf } from '../json.ts'
import { difference, type Native } from '../native.ts'
import { readItem } from './items.ts'
import { readPart, type Side } from './parts.ts'
import type { OpenAiInputItem } from './types.ts'

const provider = 'openai-responses'

/** How an assistant message holds its message item: as text, as parts, or not at all. */
export const contentForms = { text: 'text', parts: 'parts', none: 'none' } as const

/**
 * The messages of items of the OpenAI Responses API, from a request's input or a response's output; `toOpenAiItems`
 * gives the same items back. Items that only this API has (built-in tools, item references, compactions) are blocks of
 * their own type that go back to it alone.
 */
export function fromOpenAiItems(items: readonly OpenAiInputItem[]): NewMessage[] {
  return converted('fromOpenAiItems', 'items', items, convert)
}

function convert(items: readonly OpenAiInputItem[]): NewMessage[] {
  const messages: NewMessage[] = []
  let output: { blocks: Block[]; native?: Native } | undefined
  const flush = () => {
    if (output === undefined) return
    const native = output.native ?? { provider, value: {}, form: contentForms.none }
    messages.push({ role: 'assistant', content: output.blocks, metadata: { native } })
    output = undefined
  }
  for (const item of items as readonly unknown[]) {
    const message = isObject(item) ? readMessageItem(item) : undefined
    if (message === undefined) {
      const block = readItem(item)
      if (isAnswer(item)) {
        flush()
        const native: Native = { provider, value: {}, form: contentForms.none }
        messages.push({ role: 'tool', content: [block], metadata: { native } })
      } else {
        output ??= { blocks: [] }
        output.blocks.push(block)
      }
    } else if (message.role !== 'assistant') {
      flush()
      messages.push({ role: message.role, content: message.blocks, metadata: { native: message.native } })
    } else {
      // A second message item begins a message of its own.
      if (output?.native !== undefined) flush()
      output = { blocks: [...(output?.blocks ?? []), ...message.blocks], native: message.native }
    }
  }
  flush()
  return messages
}

const roles: { readonly [role: string]: Role } = {
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
}

interface MessageItem {
  readonly role: Role
  readonly blocks: Block[]
  readonly native: Native
}

/** Undefined for what is no message, and for one of the assistant with nothing in it, which is kept as an item. */
function readMessageItem(original: JsonObject): MessageItem | undefined {
  const { type, role: name, content } = original
  if (typeof name !== 'string' || (type !== undefined && type !== 'message')) return undefined
  const role = roles[name] ?? 'user'
  const side = role === 'assistant' ? 'output' : 'input'
  const isText = typeof content === 'string'
  if (!isText && !Array.isArray(content)) {
    if (role === 'assistant') return undefined
    const native: Native = {
      provider,
      ...difference({ role, content: '' }, original),
      form: contentForms.text,
    }
    return { role, blocks: [], native }
  }
  if (role === 'assistant' && content.length === 0) return undefined
  const blocks = readContent(content, side)
  const form = isText ? contentForms.text : contentForms.parts
  return { role, blocks, native: { provider, ...difference({ role, content }, original), form } }
}

/** Items that answer a call, and so are the host's. */
function isAnswer(item: unknown): boolean {
  const type = isObject(item) ? item.type : undefined
  return typeof type === 'string' && (type.endsWith('_output') || type === 'mcp_approval_response')
}

/** The blocks of a message's content. */
export function readContent(content: unknown, side: Side): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return itemsOf(content).map((part) => readPart(part, side))
}
