// Reads conversations from text in sess's own forms, and finds out which it is. Everything is checked before anything is
// given back, so that a bad message at the end of a file means that nothing of it is stored.

import { z } from 'zod'
import { StoreError } from '../errors.ts'
import { check } from '../input/check.ts'
import { type ConversationReader, createConversationReader } from './conversation.ts'
import { notJson, parseJson } from './json.ts'
import { readSession } from './session.ts'
import { readTime } from './time.ts'
import type { ImportedConversation } from './types.ts'

type Members = { readonly [key: string]: unknown }

const anyMessages = z.array(z.unknown())

/**
 * Reads an export (JSON: one envelope or an array of them; JSON lines: a header, then a message a line) or JSON lines of
 * bare messages, which become one session without source. A byte order mark, CRLF and blank lines do no harm; a text of
 * blanks alone holds no conversation. Unknown members of an envelope are left.
 *
 * @throws {StoreError} invalid not JSON, or a value that breaks a rule; names the line and the field
 * @throws {StoreError} too-large a message or an object of a session that no store takes; names it likewise
 * @throws {StoreError} unsupported-version an export of a major version other than 1; names it
 */
export function readConversations(text: string): ImportedConversation[] {
  if (typeof text !== 'string') throw new StoreError('invalid', 'text: must be a string')
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const value = parseJson(source)
  if (Array.isArray(value)) return value.map((item, index) => readEnvelope(item, `[${index}]`))
  // A header alone on its line is an export in lines of a session without messages.
  const isFile = isExport(value) && (value.messages !== undefined || source.trim().includes('\n'))
  if (isFile) return [readEnvelope(value, '')]
  if (value !== undefined) return readLines([{ value, number: 1 }])
  return readLines(parseLines(source))
}

function readEnvelope(value: unknown, name: string): ImportedConversation {
  if (!isExport(value)) throw new StoreError('invalid', `${name}: is no export of sess`)
  const prefix = name === '' ? '' : `${name}.`
  checkVersion(value, prefix)
  return beginEnvelope(value, prefix).finish()
}

interface Line {
  readonly value: unknown
  /** From 1. */
  readonly number: number
}

function readLines(lines: Iterable<Line>): ImportedConversation[] {
  const found: ConversationReader[] = []
  for (const { value, number } of lines) {
    const prefix = `line ${number}: `
    if (isExport(value)) {
      found.push(beginExport(value, prefix))
      continue
    }
    if (found.length === 0) {
      if (!isObject(value) || (value.role === undefined && value.content === undefined)) {
        throw new StoreError('invalid', `${prefix}neither an export of sess nor a message`)
      }
      found.push(createConversationReader({ session: {} }, 'message-lines', prefix))
    }
    found.at(-1)?.add(value, prefix)
  }
  return found.map((conversation) => conversation.finish())
}

/** Lines end at "\n" alone: U+2028 may stand in a JSON string. */
function* parseLines(source: string): Generator<Line, void, undefined> {
  let number = 0
  let isFirst = true
  for (let start = 0; start < source.length; ) {
    const end = source.indexOf('\n', start)
    const text = end < 0 ? source.slice(start) : source.slice(start, end)
    start = end < 0 ? source.length : end + 1
    number++
    if (/^[ \t\r]*$/.test(text)) continue
    const value = parseJson(text)
    // Where not even the first line is JSON by itself, one value over many lines was meant.
    if (value === undefined) throw isFirst ? notJson(source, 1) : notJson(text, number)
    isFirst = false
    yield { value, number }
  }
}

/** A line with an export: a header, or a whole envelope. */
function beginExport(value: Members, prefix: string): ConversationReader {
  checkVersion(value, prefix)
  if (value.messages !== undefined) return beginEnvelope(value, prefix)
  return createConversationReader(readSession(value.session, `${prefix}session`), 'sess-jsonl', prefix)
}

function beginEnvelope(value: Members, prefix: string): ConversationReader {
  const session = readSession(value.session, `${prefix}session`)
  const messages = check(anyMessages, value.messages, `${prefix}messages`) as readonly unknown[]
  const conversation = createConversationReader(session, 'sess-json', prefix)
  for (const message of messages) conversation.add(message, prefix)
  return conversation
}

/** A later minor version only adds members; `format` may be missing in files of other writers. */
function checkVersion({ format, version, exported_at }: Members, prefix: string): void {
  if (format !== undefined && format !== 'sess')
    throw new StoreError('invalid', `${prefix}format: must be "sess"`)
  if (version === undefined) throw new StoreError('invalid', `${prefix}version: is missing`)
  if (typeof version !== 'string' || !/^1\.\d{1,9}$/.test(version)) {
    const named = JSON.stringify(version).slice(0, 40)
    throw new StoreError('unsupported-version', `${prefix}version ${named} is not read here, only 1.x is`)
  }
  if (exported_at !== undefined && exported_at !== null) readTime(exported_at, `${prefix}exported_at`)
}

function isExport(value: unknown): value is Members {
  if (!isObject(value) || Object.hasOwn(value, 'role')) return false
  return value.format === 'sess' || isObject(value.session) || Array.isArray(value.messages)
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
