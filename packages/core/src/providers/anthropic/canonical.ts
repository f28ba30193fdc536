// Blocks from anywhere as the Messages API takes them in a turn of the user or of the assistant. What it cannot be
// shown becomes a short text, so that the turn does not vanish; blank text goes, for Bedrock refuses it.

import { isBlank } from '../../turns/parts.ts'
import type { JsonObject } from '../../types/content.ts'
import { objectInput } from '../arguments.ts'
import {
  type Block,
  isCall,
  isResult,
  isSaid,
  isText,
  isThinking,
  placeholder,
  type Result,
  resultBlocks,
} from '../blocks.ts'
import { pick } from '../json.ts'
import { isMedia, mediaOf } from '../media.ts'
import { isForeign, nativeOf } from '../native.ts'
import { writeBlock } from './block.ts'
import { anthropicImageTypes, anthropicMembers, assistantOnly, userOnly } from './members.ts'

const provider = 'anthropic'

/** Results first, as the API wants them; at least a placeholder, where there was anything but blank text. */
export function userBlocks(blocks: readonly Block[]): Block[] {
  const results = blocks.filter(isResult).map(writeResult)
  const others = blocks.filter((block) => block.type !== 'tool_result' && !assistantOnly.has(block.type))
  const shown = others.flatMap((block) => shownTo(block) ?? (isMedia(block) ? [stand(block)] : []))
  const hidden = others.find((block) => !isText(block))
  const rest = shown.length === 0 && results.length === 0 && hidden ? [stand(hidden)] : shown
  return [...results, ...rest]
}

/** Without thinking at the end: the API refuses a message that ends with it (tailcallhq/forgecode#2107). */
export function assistantBlocks(blocks: readonly Block[]): Block[] {
  const shown = blocks.flatMap((block) => (userOnly.has(block.type) ? [] : (shownTo(block) ?? [])))
  const last = shown.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking')
  return shown.slice(0, last + 1)
}

/** The block as the API takes it; `undefined` where it does not. */
function shownTo(block: Block): Block[] | undefined {
  const members = anthropicMembers.get(block.type)
  if (members === undefined) {
    return nativeOf(block, provider) ? [writeBlock(block) as Block] : undefined
  }
  const picked = pick(block, members) as Block
  if (block.type === 'text') return isSaid(block) ? [picked] : undefined
  if (block.type === 'tool_use') {
    return isCall(block) ? [{ ...picked, input: objectInput(block.input) }] : undefined
  }
  if (isMedia(block)) {
    const source = sourceOf(block)
    return source && [{ ...picked, source }]
  }
  if (isForeign(block, provider)) return undefined
  if (isThinking(block)) return typeof block.signature === 'string' && block.signature ? [picked] : undefined
  return [picked]
}

function sourceOf(block: Block & { readonly source: JsonObject }): JsonObject | undefined {
  const media = mediaOf(block, provider)
  const isImage = block.type === 'image'
  switch (media?.kind) {
    case 'data': {
      const types = isImage ? anthropicImageTypes : ['application/pdf']
      const { mediaType, data } = media
      return types.includes(mediaType) ? { type: 'base64', media_type: mediaType, data } : undefined
    }
    case 'url':
      return { type: 'url', url: media.url }
    case 'file':
      return { type: 'file', file_id: media.id }
    case 'text':
      return isImage ? undefined : { type: 'text', media_type: 'text/plain', data: media.text }
    default:
      return block.source.type === 'content' && !isForeign(block, provider) ? block.source : undefined
  }
}

const inResults = new Set(['text', 'image', 'document', 'search_result', 'tool_reference', 'browser_state'])

function writeResult(result: Result): Block {
  const { is_error: isError, content: _, ...rest } = pick(result, anthropicMembers.get('tool_result') ?? [])
  const isFailure = isError === true
  const content = writeResultContent(result, isFailure)
  return {
    ...(rest as unknown as Block),
    ...(content === undefined ? {} : { content }),
    ...(typeof isError === 'boolean' ? { is_error: isError } : {}),
  }
}

/** A failure without words is refused (jlevy/markform#153). */
function writeResultContent(result: Result, isFailure: boolean): unknown {
  const { content } = result
  if (typeof content === 'string') return isFailure && isBlank(content) ? '(no output)' : content
  if (content === undefined || content === null) return isFailure ? '(no output)' : undefined
  const parts = resultBlocks(result).flatMap((part) => {
    if (isText(part) && isBlank(part.text)) return []
    return (inResults.has(part.type) ? shownTo(part) : undefined) ?? [stand(part)]
  })
  return isFailure && parts.length === 0 ? '(no output)' : parts
}

function stand(block: Block): Block {
  return { type: 'text', text: placeholder(block) }
}
