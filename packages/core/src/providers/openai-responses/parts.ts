// Content parts of the Responses API to blocks and back. What a user's message calls `input_text` is `output_text` in
// one of the assistant.

import type { JsonObject } from '../../types/content.ts'
import { type Block, isText } from '../blocks.ts'
import { isObject } from '../json.ts'
import { isMedia, mediaOf, sourceOfUrl, urlOf } from '../media.ts'
import { lay, nativeOf, wholeBlock, withNative } from '../native.ts'

const provider = 'openai-responses'

/** How a block stands in a conversation where it is no ordinary part or item of its kind. */
export const forms = {
  refusal: 'refusal',
  file: 'file',
  part: 'part',
  item: 'item',
  custom: 'custom',
  reasoning: 'reasoning',
} as const

/** Whose message a part stands in. */
export type Side = 'input' | 'output'

/** A content part as a block. */
export function readPart(original: unknown, side: Side): Block {
  if (!isObject(original)) return wholeBlock(provider, original, undefined, forms.part)
  const block = neutralPart(original)
  if (block === undefined) return wholeBlock(provider, original, original.type, forms.part)
  const form =
    original.type === 'refusal'
      ? forms.refusal
      : isMedia(block) && block.source.type === 'file'
        ? forms.file
        : undefined
  const native = form === undefined ? {} : { native: { provider, value: {}, form } }
  return withNative(block, provider, renderPart({ ...block, ...native }, side) ?? {}, original, form)
}

const textTypes: readonly unknown[] = ['input_text', 'output_text', 'text']

function neutralPart(original: JsonObject): Block | undefined {
  const { type, text, refusal, filename } = original
  if (textTypes.includes(type) && typeof text === 'string') return { type: 'text', text }
  if (type === 'refusal' && typeof refusal === 'string') return { type: 'text', text: refusal }
  const { image_url: image, file_id: id, file_data: data, file_url: url } = original
  const file = typeof id === 'string' ? { type: 'file', file_id: id } : undefined
  if (type === 'input_image') {
    const source = typeof image === 'string' ? sourceOfUrl(image) : file
    return source && { type: 'image', source }
  }
  if (type !== 'input_file') return undefined
  const source =
    typeof data === 'string' ? sourceOfUrl(data) : typeof url === 'string' ? { type: 'url', url } : file
  if (source === undefined || (typeof data === 'string' && source.type !== 'base64')) return undefined
  return { type: 'document', source, ...(typeof filename === 'string' ? { title: filename } : {}) }
}

/** The part of a block with its native members; `undefined` where the API has none. */
export function writePart(block: Block, side: Side): unknown {
  const native = nativeOf(block, provider)
  const rendered = renderPart(block, side)
  return native === undefined ? rendered : lay(rendered ?? {}, native)
}

/** The part of a block by what it says alone. */
export function renderPart(block: Block, side: Side): JsonObject | undefined {
  if (isText(block)) {
    return nativeOf(block, provider)?.form === forms.refusal
      ? { type: 'refusal', refusal: block.text }
      : { type: `${side}_text`, text: block.text }
  }
  const media = mediaOf(block, provider)
  if (media === undefined) return undefined
  if (media.kind === 'text') return { type: `${side}_text`, text: media.text }
  if (block.type === 'image') {
    const place = media.kind === 'file' ? { file_id: media.id } : { image_url: urlOf(media) }
    return { type: 'input_image', ...place, detail: 'auto' }
  }
  const title = typeof block.title === 'string' ? { filename: block.title } : {}
  if (media.kind === 'file') return { type: 'input_file', file_id: media.id, ...title }
  if (media.kind === 'url') return { type: 'input_file', file_url: media.url, ...title }
  return { type: 'input_file', filename: 'document.pdf', ...title, file_data: urlOf(media) }
}
