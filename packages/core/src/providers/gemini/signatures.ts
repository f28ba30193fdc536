// Thought signatures of calls. Gemini 3 checks the current turn alone, which reaches back to the last thing the user
// said, and of each step in it the first call (ai.google.dev/gemini-api/docs/thought-signatures).

import type { JsonObject } from '../../types/content.ts'
import { isObject, itemsOf, own } from '../json.ts'

/** What Gemini 3 takes where a history comes from elsewhere. */
const placeholder = 'skip_thought_signature_validator'

/** Where the current turn's steps begin: behind the last turn of the user that holds more than responses. */
export function currentTurn(contents: readonly unknown[]): number {
  const isSaid = (content: unknown) =>
    isObject(content) &&
    content.role !== 'model' &&
    itemsOf(content.parts).some((part) => isObject(part) && own(part, 'functionResponse') === undefined)
  return contents.findLastIndex(isSaid) + 1
}

/** Where in a turn of the model its first call stands; -1 where there is none. */
export function firstCall(content: unknown): number {
  if (!isObject(content) || content.role !== 'model') return -1
  return itemsOf(content.parts).findIndex((part) => isObject(part) && own(part, 'functionCall') !== undefined)
}

/** The contents with a signature on each first call of the current turn that has none and may be changed. */
export function signCalls(contents: readonly unknown[], mayChange: (content: unknown) => boolean): unknown[] {
  const start = currentTurn(contents)
  return contents.map((content, index) => {
    const at = firstCall(content)
    if (index < start || at < 0 || !mayChange(content)) return content
    const turn = content as JsonObject
    const parts = itemsOf(turn.parts) as readonly JsonObject[]
    if (parts[at]?.thoughtSignature !== undefined) return content
    return {
      ...turn,
      parts: parts.map((part, place) => (place === at ? { ...part, thoughtSignature: placeholder } : part)),
    }
  })
}
