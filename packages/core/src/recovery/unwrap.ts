// From whatever a call to a model provider threw or answered to its status, codes and texts. SDKs, gateways and
// frameworks wrap the provider's refusal in their own errors, so it is looked for down the usual properties, in `cause`
// and in JSON inside texts. Never throws: getters may, objects may be cyclic or revoked. What was sent (config, request,
// requestBodyValues) is never looked at, for it holds what users wrote.

import { embeddedError, statusInText } from './embedded.ts'
import { maxMatchedText } from './plain-text.ts'

/** A provider's refusal in short, for logs. */
export interface ProviderErrorDetails {
  /** HTTP status, 400 to 599. */
  readonly status?: number
  /** The provider's own code, as text. */
  readonly code?: string
  /** The provider's type of error, or the name of an AWS exception. */
  readonly type?: string
  /** The innermost message, at most 4,096 UTF-16 units; "" where there is none. */
  readonly text: string
}

/** All that was found. The last of each is the innermost. */
export interface UnwrappedError {
  status?: number | undefined
  readonly codes: string[]
  readonly types: string[]
  readonly texts: string[]
}

/** Texts are read this far, in UTF-16 units. */
export const maxReadText = 65_536
const maxTextLevels = 3
const maxDepth = 12
const maxObjects = 32
const maxTexts = 24

const messageKeys = ['message', 'Message', 'msg', 'error_msg', 'errorMessage', 'error_message', 'status_msg']
const statusKeys = ['status', 'statusCode', 'status_code', 'httpStatusCode', 'http_status']
const codeKeys = ['code', 'Code', 'error_code', 'errorCode']
const typeKeys = ['type', '__type', 'error_type']
// Later ones are nearer to the provider.
const nestedKeys = [
  'cause',
  'errors',
  'lastError',
  'originalError',
  'response',
  'Response',
  'body',
  'responseBody',
  'data',
  'detail',
  'details',
  'upstream_details',
  'base_resp',
  'metadata',
  'innererror',
  'Error',
  'error',
  'raw',
]

/**
 * What a model provider's error says: any SDK's error, an HTTP response's body as object or text, a plain string.
 * Nothing found is an empty text.
 */
export function readProviderError(error: unknown): ProviderErrorDetails {
  const { status, codes, types, texts } = unwrapError(error)
  const code = codes.at(-1)
  const type = types.at(-1)
  return {
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(type !== undefined && { type }),
    text: (texts.at(-1) ?? '').slice(0, maxMatchedText),
  }
}

/** Everything that an error and what it wraps says, outermost first. */
export function unwrapError(error: unknown): UnwrappedError {
  const found: UnwrappedError = { codes: [], types: [], texts: [] }
  walk(error, 0, 0, found, new Set())
  return found
}

function walk(value: unknown, depth: number, level: number, found: UnwrappedError, seen: Set<unknown>): void {
  if (typeof value === 'string') readText(value, depth, level, found, seen)
  else if (typeof value === 'object' && value !== null) readObject(value, depth, level, found, seen)
}

function readObject(
  value: object,
  depth: number,
  level: number,
  found: UnwrappedError,
  seen: Set<unknown>,
): void {
  if (depth > maxDepth || seen.size >= maxObjects || seen.has(value)) return
  seen.add(value)
  const count = get(value, 'length')
  // A list: Google answers [{ error }]; of retries only the last attempt counts.
  if (typeof count === 'number') {
    walk(get(value, count - 1), depth + 1, level, found, seen)
    return
  }
  const name = get(value, 'name')
  if (typeof name === 'string' && /^\w{1,80}Exception$/.test(name)) found.types.push(name)
  addStatus(get(get(value, '$metadata'), 'httpStatusCode'), found)
  for (const key of statusKeys) addStatus(get(value, key), found, true)
  for (const key of codeKeys) addStatus(get(value, key), found, true)
  for (const key of typeKeys) {
    const type = get(value, key)
    if (typeof type === 'string' && type !== '' && type !== 'error') found.types.push(type.slice(0, 200))
  }
  const text = messageKeys.map((key) => get(value, key)).find((one) => typeof one === 'string' && one !== '')
  if (text !== undefined) walk(text, depth + 1, level, found, seen)
  for (const key of nestedKeys) walk(get(value, key), depth + 1, level, found, seen)
}

function readText(
  whole: string,
  depth: number,
  level: number,
  found: UnwrappedError,
  seen: Set<unknown>,
): void {
  if (found.texts.length >= maxTexts) return
  const text = whole.slice(0, maxReadText)
  const embedded = level < maxTextLevels ? embeddedError(text) : undefined
  const around = embedded?.around ?? text
  found.status ??= statusInText(around)
  if (/[\p{L}\p{N}]/u.test(around.slice(0, 1000)) && !found.texts.includes(around)) found.texts.push(around)
  if (embedded) walk(embedded.value, depth + 1, level + 1, found, seen)
}

/** An HTTP status, or else, where that is wanted, a code: gateways write either into "code" and "status". */
function addStatus(value: unknown, found: UnwrappedError, orCode = false): void {
  if (typeof value !== 'number' && typeof value !== 'string') return
  const text = String(value).slice(0, 200)
  if (/^[45]\d\d$/.test(text)) found.status = Number(text)
  else if (orCode && text !== '' && !/^[1-3]\d\d$/.test(text)) found.codes.push(text)
}

function get(value: unknown, key: PropertyKey): unknown {
  try {
    return value === null || value === undefined ? undefined : (value as Record<PropertyKey, unknown>)[key]
  } catch {
    return undefined
  }
}
