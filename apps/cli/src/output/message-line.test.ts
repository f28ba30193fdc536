import type { Message } from '@sess/core'
import { describe, expect, it } from 'vitest'
import { messageLine } from './message-line.ts'

const line = (...content: object[]) => messageLine({ content: content as unknown as Message['content'] })

describe('messageLine', () => {
  it.each([
    [[{ type: 'text', text: ' Two\n\nlines\t' }], 'Two lines'],
    [[{ type: 'text', text: '\u001b[31mred' }], '␛[31mred'],
    [
      [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: '1', name: 'shell', input: { command: 'ls' } },
        { type: 'tool_use', id: '2', name: 're\u0007ad', input: {} },
      ],
      'I look. → shell → re␇ad',
    ],
    [[{ type: 'tool_result', tool_use_id: '1', content: '\n  src/a.ts\nsrc/b.ts' }], '← src/a.ts'],
    [
      [{ type: 'tool_result', tool_use_id: '1', is_error: true, content: [{ type: 'text', text: 'no' }] }],
      '← error no',
    ],
    [[{ type: 'tool_result', tool_use_id: '1' }], '← (nothing)'],
    [[{ type: 'tool_result', tool_use_id: '1', content: '{\n  "a": 1\n}\n' }], '← { "a": 1 }'],
    [[{ type: 'tool_result', tool_use_id: '1', content: '{ "a":\n1 }' }], '← { "a":'],
    [[{ type: 'image', source: {} }, { type: 'c\u202e' }], '[image] [c\\u202e]'],
    [[{ type: 'redacted_thinking', data: '' }], ''],
    [[], ''],
  ])('shows %j as %j', (content, shown) => {
    expect(line(...content)).toBe(shown)
  })
})
