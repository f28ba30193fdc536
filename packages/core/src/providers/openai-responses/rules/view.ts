// Items of the Responses API as its rules look at them.

import type { JsonObject } from '../../../types/content.ts'
import { isObject, itemsOf, own } from '../../json.ts'

export interface PlacedItem {
  readonly item: JsonObject
  /** "message" also where a message leaves its type out. */
  readonly type: unknown
  readonly path: string
}

export interface ItemsView {
  readonly items: readonly PlacedItem[]
  /** Whether the caller adds a message of the user before sending. */
  readonly isHistory: boolean
}

export function viewOf(request: unknown, isHistory: boolean): ItemsView {
  const items = itemsOf(request).map((each, index) => {
    const item = isObject(each) ? each : {}
    const type = own(item, 'type') ?? (own(item, 'role') === undefined ? undefined : 'message')
    return { item, type, path: `input[${index}]` }
  })
  return { items, isHistory }
}
