// Parts of generateContent to blocks and back. A signature stays with its part: it is in the `native` of the block. A
// part that has no block is kept whole in one named after its data.

import type { JsonObject } from '../../types/content.ts'
import { type Block, type Call, isCall, isResult, isText, isThinking, type Result } from '../blocks.ts'
import type { CallNames } from '../calls.ts'
import { isObject, own, sameJson } from '../json.ts'
import { mediaOf, mediaTypeOfUrl } from '../media.ts'
import { lay, type Native, nativeOf, wholeBlock, withNative } from '../native.ts'
import { readResponse, renderResponse } from './responses.ts'

const provider = 'gemini'

/** The members of which a part has exactly one. */
export const dataMembers: readonly string[] = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
]

/** How a thought is marked, that its text is not taken for another provider's thinking. */
const thoughtForm = 'thought'

/** A part as a block. */
export function readPart(original: unknown, names: CallNames): Block {
  if (!isObject(original)) return wholeBlock(provider, original)
  const [member, ...more] = dataMembers.filter((key) => own(original, key) !== undefined)
  const read = member !== undefined && more.length === 0 ? neutralPart(original, member, names) : undefined
  if (read === undefined) return wholeBlock(provider, original, more.length > 0 ? 'part' : (member ?? 'part'))
  const { block, form } = read
  return withNative(block, provider, renderPart(block, form) ?? {}, original, form)
}

function neutralPart(original: JsonObject, member: string, names: CallNames) {
  const { text, thought, functionCall: call, functionResponse: response } = original
  if (typeof text === 'string') return readText(text, thought)
  if (member === 'inlineData') return readBlob(original.inlineData)
  if (member === 'fileData') return readFile(original.fileData)
  if (member === 'functionCall' && isObject(call) && typeof call.name === 'string') {
    const { id, name, args } = call
    const block: Call = { type: 'tool_use', id: names.call(id, name), name, input: args ?? {} }
    return { block, form: undefined }
  }
  if (member === 'functionResponse' && isObject(response)) {
    const { id, name } = response
    const answered = names.result(id, typeof name === 'string' ? name : undefined)
    return readResponse(response, answered, (part) => readPart(part, names))
  }
  return undefined
}

function readText(text: string, thought: unknown): { block: Block; form: string | undefined } {
  return thought === true
    ? { block: { type: 'thinking', thinking: text }, form: thoughtForm }
    : { block: { type: 'text', text }, form: undefined }
}

type Read = { block: Block; form: undefined } | undefined

function readBlob(blob: unknown): Read {
  if (!isObject(blob) || typeof blob.mimeType !== 'string' || typeof blob.data !== 'string') return undefined
  const type = blockTypeOf(blob.mimeType)
  const source = { type: 'base64', media_type: blob.mimeType, data: blob.data }
  return type && { block: { type, source }, form: undefined }
}

/** Files of Google's own stores are nothing to others: only a public address becomes a picture. */
function readFile(file: unknown): Read {
  if (!isObject(file) || typeof file.fileUri !== 'string') return undefined
  const { fileUri: url, mimeType } = file
  if (!/^https?:\/\//i.test(url) || /^https?:\/\/[^/]*\bgoogleapis\.com\//i.test(url)) return undefined
  const type = blockTypeOf(typeof mimeType === 'string' ? mimeType : (mediaTypeOfUrl(url) ?? ''))
  return type && { block: { type, source: { type: 'url', url } }, form: undefined }
}

function blockTypeOf(mediaType: string): 'image' | 'document' | undefined {
  if (mediaType.startsWith('image/')) return 'image'
  return mediaType === 'application/pdf' ? 'document' : undefined
}

/** The part of a block by what it says alone; `undefined` where the API has none. */
function renderPart(block: Block, form: Native['form']): JsonObject | undefined {
  if (isText(block)) return { text: block.text }
  if (isThinking(block)) return { text: block.thinking, thought: true }
  if (isCall(block)) return { functionCall: { name: block.name, args: block.input } }
  if (isResult(block)) return { functionResponse: renderResponse(block, form, writePart) }
  return renderMedia(block)
}

/** A picture or document as a part. */
export function renderMedia(block: Block): JsonObject | undefined {
  const media = mediaOf(block, provider)
  if (media?.kind === 'data') return { inlineData: { mimeType: media.mediaType, data: media.data } }
  if (media?.kind === 'text') return { text: media.text }
  if (media?.kind !== 'url') return undefined
  const mimeType = mediaTypeOfUrl(media.url)
  return { fileData: { fileUri: media.url, ...(mimeType === undefined ? {} : { mimeType }) } }
}

/** The part as it was, where the block still says what it said then; else by what the block says. */
export function writePart(block: Block): unknown {
  const native = nativeOf(block, provider)
  const rendered = renderPart(block, native?.form)
  if (native === undefined) return rendered
  const original = lay(rendered ?? {}, native)
  return isUnchanged(block, original) ? original : rendered
}

/** Whether native members do not hide what a person edited: arguments and a response may be there a second time. */
function isUnchanged(block: Block, original: unknown): boolean {
  if (isCall(block)) {
    const call = isObject(original) ? original.functionCall : undefined
    return isObject(call) && sameJson(call.args ?? {}, block.input)
  }
  if (!isResult(block)) return true
  const response = isObject(original) ? original.functionResponse : undefined
  return isObject(response) && isSameResult(readResponse(response, '', plainRead).block, block)
}

function plainRead(part: unknown): Block {
  const names = { turn: () => {}, call: () => '', result: () => '' }
  return readPart(part, names)
}

function isSameResult(read: Block, block: Result): boolean {
  return sameJson(read.content, block.content) && (read.is_error === true) === (block.is_error === true)
}
