// Turns a caller's value into the JSON text that is stored. What is stored is the caller's own value: it is checked
// here without recursion (a value nested 100,000 deep must not overflow the stack) and then written by JSON.stringify.

import { StoreError } from '../errors.ts'
import { limits } from '../limits.ts'
import { utf8Length } from '../text/utf8.ts'

type Path = { readonly parent: Path | undefined; readonly key: string | number }
type Step = { readonly value: unknown; readonly path: Path; readonly depth: number; readonly leave?: object }

/**
 * Checks that a value is plain JSON: null, booleans, finite numbers, strings, arrays without holes, and plain objects.
 * Members with value undefined are allowed (they are left out).
 *
 * @throws {StoreError} invalid a bigint, function, symbol, NaN, Infinity, class instance (Date, Map), cycle, undefined in
 *   an array, or more than 1,000 levels; the message names the path
 * @throws {StoreError} too-large its strings alone have more than `maxBytes`
 */
export function assertJsonValue(
  value: unknown,
  name = 'value',
  maxBytes: number = limits.messageBytes,
): void {
  const open = new Set<object>()
  // Less than the bytes of the text: a value that is far too large never becomes one.
  let least = 0
  const count = (text: string) => {
    least += text.length
    if (least > maxBytes) throw tooLarge(name, `more than ${maxBytes}`, maxBytes)
  }
  const steps: Step[] = [{ value, path: { parent: undefined, key: name }, depth: 0 }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (step.leave) {
      open.delete(step.leave)
      continue
    }
    const { value: current, path, depth } = step
    if (typeof current !== 'object' || current === null) {
      checkScalar(current, path)
      if (typeof current === 'string') count(current)
      continue
    }
    if (depth >= limits.jsonDepth)
      throw problem(path, `is nested more than ${limits.jsonDepth.toLocaleString('en')} levels deep`)
    if (open.has(current)) throw problem(path, 'contains itself')
    open.add(current)
    steps.push({ value: undefined, path, depth, leave: current })
    if (Array.isArray(current)) pushItems(current, path, depth, steps)
    else pushMembers(current, path, depth, steps, count)
  }
}

/**
 * The JSON text of a checked value.
 *
 * @throws {StoreError} invalid; too-large more than `maxBytes` in UTF-8
 */
export function toJsonText(value: unknown, name: string, maxBytes: number = limits.messageBytes): string {
  let text: string
  try {
    assertJsonValue(value, name, maxBytes)
    text = JSON.stringify(value)
  } catch (error) {
    if (error instanceof StoreError) throw error
    // A getter or a proxy of the caller's threw.
    throw new StoreError('invalid', `${name} cannot be read: ${String(error)}`, { cause: error })
  }
  const bytes = utf8Length(text)
  if (bytes > maxBytes) throw tooLarge(name, `${bytes}`, maxBytes)
  return text
}

function tooLarge(name: string, bytes: string, maxBytes: number): StoreError {
  return new StoreError('too-large', `${name} has ${bytes} bytes of JSON, the store takes ${maxBytes}`)
}

function checkScalar(value: unknown, path: Path): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return
    case 'number':
      if (!Number.isFinite(value)) throw problem(path, `is ${value}, which JSON does not have`)
      return
    case 'object':
      return
    default:
      throw problem(
        path,
        `is ${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON does not have`,
      )
  }
}

function pushItems(items: readonly unknown[], path: Path, depth: number, steps: Step[]): void {
  if (Object.keys(items).length !== items.length) {
    for (let index = 0; index < items.length; index++) {
      if (!(index in items)) throw problem({ parent: path, key: index }, 'is missing (a hole in the array)')
    }
    throw problem(path, 'is an array with properties of its own')
  }
  refuseToJson(items, path)
  for (let index = items.length - 1; index >= 0; index--) {
    steps.push({ value: items[index], path: { parent: path, key: index }, depth: depth + 1 })
  }
}

function pushMembers(
  value: object,
  path: Path,
  depth: number,
  steps: Step[],
  count: (text: string) => void,
): void {
  const prototype = Object.getPrototypeOf(value)
  // A plain object of another realm has a prototype without a prototype, too.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw problem(path, `is a ${value.constructor?.name ?? 'class instance'}, not a plain object`)
  }
  for (const symbol of Object.getOwnPropertySymbols(value)) {
    if (Object.prototype.propertyIsEnumerable.call(value, symbol)) {
      throw problem(path, `has a member named by ${String(symbol)}`)
    }
  }
  refuseToJson(value, path)
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    count(key)
    steps.push({ value: member, path: { parent: path, key }, depth: depth + 1 })
  }
}

/** JSON.stringify would call it, also where it is inherited or not enumerable, and store what it answers unchecked. */
function refuseToJson(value: object, path: Path): void {
  if (typeof (value as { toJSON?: unknown }).toJSON !== 'function') return
  throw problem({ parent: path, key: 'toJSON' }, 'is a function, which JSON does not have')
}

function problem(path: Path, what: string): StoreError {
  return new StoreError('invalid', `${renderPath(path)} ${what}`)
}

function renderPath(path: Path): string {
  const keys: (string | number)[] = []
  for (let part: Path | undefined = path; part; part = part.parent) keys.push(part.key)
  const [root = 'value', ...rest] = keys.reverse()
  return formatPath(String(root), rest)
}

/** `messages[1].content[0].text`; a long path keeps its two ends. */
export function formatPath(root: string, keys: readonly (string | number)[]): string {
  const text = keys
    .map((key) =>
      typeof key === 'number'
        ? `[${key}]`
        : /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)
          ? `.${key}`
          : `[${JSON.stringify(key)}]`,
    )
    .join('')
  const path = (root + text).toWellFormed()
  return path.length <= 200 ? path : `${path.slice(0, 120)}…${path.slice(-60)}`
}
