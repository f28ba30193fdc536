// A request of generateContent as its rules look at it. A content without a role is the user's.

import type { JsonObject } from '../../../types/content.ts'
import { isObject, itemsOf, own } from '../../json.ts'
import { dataMembers } from '../parts.ts'

export interface PlacedPart {
  readonly part: JsonObject
  /** The members of the part that are its data; a good part has one. */
  readonly data: readonly string[]
  readonly path: string
}

export interface PlacedContent {
  readonly content: JsonObject
  readonly role: unknown
  readonly parts: readonly PlacedPart[]
  readonly calls: readonly PlacedPart[]
  readonly responses: readonly PlacedPart[]
  readonly path: string
}

export interface GeminiView {
  readonly systemInstruction: unknown
  readonly contents: readonly PlacedContent[]
  /** Whether the caller adds a turn of the user before sending. */
  readonly isHistory: boolean
}

export function viewOf(request: unknown, isHistory: boolean): GeminiView {
  const members = isObject(request) ? request : {}
  return {
    systemInstruction: own(members, 'systemInstruction'),
    contents: itemsOf(own(members, 'contents')).map((each, index) =>
      placeContent(each, `contents[${index}]`),
    ),
    isHistory,
  }
}

export function placeContent(item: unknown, path: string): PlacedContent {
  const content = isObject(item) ? item : {}
  const parts = itemsOf(own(content, 'parts')).map((each, index) => {
    const part = isObject(each) ? each : {}
    const data = dataMembers.filter((key) => own(part, key) !== undefined)
    return { part, data, path: `${path}.parts[${index}]` }
  })
  return {
    content,
    role: own(content, 'role') ?? 'user',
    parts,
    calls: parts.filter(({ data }) => data.includes('functionCall')),
    responses: parts.filter(({ data }) => data.includes('functionResponse')),
    path,
  }
}
