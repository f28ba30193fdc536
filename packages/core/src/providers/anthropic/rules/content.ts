// What content may be in a request of the Messages API: never empty, nothing unknown in it, in the right message.

import { isBlank } from '../../../turns/parts.ts'
import { itemsOf } from '../../json.ts'
import { illFormed, type Rule, textOf } from '../../rule.ts'
import { anthropicImageTypes, anthropicMembers, assistantOnly, userOnly } from '../members.ts'
import { type AnthropicView, type PlacedBlock, placeBlocks } from './view.ts'

const contentShape: Rule<AnthropicView> = {
  rule: 'content-is-text-or-blocks',
  source: 'docs.anthropic.com/claude/reference/messages_post',
  *check({ messages }) {
    for (const { content, path } of messages) {
      if (typeof content !== 'string' && !Array.isArray(content))
        yield { path: `${path}.content`, message: 'must be a text or a list of blocks' }
    }
  },
}

const userNotEmpty: Rule<AnthropicView> = {
  rule: 'user-content-present',
  source: 'anthropics/claude-code#6774',
  *check({ messages }) {
    for (const { role, content, blocks, path } of messages) {
      if (role === 'user' && (content === '' || (Array.isArray(content) && blocks.length === 0)))
        yield { path: `${path}.content`, message: 'must not be empty in a message of the user' }
    }
  },
}

/** The text of an assistant's message may be `""` as a whole, but no block of it. */
const textNotEmpty: Rule<AnthropicView> = {
  rule: 'text-present',
  source: 'BerriAI/litellm#22979',
  *check({ messages }) {
    for (const { content, blocks } of messages) {
      for (const { block, type, path } of Array.isArray(content) ? blocks : []) {
        if (type === 'text' && textOf(block, 'text') === '')
          yield { path: `${path}.text`, message: 'must not be empty' }
      }
    }
  },
}

const textNotBlank: Rule<AnthropicView> = {
  rule: 'text-not-blank-alone',
  source: 'experientiallabs/experiential#804',
  *check({ messages }) {
    for (const { blocks } of messages) {
      const [only, ...more] = blocks
      const text = only?.type === 'text' ? textOf(only.block, 'text') : undefined
      if (only && text && more.length === 0 && isBlank(text))
        yield { path: only.path, message: 'must say something: it stands alone' }
    }
  },
}

const systemNotBlank: Rule<AnthropicView> = {
  rule: 'system-not-blank',
  source: 'experientiallabs/experiential#804',
  *check({ system }) {
    if (typeof system === 'string' && isBlank(system) && system !== '')
      yield { path: 'system', message: 'must not be blank' }
    for (const { block, path } of Array.isArray(system) ? placeBlocks(system, 'system') : []) {
      if (textOf(block, 'text') === '') yield { path: `${path}.text`, message: 'must not be empty' }
    }
  },
}

const knownBlock: Rule<AnthropicView> = {
  rule: 'block-known',
  source: 'platform.claude.com/docs/en/api/messages',
  *check(view) {
    for (const { type, path } of allBlocks(view)) {
      if (typeof type !== 'string' || !anthropicMembers.has(type))
        yield { path: `${path}.type`, message: `must be a block that the API knows, not ${String(type)}` }
    }
  },
}

const knownMembers: Rule<AnthropicView> = {
  rule: 'block-members-known',
  source: 'anthropics/claude-code#4378',
  *check(view) {
    for (const { block, type, path } of allBlocks(view)) {
      const members = typeof type === 'string' ? anthropicMembers.get(type) : undefined
      for (const [key, member] of members === undefined ? [] : Object.entries(block)) {
        if (member !== undefined && !members?.includes(key))
          yield { path: `${path}.${key}`, message: `is no member of a ${String(type)} block` }
      }
    }
  },
}

const ownSide: Rule<AnthropicView> = {
  rule: 'block-on-its-side',
  source: 'tghamm/Anthropic.SDK#128, microsoft/agent-framework#4328',
  *check({ messages }) {
    for (const { role, blocks } of messages) {
      const other = role === 'user' ? assistantOnly : role === 'assistant' ? userOnly : undefined
      for (const { type, path } of blocks) {
        if (typeof type === 'string' && other?.has(type))
          yield { path: `${path}.type`, message: `${type} cannot stand in a message of role ${String(role)}` }
      }
    }
  },
}

const imageType: Rule<AnthropicView> = {
  rule: 'image-type-known',
  source: 'platform.claude.com/docs/en/build-with-claude/vision',
  *check(view) {
    for (const { block, type, path } of allBlocks(view)) {
      const mediaType = type === 'image' ? textOf(block.source, 'media_type') : undefined
      if (mediaType !== undefined && !anthropicImageTypes.includes(mediaType))
        yield {
          path: `${path}.source.media_type`,
          message: `must be one of ${anthropicImageTypes.join(', ')}`,
        }
    }
  },
}

const imageCount: Rule<AnthropicView> = {
  rule: 'image-count',
  source: 'badlogic/pi-mono#120',
  *check(view) {
    const images = allBlocks(view).filter(({ type }) => type === 'image')
    const [extra] = images.slice(100)
    if (extra) yield { path: extra.path, message: 'is one image too many: a request takes 100' }
  },
}

const cacheCount: Rule<AnthropicView> = {
  rule: 'cache-breakpoints',
  source: 'tghamm/Anthropic.SDK#50',
  *check(view) {
    const [extra] = [...placeBlocks(view.system, 'system'), ...allBlocks(view)]
      .filter(({ block }) => block.cache_control !== undefined && block.cache_control !== null)
      .slice(4)
    if (extra) yield { path: `${extra.path}.cache_control`, message: 'is one too many: a request takes 4' }
  },
}

const unicode: Rule<AnthropicView> = {
  rule: 'text-well-formed',
  source: 'anthropics/claude-code#2108',
  *check({ system, messages }) {
    yield* illFormed(system, 'system')
    for (const { content, path } of messages) yield* illFormed(content, `${path}.content`)
  },
}

/** Blocks of messages, and those in results. */
function allBlocks({ messages }: AnthropicView): PlacedBlock[] {
  return messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((placed) => {
      const inner = placed.type === 'tool_result' ? itemsOf(placed.block.content) : []
      return [placed, ...placeBlocks(inner, `${placed.path}.content`)]
    })
}

export const contentRules: readonly Rule<AnthropicView>[] = [
  contentShape,
  userNotEmpty,
  textNotEmpty,
  textNotBlank,
  systemNotBlank,
  knownBlock,
  knownMembers,
  ownSide,
  imageType,
  imageCount,
  cacheCount,
  unicode,
]
