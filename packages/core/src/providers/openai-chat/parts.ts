// Content parts of Chat Completions to blocks and back. A part that has no block is kept whole in one of its own type.

import type { JsonObject } from '../../types/content.ts'
import { type Block, isText } from '../blocks.ts'
import { isObject } from '../json.ts'
import { isMedia, mediaOf, sourceOfUrl, urlOf } from '../media.ts'
import { lay, nativeOf, wholeBlock, withNative } from '../native.ts'

const provider = 'openai-chat'

/** How a block stands in a message where it is no ordinary part of its kind. */
export const forms = {
  refusalPart: 'refusal-part',
  refusal: 'refusal',
  file: 'file',
  member: 'member',
  audio: 'audio',
  call: 'call',
  custom: 'custom',
  functionCall: 'function_call',
} as const

/** A content part as a block. */
export function readPart(original: unknown): Block {
  if (!isObject(original)) return wholeBlock(provider, original)
  const block = neutralPart(original)
  if (block === undefined) return wholeBlock(provider, original, original.type)
  const form = original.type === 'refusal' ? forms.refusalPart : isFile(block) ? forms.file : undefined
  const native = form === undefined ? {} : { native: { provider, value: {}, form } }
  return withNative(block, provider, renderPart({ ...block, ...native }) ?? {}, original, form)
}

/** An id of a file is known to this provider alone, which the block must say. */
function isFile(block: Block): boolean {
  return isMedia(block) && block.source.type === 'file'
}

function neutralPart({ type, text, refusal, image_url: image, file }: JsonObject): Block | undefined {
  if (type === 'text' && typeof text === 'string') return { type: 'text', text }
  if (type === 'refusal' && typeof refusal === 'string') return { type: 'text', text: refusal }
  if (type === 'image_url' && isObject(image) && typeof image.url === 'string') {
    return { type: 'image', source: sourceOfUrl(image.url) }
  }
  if (type !== 'file' || !isObject(file)) return undefined
  const title = typeof file.filename === 'string' ? { title: file.filename } : {}
  if (typeof file.file_data === 'string') {
    const source = sourceOfUrl(file.file_data)
    return source.type === 'base64' ? { type: 'document', source, ...title } : undefined
  }
  if (typeof file.file_id !== 'string') return undefined
  return { type: 'document', source: { type: 'file', file_id: file.file_id }, ...title }
}

/** The part of a block with its native members; `undefined` where Chat Completions has none. */
export function writePart(block: Block): unknown {
  const native = nativeOf(block, provider)
  const rendered = renderPart(block)
  return native === undefined ? rendered : lay(rendered ?? {}, native)
}

/** The part of a block by what it says alone. */
export function renderPart(block: Block): JsonObject | undefined {
  if (isText(block)) {
    return nativeOf(block, provider)?.form === forms.refusalPart
      ? { type: 'refusal', refusal: block.text }
      : { type: 'text', text: block.text }
  }
  const media = mediaOf(block, provider)
  if (block.type === 'image') {
    const url = media?.kind === 'data' || media?.kind === 'url' ? urlOf(media) : undefined
    return url === undefined ? undefined : { type: 'image_url', image_url: { url } }
  }
  const title = typeof block.title === 'string' ? block.title : undefined
  if (media?.kind === 'text') return { type: 'text', text: media.text }
  if (media?.kind === 'file') {
    return { type: 'file', file: { file_id: media.id, ...(title === undefined ? {} : { filename: title }) } }
  }
  if (media?.kind !== 'data' || block.type !== 'document') return undefined
  return { type: 'file', file: { filename: title ?? 'document.pdf', file_data: urlOf(media) } }
}
