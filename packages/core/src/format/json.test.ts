import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notJson, parseJson } from './json.ts'

describe('parseJson', () => {
  it('gives undefined for what is not JSON, null for null', () => {
    expect(parseJson('nul')).toBeUndefined()
    expect(parseJson('null')).toBeNull()
    expect(parseJson('')).toBeUndefined()
  })
})

describe('notJson', () => {
  const cut = (line: number) => `line ${line}: not JSON (the text ends in the middle of a value)`

  it.each([
    ['{"a":1', cut(1)],
    ['{\n  "a": [1,\n', cut(3)],
    ['{"a":"b', cut(1)],
    ['{"a":"b\\', cut(1)],
    ['{"a":"b\\u00', cut(1)],
    ['{"a":tru', cut(1)],
    ['{"a":-', cut(1)],
    ['{"a"', cut(1)],
    ['{', cut(1)],
    ['[', cut(1)],
    ['x', 'line 1: not JSON (column 1)'],
    ['truth', 'line 1: not JSON (column 1)'],
    ['[1.', cut(1)],
    ['[-2.5e+', cut(1)],
    ['', cut(1)],
    ['{\n  "a": 1,\n  "b": x,\n}', 'line 3: not JSON (column 8)'],
    ['{"a":1,}', 'line 1: not JSON (column 8)'],
    ['[1,]', 'line 1: not JSON (column 4)'],
    ['[1 2]', 'line 1: not JSON (column 4)'],
    ['[1]]', 'line 1: not JSON (column 4)'],
    ['[1}', 'line 1: not JSON (column 3)'],
    ['{"a":1} {"b":2}', 'line 1: not JSON (column 9)'],
    ['{"a" 1}', 'line 1: not JSON (column 6)'],
    ['{"a":}', 'line 1: not JSON (column 6)'],
    ['{a:1}', 'line 1: not JSON (column 2)'],
    ["{'a':1}", 'line 1: not JSON (column 2)'],
    ['{"a":01}', 'line 1: not JSON (column 6)'],
    ['{"a":NaN}', 'line 1: not JSON (column 6)'],
    ['{"a":"\\x"}', 'line 1: not JSON (column 7)'],
    ['{"a":"b\nc"}', 'line 1: not JSON (column 8)'],
    ['// no\n{}', 'line 1: not JSON (column 1)'],
  ])('tells where %j stops being JSON', (text, message) => {
    expect(parseJson(text)).toBeUndefined()
    expect(notJson(text, 1)).toMatchObject({ code: 'invalid', message })
  })

  it('counts lines from the number of the first one', () => {
    expect(notJson('{"a":\n\n]', 7).message).toBe('line 9: not JSON (column 1)')
  })

  it('says of any text that is cut off that it ends too early', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const head = json.slice(0, at % json.length)
        if (parseJson(head) === undefined) expect(notJson(head, 1).message).toBe(cut(1))
      }),
      { numRuns: 500 },
    )
  })

  it('finds a character that no JSON can have where it was put', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, number) => {
        const at = number % (json.length + 1)
        const message = notJson(`${json.slice(0, at)}\u0000${json.slice(at)}`, 1).message
        expect(message).toMatch(/^line 1: not JSON \(column \d+\)$/)
        const column = Number(/\d+(?=\))/.exec(message)?.[0])
        // Inside a number, a word or an escape the whole of it is the problem.
        expect(column).toBeLessThanOrEqual(at + 1)
        expect(json.slice(column - 1, at)).toMatch(/^(?:[\w.+-]*|\\\w*)$/)
      }),
      { numRuns: 500 },
    )
  })
})
