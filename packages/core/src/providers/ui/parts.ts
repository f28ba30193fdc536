// Parts of a UIMessage that are no tools: text, reasoning, files; all others are kept whole under their own type.

import type { JsonObject } from '../../types/content.ts'
import type { Block } from '../blocks.ts'
import { isObject, own } from '../json.ts'
import { sourceOfUrl } from '../media.ts'
import { wholeBlock, withNative } from '../native.ts'

const provider = 'ui'

/** A part as a block; what the block does not say of it is in `native`. */
export function readPart(original: unknown): Block {
  if (!isObject(original)) return wholeBlock(provider, original)
  const { type, text } = original
  if (type === 'text' && typeof text === 'string') {
    return withNative({ type: 'text', text }, provider, { type, text }, original)
  }
  if (type === 'reasoning' && typeof text === 'string') return readReasoning(original, text)
  return (type === 'file' ? readFile(original) : undefined) ?? wholeBlock(provider, original, type)
}

/** Anthropic's signature and ciphertext travel as metadata of the part. */
function readReasoning(original: JsonObject, text: string): Block {
  const metadata = own(original, 'providerMetadata')
  const anthropic = isObject(metadata) ? own(metadata, 'anthropic') : undefined
  const { signature, redactedData: data } = isObject(anthropic) ? anthropic : {}
  const rendered = { type: 'reasoning', text }
  if (typeof data === 'string') {
    return withNative({ type: 'redacted_thinking', data }, provider, rendered, original)
  }
  const signed = typeof signature === 'string' ? { signature } : {}
  return withNative({ type: 'thinking', thinking: text, ...signed }, provider, rendered, original)
}

function readFile(original: JsonObject): Block | undefined {
  const { mediaType, url, filename } = original
  if (typeof mediaType !== 'string' || typeof url !== 'string') return undefined
  const isImage = mediaType === 'image' || mediaType.startsWith('image/')
  if (!isImage && mediaType !== 'application/pdf') return undefined
  const title = !isImage && typeof filename === 'string' ? { title: filename } : {}
  const block = { type: isImage ? 'image' : 'document', source: sourceOfUrl(url), ...title }
  return withNative(block, provider, { type: 'file', url }, original)
}
