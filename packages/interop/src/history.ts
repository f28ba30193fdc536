// The one reader for a file of unknown origin: finds out by its shape whose history it is.

import { type ConversationFormat, type ImportedConversation, readConversations } from '@sess/core'
import { isGooseSession, readGooseSession } from './goose/session.ts'

/** Every form that is read. */
export type HistoryFormat = ConversationFormat | 'goose-json'

/** A conversation read from a file of any form, as `importConversations` of `@sess/core` takes it. */
export type ImportedHistory = ImportedConversation<HistoryFormat>

/**
 * Reads the conversations of a text: what `readConversations` of `@sess/core` reads, or a session of Goose (also an
 * array of them). Everything is checked before anything is given back.
 *
 * @throws {StoreError} invalid naming the line or the field
 * @throws {StoreError} unsupported-version an export of sess of another major version
 */
export function readHistory(text: string): ImportedHistory[] {
  const value = parse(text)
  if (isGooseSession(value)) return [readGooseSession(value, '')]
  if (Array.isArray(value) && value.length > 0 && value.every(isGooseSession)) {
    return value.map((session, index) => readGooseSession(session, `[${index}].`))
  }
  return readConversations(text)
}

/** `undefined` where the text is not one JSON value: JSON lines, or a mistake, which the other reader names. */
function parse(text: string): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch {
    return undefined
  }
}
