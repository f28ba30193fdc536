// Turns a caller's value into the JSON text that is stored. What is stored is the caller's own value: it is checked
// here without recursion (a value nested 100,000 deep must not overflow the stack) and then written by JSON.stringify.

import { StoreError, unreadable } from '../errors.ts'
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
  const root: Path = { parent: undefined, key: name }
  const found = reading(root, () => findProblem(value, root, maxBytes))
  if (found) throw new StoreError(found.code ?? 'invalid', `${renderPath(found.path)} ${found.what}`)
}

/**
 * The JSON text of a checked value.
 *
 * @throws {StoreError} invalid; too-large more than `maxBytes` in UTF-8
 */
export function toJsonText(value: unknown, name: string, maxBytes: number = limits.messageBytes): string {
  assertJsonValue(value, name, maxBytes)
  const text = reading({ parent: undefined, key: name }, () => JSON.stringify(value))
  const bytes = utf8Length(text)
  if (bytes > maxBytes) throw new StoreError('too-large', `${name} ${tooLarge(`${bytes}`, maxBytes)}`)
  return text
}

/** What is wrong, and where. Not thrown: what is thrown while a value is read is the caller's own. */
type Problem = { readonly path: Path; readonly what: string; readonly code?: 'too-large' }

function tooLarge(bytes: string, maxBytes: number): string {
  return `has ${bytes} bytes of JSON, the store takes ${maxBytes}`
}

/** @throws {StoreError} invalid a getter or a proxy of the caller's threw */
function reading<T>(path: Path, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw unreadable(renderPath(path), cause)
  }
}

function findProblem(value: unknown, root: Path, maxBytes: number): Problem | undefined {
  const open = new Set<object>()
  // Less than the bytes of the text: a value that is far too large never becomes one.
  let least = 0
  const count = (text: string): Problem | undefined => {
    least += text.length
    return least <= maxBytes
      ? undefined
      : { code: 'too-large', path: root, what: tooLarge(`more than ${maxBytes}`, maxBytes) }
  }
  const steps: Step[] = [{ value, path: root, depth: 0 }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (step.leave) {
      open.delete(step.leave)
      continue
    }
    const { value: current, path, depth } = step
    if (typeof current !== 'object' || current === null) {
      const what = scalarProblem(current)
      if (what !== undefined) return { path, what }
      const long = typeof current === 'string' ? count(current) : undefined
      if (long) return long
      continue
    }
    if (depth >= limits.jsonDepth)
      return { path, what: `is nested more than ${limits.jsonDepth.toLocaleString('en')} levels deep` }
    if (open.has(current)) return { path, what: 'contains itself' }
    open.add(current)
    steps.push({ value: undefined, path, depth, leave: current })
    const problem = Array.isArray(current)
      ? pushItems(current, path, depth, steps)
      : pushMembers(current, path, depth, steps, count)
    if (problem) return problem
  }
  return undefined
}

function scalarProblem(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return undefined
  const what = typeof value === 'number' ? value : value === undefined ? 'undefined' : `a ${typeof value}`
  return `is ${what}, which JSON does not have`
}

function pushItems(items: readonly unknown[], path: Path, depth: number, steps: Step[]): Problem | undefined {
  if (Object.keys(items).length !== items.length) {
    const hole = holeOf(items)
    return hole === undefined
      ? { path, what: 'is an array with properties of its own' }
      : { path: { parent: path, key: hole }, what: 'is missing (a hole in the array)' }
  }
  if (hasToJson(items)) return toJsonProblem(path)
  for (let index = items.length - 1; index >= 0; index--) {
    steps.push({ value: items[index], path: { parent: path, key: index }, depth: depth + 1 })
  }
  return undefined
}

/** The first index that an array has not. */
export function holeOf(items: readonly unknown[]): number | undefined {
  for (let index = 0; index < items.length; index++) if (!(index in items)) return index
  return undefined
}

function pushMembers(
  value: object,
  path: Path,
  depth: number,
  steps: Step[],
  count: (text: string) => Problem | undefined,
): Problem | undefined {
  const prototype = Object.getPrototypeOf(value)
  // A plain object of another realm has a prototype without a prototype, too.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return { path, what: `is a ${value.constructor?.name ?? 'class instance'}, not a plain object` }
  }
  for (const symbol of Object.getOwnPropertySymbols(value)) {
    if (Object.prototype.propertyIsEnumerable.call(value, symbol)) {
      return { path, what: `has a member named by ${String(symbol)}` }
    }
  }
  if (hasToJson(value)) return toJsonProblem(path)
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const long = count(key)
    if (long) return long
    steps.push({ value: member, path: { parent: path, key }, depth: depth + 1 })
  }
  return undefined
}

/** JSON.stringify would call it, also where it is inherited or not enumerable, and store what it answers unchecked. */
function hasToJson(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function'
}

function toJsonProblem(path: Path): Problem {
  return { path: { parent: path, key: 'toJSON' }, what: 'is a function, which JSON does not have' }
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
