import { describe, expect, it } from 'vitest'
import { toJsonText } from './json.ts'

describe('toJsonText', () => {
  it('escapes what a terminal could act on, and changes no value', () => {
    const value = { text: '\u001b[31m \u007f \u009b31m \u202e \u2066 \u2028 杭州 👩‍👩‍👧 \ud83d' }
    const json = toJsonText(value)
    expect(json).toBe('{"text":"\\u001b[31m \\u007f \\u009b31m \\u202e \\u2066 \\u2028 杭州 👩‍👩‍👧 \\ud83d"}')
    expect(JSON.parse(json)).toStrictEqual(value)
  })

  it('indents', () => {
    expect(toJsonText({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}')
  })
})
