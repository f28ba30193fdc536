// Pictures and documents across providers. Bytes travel as base64 beside a media type here, as one data URL there; a
// file id is known to the provider that gave it, alone.

import type { JsonObject } from '../types/content.ts'
import type { Block } from './blocks.ts'
import { isObject } from './json.ts'
import { isForeign, nativeOf, type ProviderName } from './native.ts'

/** What a picture or document is, wherever it came from. */
export type Media =
  | { readonly kind: 'data'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly id: string }

/** Blocks with a `source` that other providers have a shape for. */
export function isMedia(block: Block): block is Block & { readonly source: JsonObject } {
  return (block.type === 'image' || block.type === 'document') && isObject(block.source)
}

/** The media of a block as `provider` can take it; `undefined` where it cannot. */
export function mediaOf(block: Block, provider: ProviderName): Media | undefined {
  if (!isMedia(block)) return undefined
  const { type, media_type: mediaType, data, url, file_id: id } = block.source
  if (type === 'base64' && typeof mediaType === 'string' && typeof data === 'string') {
    return { kind: 'data', mediaType, data }
  }
  if (type === 'url' && typeof url === 'string' && /^https?:\/\//i.test(url)) return { kind: 'url', url }
  if (type === 'text' && typeof data === 'string') return { kind: 'text', text: data }
  const isKnown =
    provider === 'anthropic' ? !isForeign(block, provider) : nativeOf(block, provider) !== undefined
  return type === 'file' && typeof id === 'string' && isKnown ? { kind: 'file', id } : undefined
}

const dataUrl = /^data:([^;,\s]+);base64,(.*)$/s

/** The source of a block for a URL, which may be a data URL. */
export function sourceOfUrl(url: string): JsonObject {
  const [, mediaType, data] = dataUrl.exec(url) ?? []
  return mediaType !== undefined && data !== undefined
    ? { type: 'base64', media_type: mediaType, data }
    : { type: 'url', url }
}

/** The URL of bytes or of a URL's media. */
export function urlOf(media: Extract<Media, { kind: 'data' | 'url' }>): string {
  return media.kind === 'url' ? media.url : `data:${media.mediaType};base64,${media.data}`
}

const extensions: readonly (readonly [RegExp, string])[] = [
  [/\.png$/i, 'image/png'],
  [/\.jpe?g$/i, 'image/jpeg'],
  [/\.gif$/i, 'image/gif'],
  [/\.webp$/i, 'image/webp'],
  [/\.pdf$/i, 'application/pdf'],
]

/** The media type that a URL's path ends with. */
export function mediaTypeOfUrl(url: string): string | undefined {
  const path = url.replace(/[?#].*$/s, '')
  return extensions.find(([pattern]) => pattern.test(path))?.[1]
}
