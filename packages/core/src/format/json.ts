// JSON text of a file. Engines tell differently, or not at all, where a text stops being JSON, and quote what stands
// there; people need the line, and a log must not get the text. So the place is looked for here, after a failure only.

import { StoreError } from '../errors.ts'

/** The value of a JSON text; `undefined` (which JSON does not have) when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What to throw for a text that is not JSON; `line` is the number of its first line. */
export function notJson(text: string, line: number): StoreError {
  const offset = jsonEnd(text)
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  const number = line + (before.match(/\n/g)?.length ?? 0)
  const what =
    offset === text.length ? 'the text ends in the middle of a value' : `column ${offset - start + 1}`
  return new StoreError('invalid', `line ${number}: not JSON (${what})`)
}

const blank = /[ \t\n\r]*/y
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
const cutScalar = /(?:t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-|-?\d+\.|-?\d+(?:\.\d+)?[eE][+-]?)$/y
const cutEscape = /\\(?:u[\da-fA-F]{0,3})?$/y
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** Where a match of the sticky pattern that begins at `at` ends; `at` when there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** What may stand next: a first item or member may be missing, so an empty list or object may end there. */
type Expected = 'value' | 'first item' | 'key' | 'first member' | 'colon' | 'more'

/** Where a text that is not JSON stops being it; its length where it only ends too early. */
function jsonEnd(text: string): number {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  for (let at = endOf(blank, text, 0); at < text.length; at = endOf(blank, text, at)) {
    const char = text[at]
    const inside = open.at(-1)
    const isKey: boolean = expected === 'key' || expected === 'first member'
    if (expected === 'colon') {
      if (char !== ':') return at
      expected = 'value'
      at++
    } else if (inside && char === closing[inside] && expected !== 'value' && expected !== 'key') {
      open.pop()
      expected = 'more'
      at++
    } else if (expected === 'more') {
      if (char !== ',' || inside === undefined) return at
      expected = inside === '{' ? 'key' : 'value'
      at++
    } else if (char === '"') {
      at = stringEnd(text, at + 1)
      if (text[at] !== '"') return at
      expected = isKey ? 'colon' : 'more'
      at++
    } else if (isKey) {
      return at
    } else if (char === '{' || char === '[') {
      open.push(char)
      expected = char === '{' ? 'first member' : 'first item'
      at++
    } else {
      const end = endOf(scalar, text, at)
      if (end === at) return endOf(cutScalar, text, at)
      expected = 'more'
      at = end
    }
  }
  return text.length
}

const closing = { '{': '}', '[': ']' } as const

/** Where a string's closing quote stands, or what cannot stand in a string. */
function stringEnd(text: string, start: number): number {
  let at = start
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22 || unit < 0x20) return at
    if (unit !== 0x5c) continue
    const end = endOf(escaped, text, at)
    if (end === at) return endOf(cutEscape, text, at)
    at = end - 1
  }
  return at
}
