// One block of the Messages API to one of ours and back. Ours have that shape already, so a block with nothing but
// known members is the same block; only what the API itself would refuse from others goes into `native`.

import type { JsonObject } from '../../types/content.ts'
import type { Block } from '../blocks.ts'
import { isObject, itemsOf, pick } from '../json.ts'
import { lay, nativeOf, wholeBlock, withNative } from '../native.ts'
import { anthropicMembers } from './members.ts'

const provider = 'anthropic'

function isOptional(type: 'string' | 'boolean', value: unknown): boolean {
  return value === undefined || value === null || typeof value === type
}

/** What the store asks of the blocks it knows; a block that breaks it is kept whole, as one of unknown type. */
const isSound: { readonly [type: string]: (block: JsonObject) => boolean } = {
  text: ({ text }) => typeof text === 'string',
  image: ({ source }) => source === undefined || (isObject(source) && typeof source.type === 'string'),
  tool_use: ({ id, name }) => typeof id === 'string' && typeof name === 'string',
  thinking: ({ thinking, signature }) =>
    typeof thinking === 'string' && (signature === undefined || typeof signature === 'string'),
  redacted_thinking: ({ data }) => typeof data === 'string',
  tool_result: ({ tool_use_id: id, content, is_error: isError }) =>
    typeof id === 'string' &&
    (isOptional('string', content) || Array.isArray(content)) &&
    isOptional('boolean', isError),
}

/** A block of the API as one of ours. */
export function readBlock(original: unknown): Block {
  if (!isObject(original)) return wholeBlock(provider, original)
  const { type } = original
  const members = typeof type === 'string' ? anthropicMembers.get(type) : undefined
  if (typeof type !== 'string' || members === undefined || isSound[type]?.(original) === false) {
    return wholeBlock(provider, original, type)
  }
  const picked = { ...pick(original, members), type }
  const block =
    type === 'tool_result' && Array.isArray(original.content)
      ? { ...picked, content: original.content.map(readBlock) }
      : picked
  return withNative(block, provider, ownBlock(block), original)
}

/** A block that {@link readBlock} made, as it was. */
export function writeBlock(block: Block): unknown {
  const native = nativeOf(block, provider)
  const rendered = ownBlock(block)
  return native === undefined ? rendered : lay(rendered, native)
}

function ownBlock(block: Block): JsonObject {
  const picked = pick(block, anthropicMembers.get(block.type) ?? [])
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return picked
  return { ...picked, content: itemsOf(block.content).map((part) => writeBlock(part as Block)) }
}
