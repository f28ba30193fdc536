// One message of ours as one of Chat Completions, as it was read from there. It writes what blocks say; what they do
// not say is laid over it from `metadata.native`.

import type { JsonObject } from '../../types/content.ts'
import { type Block, type Entry, isCall, isResult, isText, isThinking } from '../blocks.ts'
import { isObject } from '../json.ts'
import { lay, nativeOf } from '../native.ts'
import { writeCall } from './calls.ts'
import { forms, writePart } from './parts.ts'

const provider = 'openai-chat'

/** What the blocks of a message say, its content a list of parts or, where that can be, a text. */
export function renderMessage({ role, blocks }: Entry, form: string | undefined): JsonObject {
  if (role === 'tool') return renderResult(blocks)
  if (role !== 'assistant') return { role, content: renderContent(blocks, form) ?? '' }
  const parts = blocks.filter((block) => !isApart(block))
  const calls = blocks.filter((block) => isCalled(block, undefined))
  const called = blocks.find((block) => isCalled(block, forms.functionCall))
  return {
    role,
    content: renderContent(parts, form),
    ...renderReasoning(blocks),
    ...Object.assign({}, ...blocks.map(renderMembers)),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(writeCall) }),
    ...(called === undefined ? {} : { function_call: writeCall(called) }),
  }
}

function renderResult(blocks: readonly Block[]): JsonObject {
  const result = blocks.find(isResult)
  if (result === undefined) return { role: 'tool', content: '' }
  const { content, tool_use_id: id } = result
  const rendered = Array.isArray(content) ? content.map((part) => writePart(part as Block)) : content
  return { role: 'tool', tool_call_id: id, ...(rendered === undefined ? {} : { content: rendered }) }
}

/** Null where an assistant says nothing. */
function renderContent(blocks: readonly Block[], form: string | undefined): unknown {
  const [block, ...more] = blocks
  if (block === undefined) return form === 'parts' ? [] : null
  if (form === undefined && isText(block) && more.length === 0 && block.native === undefined)
    return block.text
  return blocks.map(writePart).filter((part) => part !== undefined)
}

/** The reasoning to send back: that which this dialect gave, under the names it had there. */
export function renderReasoning(blocks: readonly Block[]): JsonObject {
  const members = blocks.filter(isThinking).flatMap((block) => {
    const native = nativeOf(block, provider)
    const laid = native && lay({ reasoning_content: block.thinking }, native)
    return isObject(laid) ? [laid] : []
  })
  const [first = {}, ...more] = members
  return more.reduce<JsonObject>((joined, each) => joinTexts(joined, each), first)
}

function joinTexts(one: JsonObject, other: JsonObject): JsonObject {
  const members = Object.entries(other).map(([key, member]) => {
    const before = one[key]
    const isBoth = typeof before === 'string' && typeof member === 'string'
    return [key, isBoth ? `${before}\n${member}` : member] as const
  })
  return { ...one, ...Object.fromEntries(members) }
}

/** Members of an assistant's message beside its content and calls. */
function renderMembers(block: Block): JsonObject {
  const native = nativeOf(block, provider)
  if (native?.form === forms.refusal) return { refusal: block.text }
  if (native?.form !== forms.member && native?.form !== forms.audio) return {}
  const laid = lay(native.form === forms.audio ? { audio: { transcript: block.text } } : {}, native)
  return isObject(laid) ? laid : {}
}

/** Blocks that are no content parts of an assistant's message. */
function isApart(block: Block): boolean {
  const form = nativeOf(block, provider)?.form
  return (
    isThinking(block) ||
    block.type === 'redacted_thinking' ||
    block.type === 'tool_use' ||
    form === forms.call ||
    form === forms.member ||
    form === forms.audio ||
    form === forms.refusal
  )
}

function isCalled(block: Block, form: string | undefined): boolean {
  const own = nativeOf(block, provider)?.form
  if (form !== undefined) return isCall(block) && own === form
  return own === forms.call || (isCall(block) && own !== forms.functionCall)
}
