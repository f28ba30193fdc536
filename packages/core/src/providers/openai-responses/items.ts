// Items of the Responses API that are no messages, to blocks and back: reasoning, calls, outputs. All others are kept
// whole in a block of their own type.

import type { JsonObject } from '../../types/content.ts'
import { objectInput, readArguments, writeArguments } from '../arguments.ts'
import { type Block, type Call, isCall, isResult, isThinking } from '../blocks.ts'
import { isObject, itemsOf, sameJson } from '../json.ts'
import { lay, type Native, nativeOf, wholeBlock, withNative } from '../native.ts'
import { forms, readPart, writePart } from './parts.ts'

const provider = 'openai-responses'

/** An item that is no message, as a block. */
export function readItem(original: unknown): Block {
  const read = isObject(original) ? neutralItem(original) : undefined
  if (!isObject(original) || read === undefined) {
    return wholeBlock(provider, original, isObject(original) ? original.type : undefined, forms.item)
  }
  const { block, form } = read
  return withNative(block, provider, renderItem(block, form) ?? {}, original, form)
}

function neutralItem(original: JsonObject): { block: Block; form?: string } | undefined {
  const { type, call_id: id, name, input, output } = original
  if (type === 'reasoning') return { block: readReasoning(original), form: forms.reasoning }
  if (typeof id !== 'string') return undefined
  if (type === 'function_call' && typeof name === 'string') {
    return { block: { type: 'tool_use', id, name, input: readArguments(original.arguments) } }
  }
  if (type === 'custom_tool_call' && typeof name === 'string') {
    return { block: { type: 'tool_use', id, name, input: { input: input ?? '' } }, form: forms.custom }
  }
  if (type !== 'function_call_output' && type !== 'custom_tool_call_output') return undefined
  const block = { type: 'tool_result', tool_use_id: id }
  const form = type === 'custom_tool_call_output' ? { form: forms.custom } : {}
  if (typeof output === 'string') return { block: { ...block, content: output }, ...form }
  if (!Array.isArray(output)) return { block, ...form }
  return { block: { ...block, content: output.map((part) => readPart(part, 'input')) }, ...form }
}

/** Reasoning that can be read is thinking; reasoning that is only ciphertext is redacted thinking. */
function readReasoning({ summary, content, encrypted_content: encrypted }: JsonObject): Block {
  const texts = [...itemsOf(summary), ...itemsOf(content)].flatMap((part) =>
    isObject(part) && typeof part.text === 'string' ? [part.text] : [],
  )
  if (texts.length === 0 && typeof encrypted === 'string')
    return { type: 'redacted_thinking', data: encrypted }
  return { type: 'thinking', thinking: texts.join('\n\n') }
}

/** The item of a block by what it says alone; `undefined` where it is a part of a message. */
function renderItem(block: Block, form: Native['form']): JsonObject | undefined {
  if (isThinking(block)) {
    const summary = block.thinking === '' ? [] : [{ type: 'summary_text', text: block.thinking }]
    return { type: 'reasoning', summary }
  }
  if (block.type === 'redacted_thinking') {
    return { type: 'reasoning', summary: [], encrypted_content: block.data }
  }
  const isCustom = form === forms.custom
  if (isCall(block)) {
    const call = { call_id: block.id, name: block.name }
    return isCustom
      ? { type: 'custom_tool_call', ...call, input: objectInput(block.input).input }
      : { type: 'function_call', ...call, arguments: writeArguments(block.input) }
  }
  if (!isResult(block)) return undefined
  const { content } = block
  const output = Array.isArray(content) ? content.map((part) => writePart(part as Block, 'input')) : content
  return {
    type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: block.tool_use_id,
    ...(output === undefined ? {} : { output }),
  }
}

/** The item as it was, where the block still says what it said then; else by what the block says. */
export function writeItem(block: Block): unknown {
  const native = nativeOf(block, provider)
  if (native?.form === forms.item) return native.value
  const rendered = renderItem(block, native?.form)
  if (native === undefined || rendered === undefined) return rendered
  const original = lay(rendered, native)
  const read = isObject(original) ? neutralItem(original)?.block : undefined
  return isUnchanged(block, read) ? original : rendered
}

/** Native arguments and summaries are a second copy of what the block says: an edited block wins. */
function isUnchanged(block: Block, read: Block | undefined): boolean {
  if (isCall(block)) return sameJson((read as Call | undefined)?.input, block.input)
  if (isThinking(block)) return read?.thinking === block.thinking
  return sameJson(read?.content, block.content)
}

/** Whether a block is an item of its own, and no part of a message. */
export function isItem(block: Block): boolean {
  return nativeOf(block, provider)?.form === forms.item || renderItem(block, undefined) !== undefined
}
