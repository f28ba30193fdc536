// Arguments of a tool call: OpenAI sends them as JSON text, the others as an object. Models write text that is no JSON,
// and servers send none at all.

import { assertJsonValue } from '../input/json.ts'
import type { JsonObject } from '../types/content.ts'
import { isObject, sameJson } from './json.ts'

/** The input that arguments stand for. Blank text and nothing are `{}`; text that is no JSON stands for itself. */
export function readArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {}
  if (value.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(value)
    assertJsonValue(parsed)
    return parsed
  } catch {
    return value
  }
}

/** An input as providers take it: an object. What is none and cannot be read as one stands in `rawInvalidInput`. */
export function objectInput(input: unknown): JsonObject {
  const read = typeof input === 'string' ? readArguments(input) : (input ?? {})
  return isObject(read) ? read : { rawInvalidInput: input }
}

/** The arguments text of an input. */
export function writeArguments(input: unknown): string {
  return JSON.stringify(objectInput(input))
}

/** The arguments text of an input: `text` itself, for the sake of prompt caches, where it says the same. */
export function keepArguments(input: unknown, text: unknown): string {
  const isKept = typeof text === 'string' && text.trim() !== '' && isObject(input)
  return isKept && sameJson(readArguments(text), input) ? text : writeArguments(input)
}
