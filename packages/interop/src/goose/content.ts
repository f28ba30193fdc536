// Goose's message content as blocks of sess. What a block of sess has no place for is kept in the block under `native`;
// content of a kind that has no counterpart is kept as it came.

import type { JsonObject } from '@sess/core'
import { invalid, isObject, rest, textOf } from '../values.ts'

/** A block as `sessions.import` takes it. */
export interface Block {
  readonly type: string
  readonly [key: string]: unknown
}

/**
 * The block of one item of a message's `content`; `undefined` for the marks of an old compaction, which say nothing.
 *
 * @throws {StoreError} invalid naming what no block can be made of
 */
export function readBlock(item: unknown, name: string): Block | undefined {
  if (!isBlock(item)) throw invalid(`${name}.type`, 'must be a string')
  switch (item.type) {
    case 'conversationCompacted':
      return undefined
    case 'toolRequest':
      return toolUse(item)
    case 'toolResponse':
      return toolResult(item, name)
    case 'thinking':
      return thinking(item, 'thinking', name)
    case 'reasoning':
      return typeof item.text === 'string' ? thinking(item, 'text', name) : item
    case 'redactedThinking':
      if (typeof item.data !== 'string') return item
      return withNative({ type: 'redacted_thinking', data: item.data }, rest(item, 'type', 'data'))
    default:
      return plainBlock(item, name)
  }
}

/** Text and images, which stand in messages and in tool results; anything else as it came. */
function plainBlock(item: Block, name: string): Block {
  if (item.type === 'text') {
    if (typeof item.text !== 'string') throw invalid(`${name}.text`, 'must be a string')
    return withNative({ type: 'text', text: item.text }, rest(item, 'type', 'text'))
  }
  if (item.type === 'image' && typeof item.data === 'string' && typeof item.mimeType === 'string') {
    const source = { type: 'base64', media_type: item.mimeType, data: item.data }
    return withNative({ type: 'image', source }, rest(item, 'type', 'data', 'mimeType'))
  }
  return item
}

function thinking(item: Block, key: 'thinking' | 'text', name: string): Block {
  const text = item[key]
  if (typeof text !== 'string') throw invalid(`${name}.${key}`, 'must be a string')
  const signature = textOf(item.signature)
  const block = { type: 'thinking', thinking: text, ...(signature !== undefined && { signature }) }
  return withNative(block, rest(item, 'type', key, 'signature'))
}

/** A call that Goose could not read has no name; it stays a use, because an answer with its id follows. */
function toolUse(item: Block): Block {
  const { id, toolCall } = item
  if (typeof id !== 'string' || !isObject(toolCall)) return item
  const others = rest(item, 'type', 'id', 'toolCall')
  const call = toolCall.status === 'success' ? toolCall.value : undefined
  if (isObject(call) && typeof call.name === 'string') {
    const value = rest(call, 'name', 'arguments')
    const block = { type: 'tool_use', id, name: call.name, input: inputOf(call.arguments) }
    return withNative(block, value ? { ...others, toolCall: { value } } : others)
  }
  if (toolCall.status !== 'error') return item
  return withNative({ type: 'tool_use', id, name: 'unknown', input: {} }, { ...others, toolCall })
}

function inputOf(value: unknown): JsonObject {
  if (value === null || value === undefined) return {}
  return isObject(value) ? value : { value }
}

function toolResult(item: Block, name: string): Block {
  const { id, toolResult: result } = item
  if (typeof id !== 'string' || !isObject(result)) return item
  const others = rest(item, 'type', 'id', 'toolResult')
  if (result.status === 'error') {
    const text = typeof result.error === 'string' ? result.error : JSON.stringify(result.error ?? null)
    const block = { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text }], is_error: true }
    return withNative(block, others)
  }
  const { value } = result
  // Before MCP's own result type, the content stood there bare.
  const content = isObject(value) ? value.content : value
  if (result.status !== 'success' || !Array.isArray(content)) return item
  const isBare = !isObject(value)
  const path = `${name}.toolResult.value${isBare ? '' : '.content'}`
  const block = {
    type: 'tool_result',
    tool_use_id: id,
    content: content.map((part, index) => resultBlock(part, `${path}[${index}]`)),
    ...(!isBare && value.isError === true && { is_error: true }),
  }
  const lost = isBare ? undefined : rest(value, 'content', 'isError')
  return withNative(block, lost ? { ...others, toolResult: { value: lost } } : others)
}

function resultBlock(part: unknown, name: string): Block {
  if (!isBlock(part)) throw invalid(`${name}.type`, 'must be a string')
  return plainBlock(part, name)
}

function isBlock(value: unknown): value is Block {
  return isObject(value) && typeof value.type === 'string'
}

function withNative(block: Block, native: JsonObject | undefined): Block {
  return native === undefined ? block : { ...block, native }
}
