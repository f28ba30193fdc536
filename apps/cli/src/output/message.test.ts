import type { Message } from '@sess/core'
import picocolors from 'picocolors'
import { describe, expect, it } from 'vitest'
import { formatMessage, type MessageStyle } from './message.ts'

const plain: MessageStyle = {
  colors: picocolors.createColors(false),
  columns: 50,
  timeZone: 'UTC',
  tools: 'brief',
  thinking: false,
}

const message = (role: Message['role'], content: unknown, metadata: Message['metadata'] = {}): Message => ({
  id: 'm',
  sessionId: 's',
  seq: 7,
  role,
  content: content as Message['content'],
  createdAt: Date.UTC(2026, 2, 1, 9, 0, 5),
  metadata,
})

const call = [
  { type: 'thinking', thinking: 'Where is it?\u001b[2J' },
  { type: 'text', text: 'I look.\r\nThen I tell.\n' },
  { type: 'tool_use', id: '1', name: 'shell', input: { command: 'grep -rn \u001b[31m\n  "midnight" src' } },
  {
    type: 'tool_use',
    id: '2',
    name: 'read\u001b',
    input: { path: 'src/auth/day-key.ts', from: 1, through: 200 },
  },
  { type: 'tool_use', id: '3', name: 'now', input: {} },
]
const results = [
  { type: 'tool_result', tool_use_id: '1', content: '\nsrc/a.ts:10: midnight\nsrc/b.ts:3: midnight\n' },
  {
    type: 'tool_result',
    tool_use_id: '2',
    content: [{ type: 'text', text: 'no\u001b file' }],
    is_error: true,
  },
  { type: 'tool_result', tool_use_id: '3' },
]

describe('formatMessage', () => {
  it('shows who, when and where above the text', () => {
    expect(formatMessage(message('user', [{ type: 'text', text: 'Hello\tthere\n\nyou' }]), plain)).toBe(
      '\nuser  2026-03-01 09:00:05  #7\nHello\tthere\n\nyou\n',
    )
  })

  it('folds a tool call to a line', () => {
    expect(formatMessage(message('assistant', call), plain)).toBe(
      [
        '',
        'assistant  2026-03-01 09:00:05  #7',
        'I look.',
        'Then I tell.',
        '→ shell  grep -rn ␛[31m "midnight" src',
        '→ read␛  {"path":"src/auth/day-key.ts","from":1,"…',
        '→ now',
        '',
      ].join('\n'),
    )
  })

  it('goes on with results where the calls stand', () => {
    expect(formatMessage(message('user', results), plain)).toBe(
      ['← src/a.ts:10: midnight (2 lines)', '← error no␛ file', '← (nothing)', ''].join('\n'),
    )
  })

  it('measures what is wide, and tells JSON by more than its bracket', () => {
    const wide = [{ type: 'tool_use', id: '1', name: '搜索火车', input: { to: '杭州'.repeat(20) } }]
    expect(formatMessage(message('assistant', wide), { ...plain, columns: 30 })).toMatch(
      /\n→ 搜索火车 {2}杭州杭州杭州杭州…\n$/,
    )
    const long = [{ type: 'tool_use', id: '1', name: 'x'.repeat(99), input: {} }]
    expect(formatMessage(message('assistant', long), { ...plain, columns: 30 })).toMatch(/\n→ x{27}…\n$/)
    const json = [{ type: 'tool_result', tool_use_id: '1', content: '[\n  {\n    "a": 1\n  }\n]' }]
    expect(formatMessage(message('user', json), plain)).toBe('← [ { "a": 1 } ] (5 lines)\n')
  })

  it('shows calls and results whole', () => {
    const style = { ...plain, tools: 'full' } as const
    expect(formatMessage(message('assistant', call.slice(2, 3)), style)).toBe(
      [
        '',
        'assistant  2026-03-01 09:00:05  #7',
        '→ shell',
        '  {',
        '    "command": "grep -rn \\u001b[31m\\n  \\"midnight\\" src"',
        '  }',
        '',
      ].join('\n'),
    )
    expect(formatMessage(message('tool', results.slice(0, 2)), style)).toBe(
      [
        '',
        'tool  2026-03-01 09:00:05  #7',
        '←',
        '  src/a.ts:10: midnight',
        '  src/b.ts:3: midnight',
        '← error',
        '  no␛ file',
        '',
      ].join('\n'),
    )
  })

  it('leaves tools out, and messages that hold nothing else', () => {
    const style = { ...plain, tools: 'none' } as const
    expect(formatMessage(message('assistant', call), style)).toBe(
      '\nassistant  2026-03-01 09:00:05  #7\nI look.\nThen I tell.\n',
    )
    expect(formatMessage(message('user', results), style)).toBe('')
    expect(formatMessage(message('user', []), plain)).toBe('')
  })

  it('shows thinking when it is asked for', () => {
    const style = { ...plain, tools: 'none', thinking: true } as const
    const content = [...call.slice(0, 1), { type: 'redacted_thinking', data: 'x' }]
    expect(formatMessage(message('assistant', content), style)).toBe(
      '\nassistant  2026-03-01 09:00:05  #7\n(thinking) Where is it?␛[2J\n(thinking, redacted)\n',
    )
  })

  it('names what is no text', () => {
    const content = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png\u001b', data: 'AAAA' } },
      { type: 'document' },
      { type: 'text', text: 5 },
      { type: '\u001bodd' },
    ]
    expect(formatMessage(message('user', content), plain)).toBe(
      '\nuser  2026-03-01 09:00:05  #7\n[image image/png␛]\n[document]\n[text]\n[␛odd]\n',
    )
  })

  it('tells a summary, and what the agent does not see', () => {
    const text = [{ type: 'text', text: 'So far.' }]
    const summary = { summary: { fromSeq: 1, throughSeq: 6, line: [] } }
    expect(formatMessage(message('user', text, summary), plain)).toBe(
      '\nuser  2026-03-01 09:00:05  #7  summary of #1 to #6\nSo far.\n',
    )
    expect(formatMessage(message('user', text, { agentVisible: false }), plain)).toBe(
      '\nuser  2026-03-01 09:00:05  #7  not for the agent\nSo far.\n',
    )
  })
})
