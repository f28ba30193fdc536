import { describe, expect, test } from 'vitest'
import type { ContentBlock } from '../types/content.ts'
import type { MessageMetadata, Role } from '../types/message.ts'
import { previewLine } from './preview.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const preview = (
  content: string | readonly unknown[],
  role: Role = 'user',
  metadata: MessageMetadata = {},
): string | undefined =>
  previewLine(role, typeof content === 'string' ? [text(content)] : (content as ContentBlock[]), metadata)

describe('previewLine', () => {
  test.each([
    ['one line', 'hello', 'hello'],
    ['the first line', 'one\ntwo', 'one'],
    ['no blank lines before it', '\n  \n\t\r\n hello \nworld', 'hello'],
    ['a line that ends with CRLF', 'one\r\ntwo', 'one'],
    ['a line that ends with CR', 'one\rtwo', 'one'],
    ['a line that ends with U+2028', 'one\u2028two', 'one'],
    ['a line that ends with U+2029', 'one\u2029two', 'one'],
    ['the spaces inside', 'a  b', 'a  b'],
    ['no spaces around, of whatever kind', '\u3000\u00a0hi\u3000', 'hi'],
    ['spaces for control characters', 'a\tb\0c\x1b[31m', 'a b c [31m'],
    ['no control characters around', '\x1b[1mhi\x07', '[1mhi'],
    ['no line of control characters alone', '\0\x85\x07\nhello', 'hello'],
    ['U+FFFD for half of a pair', 'a\ud83d b', 'a\ufffd b'],
    ['an emoji of several parts', '👩‍👩‍👧', '👩‍👩‍👧'],
  ])('shows %s', (_, value, expected) => {
    expect(preview(value)).toBe(expected)
  })

  test('ends after 128 code points', () => {
    expect(preview('x'.repeat(128))).toBe('x'.repeat(128))
    expect(preview('x'.repeat(129))).toBe('x'.repeat(128))
    expect(preview('😀'.repeat(129))).toBe('😀'.repeat(128))
    expect(preview(`${'x'.repeat(127)} y`)).toBe('x'.repeat(127))
    expect(preview(`${' \n'.repeat(5000)}${'x'.repeat(500_000)}`)).toBe('x'.repeat(128))
  })

  test('finds a line behind many control characters', () => {
    expect(preview(`${'\0'.repeat(5000)}hello`)).toBe('hello')
  })

  test('is of the first text block that is not blank', () => {
    expect(preview([{ type: 'image' }, text(' \n'), text('two'), text('three')])).toBe('two')
    expect(preview([{ type: 'thinking', thinking: 'hm' }, text('so')], 'assistant')).toBe('so')
  })

  test.each<[string, string | unknown[]]>([
    ['no blocks', []],
    ['an empty text', ''],
    ['blank text', ' \n\t\u3000'],
    ['control characters alone', '\0\x1b'],
    ['tool blocks only', [{ type: 'tool_use', id: 't', name: 'bash', input: {} }]],
    ['a tool result only', [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }]],
    ['a text block of another writer', [{ type: 'text', text: 5 }]],
  ])('there is none of %s', (_, content) => {
    expect(preview(content)).toBeUndefined()
  })

  test('there is none of other roles, nor of what people do not see', () => {
    expect(preview('hi', 'system')).toBeUndefined()
    expect(preview('hi', 'tool')).toBeUndefined()
    expect(preview('hi', 'user', { userVisible: false })).toBeUndefined()
    expect(preview('hi', 'user', { agentVisible: false })).toBe('hi')
    expect(preview('hi', 'assistant', { userVisible: true })).toBe('hi')
  })
})
