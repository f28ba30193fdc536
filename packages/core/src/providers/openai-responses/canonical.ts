// Items of a turn written anew: one message item per text, outputs first in a turn of the user, nothing that refers to
// what the server may have forgotten.

import { isBlank } from '../../turns/parts.ts'
import type { JsonObject } from '../../types/content.ts'
import { keepArguments } from '../arguments.ts'
import {
  type Block,
  type Call,
  isCall,
  isResult,
  isSaid,
  isText,
  placeholder,
  type Result,
  resultBlocks,
  saidText,
  toldResult,
} from '../blocks.ts'
import { isObject, itemsOf, own } from '../json.ts'
import { isMedia } from '../media.ts'
import { lay, nativeOf } from '../native.ts'
import { forms, renderPart } from './parts.ts'

const provider = 'openai-responses'

export function systemItems(blocks: readonly Block[]): JsonObject[] {
  const content = saidText(blocks)
  return content === '' ? [] : [{ role: 'system', content }]
}

/** What the server ran itself; items of it need ids that it may not have kept. */
const servers: ReadonlySet<string> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
])

/** Texts, calls, and reasoning in front of what it led to: at the end it is refused (continuedev/continue#8933). */
export function assistantItems(blocks: readonly Block[]): JsonObject[] {
  const items: JsonObject[] = []
  let texts: Block[] = []
  const flush = () => {
    const content = saidText(texts)
    if (content !== '') items.push({ role: 'assistant', content })
    texts = []
  }
  for (const block of blocks) {
    if (isText(block)) texts.push(block)
    else {
      const item = assistantItem(block)
      if (item === undefined) continue
      flush()
      items.push(item)
    }
  }
  flush()
  return items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1)
}

function assistantItem(block: Block): JsonObject | undefined {
  if (isCall(block)) return writeCall(block)
  const native = nativeOf(block, provider)
  if (native === undefined) return undefined
  if (native.form === forms.reasoning) return writeReasoning(block, native.value)
  const isKept = native.form === forms.item && !servers.has(block.type) && isObject(native.value)
  return isKept ? (native.value as JsonObject) : undefined
}

function writeCall({ id, name, input, native }: Call): JsonObject {
  const value = nativeOf({ native }, provider)?.value
  const text = isObject(value) ? own(value, 'arguments') : undefined
  return { type: 'function_call', call_id: id, name, arguments: keepArguments(input, text) }
}

/** Neither `id`, which the server may not know, nor `status`, which it refuses (BerriAI/litellm#13420). */
function writeReasoning(block: Block, value: unknown): JsonObject | undefined {
  const members = isObject(value) ? value : {}
  const encrypted = block.type === 'redacted_thinking' ? block.data : own(members, 'encrypted_content')
  if (typeof encrypted !== 'string') return undefined
  const text = typeof block.thinking === 'string' ? block.thinking : ''
  const rendered = text === '' ? [] : [{ type: 'summary_text', text }]
  const summary = itemsOf(own(members, 'summary') ?? rendered)
  return { type: 'reasoning', summary, encrypted_content: encrypted }
}

export function userItems(blocks: readonly Block[]): JsonObject[] {
  const outputs = blocks.filter(isResult).map(writeOutput)
  const natives = blocks.flatMap((block) => {
    const native = nativeOf(block, provider)
    const isKept = native?.form === forms.item && !servers.has(block.type)
    return isKept && isObject(native.value) ? [native.value] : []
  })
  const others = blocks.filter(
    (block) => !isResult(block) && !isCall(block) && nativeOf(block, provider)?.form !== forms.item,
  )
  const parts = others.flatMap(writeInput)
  const hidden = others.find((block) => !isText(block))
  const isBare = parts.length === 0 && outputs.length === 0 && natives.length === 0
  const content = isBare && hidden ? [placeholderPart(hidden)] : parts
  const [first, ...more] = content
  if (first === undefined) return [...outputs, ...natives]
  const isTextAlone = more.length === 0 && first.type === 'input_text'
  return [...outputs, ...natives, { role: 'user', content: isTextAlone ? first.text : content }]
}

/** Pictures may stand in a result, then as a list. */
function writeOutput(result: Result): JsonObject {
  const blocks = resultBlocks(result)
  const isList = blocks.some((block) => isMedia(block) && renderPart(block, 'input') !== undefined)
  const failed = result.is_error === true ? [{ type: 'input_text', text: 'error:' }] : []
  const output = isList
    ? [...failed, ...blocks.flatMap((block) => (isSaid(block) || !isText(block) ? shownInput(block) : []))]
    : toldResult(result)
  return { type: 'function_call_output', call_id: result.tool_use_id, output }
}

function shownInput(block: Block): JsonObject[] {
  const parts = writeInput(block)
  return parts.length > 0 ? parts : [placeholderPart(block)]
}

function writeInput(block: Block): JsonObject[] {
  if (isText(block)) return isBlank(block.text) ? [] : [{ type: 'input_text', text: block.text }]
  const native = nativeOf(block, provider)
  if (isMedia(block)) {
    const rendered = renderPart(block, 'input')
    if (rendered === undefined) return [placeholderPart(block)]
    // `detail` changes what the picture costs and shows.
    const laid = native ? lay(rendered, native) : rendered
    return [isObject(laid) ? laid : rendered]
  }
  return native?.form === forms.part && isObject(native.value) ? [native.value] : []
}

function placeholderPart(block: Block): JsonObject {
  return { type: 'input_text', text: placeholder(block) }
}
