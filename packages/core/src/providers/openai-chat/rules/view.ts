// Messages of Chat Completions as its rules look at them.

import type { JsonObject } from '../../../types/content.ts'
import { isObject, itemsOf, own } from '../../json.ts'

export interface PlacedPart {
  readonly part: JsonObject
  readonly type: unknown
  readonly path: string
}

export interface PlacedCall {
  readonly call: JsonObject
  readonly id: unknown
  readonly path: string
}

export interface PlacedMessage {
  readonly message: JsonObject
  readonly role: unknown
  readonly content: unknown
  readonly parts: readonly PlacedPart[]
  readonly calls: readonly PlacedCall[]
  readonly path: string
}

export interface ChatView {
  readonly messages: readonly PlacedMessage[]
  /** Whether the caller adds a message of the user before sending. */
  readonly isHistory: boolean
}

export function viewOf(request: unknown, isHistory: boolean): ChatView {
  return { messages: itemsOf(request).map(placeMessage), isHistory }
}

function placeMessage(item: unknown, index: number): PlacedMessage {
  const message = isObject(item) ? item : {}
  const path = `messages[${index}]`
  const content = own(message, 'content')
  const parts = itemsOf(content).map((each, place) => {
    const part = isObject(each) ? each : {}
    return { part, type: own(part, 'type'), path: `${path}.content[${place}]` }
  })
  const calls = itemsOf(own(message, 'tool_calls')).map((each, place) => {
    const call = isObject(each) ? each : {}
    return { call, id: own(call, 'id'), path: `${path}.tool_calls[${place}]` }
  })
  return { message, role: own(message, 'role'), content, parts, calls, path }
}
