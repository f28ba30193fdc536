// To Chat Completions. What was read from it goes back as it was; all else is written as any server of the dialect
// takes it: results right behind their calls, text contents as strings, pictures of results in a message of the user.

import { isBlank } from '../../turns/parts.ts'
import type { JsonObject } from '../../types/content.ts'
import {
  type Block,
  type ConvertibleMessage,
  type Entry,
  entriesOf,
  isCall,
  isOwn,
  isResult,
  isText,
  placeholder,
  resultBlocks,
  saidText,
  toldResult,
} from '../blocks.ts'
import { createCallNames, linkCalls } from '../calls.ts'
import { converted } from '../given.ts'
import { isObject, sameJson, wellFormed } from '../json.ts'
import { isMedia } from '../media.ts'
import { lay, nativeOf } from '../native.ts'
import { blocksOf, type Run, runsOf, settleSystem } from '../runs.ts'
import { writePlainCall } from './calls.ts'
import { readContent } from './from.ts'
import { renderPart } from './parts.ts'
import type { OpenAiMessage } from './types.ts'
import { renderMessage, renderReasoning } from './write.ts'

const provider = 'openai-chat'
const ids = { fits: (id: string) => id !== '' && id.length <= 40, maximum: 40 }

/**
 * A conversation as OpenAI's Chat Completions takes it. Messages that `fromOpenAiMessages` made are given back exactly,
 * as long as no message from elsewhere joins their turn (ids of more than 40 characters are shortened all the same).
 * Reasoning goes back only to the dialect it came from. A failed result is told in words (`error: …`); half of a
 * surrogate pair becomes U+FFFD. Results are not invented: calls without one are for restore to mend.
 */
export function toOpenAiMessages(messages: readonly ConvertibleMessage[]): OpenAiMessage[] {
  return converted('toOpenAiMessages', 'messages', messages, convert)
}

function convert(messages: readonly ConvertibleMessage[]): OpenAiMessage[] {
  const isExact = (entry: Entry) => isOwn(entry, provider)
  const entries = linkCalls(entriesOf(messages), ids, isExact)
  const runs = runsOf(
    settleSystem(entries, isExact),
    ({ role }) => (role === 'tool' ? 'user' : role),
    isExact,
  )
  return wellFormed(runs.flatMap(writeRun)) as OpenAiMessage[]
}

function writeRun(run: Run<'system' | 'user' | 'assistant'>): unknown[] {
  if (run.isExact) return run.entries.map(writeExact)
  if (run.side === 'assistant') return writeAssistant(blocksOf(run))
  if (run.side === 'user') return writeUser(blocksOf(run))
  const texts = run.entries.map(({ blocks }) => saidText(blocks)).filter((text) => text !== '')
  return texts.map((content) => ({ role: 'system', content }))
}

function writeExact(entry: Entry): unknown {
  const native = nativeOf(entry.metadata, provider) ?? { value: {} }
  const rendered = renderMessage(entry, nativeOf(entry.metadata, provider)?.form)
  const original = lay(rendered, native)
  return isUnchanged(entry, original) ? original : rendered
}

/** Native members may hold a content that blocks said nothing of; blocks added since are what counts. */
function isUnchanged({ role, blocks }: Entry, original: unknown): boolean {
  if (!isObject(original)) return false
  const texts = (each: readonly Block[]) =>
    each.map((block) => (isText(block) ? block.text : isResult(block) ? (block.content ?? null) : undefined))
  return sameJson(texts(readContent(role, original, createCallNames('call_'))), texts(blocks))
}

function writeAssistant(blocks: readonly Block[]): JsonObject[] {
  const content = saidText(blocks)
  const calls = blocks.filter(isCall)
  if (content === '' && calls.length === 0) return []
  const reasoning = renderReasoning(blocks)
  return [
    {
      role: 'assistant',
      content: content === '' ? null : content,
      ...reasoning,
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(writePlainCall) }),
    },
  ]
}

function writeUser(blocks: readonly Block[]): JsonObject[] {
  const results = blocks.filter(isResult)
  const shown = results.flatMap((result) =>
    resultBlocks(result).filter((block) => renderMedia(block) !== undefined),
  )
  const others = blocks.filter((block) => block.type !== 'tool_result' && block.type !== 'tool_use')
  const parts = [...shown, ...others].flatMap(writeUserPart)
  const hidden = others.find((block) => !isText(block))
  const [first = hidden && results.length === 0 ? placeholderPart(hidden) : undefined, ...more] = parts
  const isTextAlone = more.length === 0 && first?.type === 'text'
  return [
    ...results.map((result) => ({
      role: 'tool',
      tool_call_id: result.tool_use_id,
      content: toldResult(result),
    })),
    ...(first === undefined ? [] : [{ role: 'user', content: isTextAlone ? first.text : [first, ...more] }]),
  ]
}

function renderMedia(block: Block): JsonObject | undefined {
  return isMedia(block) ? renderPart(block) : undefined
}

function writeUserPart(block: Block): JsonObject[] {
  if (isText(block)) return isBlank(block.text) ? [] : [{ type: 'text', text: block.text }]
  const native = nativeOf(block, provider)
  if (isMedia(block)) {
    const rendered = renderPart(block)
    if (rendered === undefined) return [placeholderPart(block)]
    // `detail` changes what the picture costs and shows.
    const laid = native ? lay(rendered, native) : rendered
    return [isObject(laid) ? laid : rendered]
  }
  return native !== undefined && native.form === undefined && isObject(native.value) ? [native.value] : []
}

function placeholderPart(block: Block): JsonObject {
  return { type: 'text', text: placeholder(block) }
}
