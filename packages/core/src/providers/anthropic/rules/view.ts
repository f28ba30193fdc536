// A request of the Messages API as its rules look at it: blocks with their paths, and turns, for the API joins
// neighbours of one role before it checks them (docs.anthropic.com/claude/reference/messages_post).

import type { JsonObject } from '../../../types/content.ts'
import { isObject, itemsOf, own } from '../../json.ts'

export interface PlacedBlock {
  readonly block: JsonObject
  readonly type: unknown
  readonly path: string
}

export interface PlacedMessage {
  readonly role: unknown
  readonly content: unknown
  readonly blocks: readonly PlacedBlock[]
  readonly path: string
}

export interface AnthropicView {
  readonly system: unknown
  /** The request's thinking option, where the request given has it. */
  readonly thinking: unknown
  readonly messages: readonly PlacedMessage[]
  /** Neighbours of one role as one. */
  readonly turns: readonly {
    readonly role: unknown
    readonly blocks: readonly PlacedBlock[]
    readonly path: string
  }[]
  /** Whether the caller adds a message of the user before sending. */
  readonly isHistory: boolean
}

export function viewOf(request: unknown, isHistory: boolean): AnthropicView {
  const members = isObject(request) ? request : {}
  const messages = itemsOf(own(members, 'messages')).map(placeMessage)
  const turns: { role: unknown; blocks: PlacedBlock[]; path: string }[] = []
  for (const { role, blocks, path } of messages) {
    const last = turns.at(-1)
    if (last !== undefined && last.role === role) last.blocks.push(...blocks)
    else turns.push({ role, blocks: [...blocks], path })
  }
  return { system: own(members, 'system'), thinking: own(members, 'thinking'), messages, turns, isHistory }
}

function placeMessage(message: unknown, index: number): PlacedMessage {
  const members = isObject(message) ? message : {}
  const path = `messages[${index}]`
  const content = own(members, 'content')
  return { role: own(members, 'role'), content, blocks: placeBlocks(content, `${path}.content`), path }
}

/** The blocks of a content; a text is one block. */
export function placeBlocks(content: unknown, path: string): PlacedBlock[] {
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, type: 'text', path }]
  return itemsOf(content).map((item, index) => {
    const block = isObject(item) ? item : {}
    return { block, type: own(block, 'type'), path: `${path}[${index}]` }
  })
}
