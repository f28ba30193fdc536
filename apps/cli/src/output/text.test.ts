import { describe, expect, it } from 'vitest'
import { foldedLine, safeOutput, tabbedLine, visibleLine, visibleText } from './text.ts'

describe('visibleLine', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['\u001b]0;title\u0007', '␛]0;title␇'],
    ['a\u0000b', 'a␀b'],
    ['a\tb\nc\rd', 'a␉b␊c␍d'],
    ['\u007f', '␡'],
    ['\u009b31m', '\\x9b31m'],
    ['\u202eevil\u202c \u2066x\u2069 \u200f\u061c', '\\u202eevil\\u202c \\u2066x\\u2069 \\u200f\\u061c'],
    ['a\u2028b', 'a\\u2028b'],
    ['half \ud83d', 'half \ufffd'],
    ['👩‍👩‍👧 杭州 e\u0301 \u200c', '👩‍👩‍👧 杭州 e\u0301 \u200c'],
  ])('shows %j as %j', (text, visible) => {
    expect(visibleLine(text)).toBe(visible)
  })
})

describe('visibleText', () => {
  it('keeps line breaks and tabs, and takes CRLF for a line break', () => {
    expect(visibleText('a\tb\r\nc\nd\re\u001b')).toBe('a\tb\nc\nd␍e␛')
  })
})

describe('foldedLine', () => {
  it('makes one line of several', () => {
    expect(foldedLine('  a\n\n  b\t c\u001b ')).toBe('a b c␛')
  })
})

describe('tabbedLine', () => {
  it('keeps every cell in its column, whatever it is', () => {
    expect(tabbedLine(['a\tb', 3, undefined, null, 'c\n'])).toBe('a␉b\t3\tundefined\tnull\tc␊\n')
  })
})

describe('safeOutput', () => {
  const text = '\u001b[1mbold\u001b[22m\ttab\n\u001b]0;title\u0007\u001b[2J\u009b1m\r\u202e'
  it('lets colours through and nothing else', () => {
    expect(safeOutput(text, true)).toBe('\u001b[1mbold\u001b[22m\ttab\n␛]0;title␇␛[2J\\x9b1m␍\\u202e')
  })

  it('lets no colours through where there are none', () => {
    expect(safeOutput(text, false)).toBe('␛[1mbold␛[22m\ttab\n␛]0;title␇␛[2J\\x9b1m␍\\u202e')
    expect(safeOutput('{"a":"\\u001b ✓"}\n', false)).toBe('{"a":"\\u001b ✓"}\n')
  })
})
