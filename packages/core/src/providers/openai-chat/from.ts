// From Chat Completions. One message of theirs is one of ours; a tool message is one of role tool with the result in
// it. `metadata.native` keeps the members that no block carries and whether the content was a list of parts.

import type { JsonObject } from '../../types/content.ts'
import type { NewMessage, Role } from '../../types/message.ts'
import type { Block } from '../blocks.ts'
import { type CallNames, createCallNames } from '../calls.ts'
import { converted } from '../given.ts'
import { isObject, itemsOf, pick } from '../json.ts'
import { difference, type Native, wholeBlock, withNative } from '../native.ts'
import { readCall, readFunctionCall } from './calls.ts'
import { forms, readPart } from './parts.ts'
import type { OpenAiInputMessage } from './types.ts'
import { renderMessage } from './write.ts'

const provider = 'openai-chat'

/**
 * The messages of a Chat Completions request, also of servers that only speak its dialect. `toOpenAiMessages` gives the
 * same messages back. `developer` becomes system, `function` tool; a call without an id gets one (`call_1`, counted
 * over the messages given), and so does the result that answers it.
 */
export function fromOpenAiMessages(messages: readonly OpenAiInputMessage[]): NewMessage[] {
  const names = createCallNames('call_')
  return converted('fromOpenAiMessages', 'messages', messages, (given) =>
    given.map((message) => readMessage(message as unknown as JsonObject, names)),
  )
}

const roles: { readonly [role: string]: Role } = {
  system: 'system',
  developer: 'system',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
}

function readMessage(original: JsonObject, names: CallNames): NewMessage {
  const role = (typeof original.role === 'string' ? roles[original.role] : undefined) ?? 'user'
  const form = Array.isArray(original.content) ? 'parts' : undefined
  const content = readContent(role, original, names)
  const rendered = renderMessage({ role, blocks: content, metadata: undefined }, form)
  const rest = difference(rendered, original)
  const native: Native = { provider, ...rest, ...(form === undefined ? {} : { form }) }
  return { role, content, metadata: { native } }
}

export function readContent(role: Role, original: JsonObject, names: CallNames): Block[] {
  if (role === 'tool') return [readResult(original, names)]
  const parts = readParts(original.content)
  return role === 'assistant' ? readAssistant(original, parts, names) : parts
}

function readParts(content: unknown): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return itemsOf(content).map(readPart)
}

function readResult({ role, name, tool_call_id: id, content }: JsonObject, names: CallNames): Block {
  const isFunction = role === 'function'
  const answered = names.result(isFunction ? undefined : id, isFunction ? String(name) : undefined)
  const block = { type: 'tool_result', tool_use_id: answered }
  if (typeof content === 'string') return { ...block, content }
  return Array.isArray(content) ? { ...block, content: content.map(readPart) } : block
}

function readAssistant(original: JsonObject, parts: readonly Block[], names: CallNames): Block[] {
  const { refusal, audio, tool_calls: calls, function_call: call } = original
  names.turn()
  const called = readFunctionCall(call, names)
  return [
    ...readThinking(original),
    ...parts,
    ...(typeof refusal === 'string' && refusal !== ''
      ? [{ type: 'text', text: refusal, native: { provider, value: {}, form: forms.refusal } }]
      : []),
    ...(isObject(audio) ? [readAudio(audio)] : []),
    ...itemsOf(calls).map((each) => readCall(each, names)),
    ...(called === undefined ? [] : [called]),
  ]
}

/** Spoken answers are text for people, where there is a transcript. */
function readAudio(audio: JsonObject): Block {
  const { transcript } = audio
  if (typeof transcript !== 'string') return wholeBlock(provider, { audio }, 'audio', forms.member)
  const block = { type: 'text', text: transcript }
  return withNative(block, provider, { audio: { transcript } }, { audio }, forms.audio)
}

/** Members that hold reasoning; servers differ in the name, and some send two. */
const reasoningMembers: readonly string[] = ['reasoning_content', 'reasoning', 'reasoning_details']

function readThinking(original: JsonObject): Block[] {
  const { reasoning_content: content, reasoning } = original
  const text = typeof content === 'string' && content !== '' ? content : reasoning
  if (typeof text !== 'string' || text === '') return []
  const block = { type: 'thinking', thinking: text }
  const members = pick(original, reasoningMembers)
  return [withNative(block, provider, { reasoning_content: text }, members, 'reasoning')]
}
