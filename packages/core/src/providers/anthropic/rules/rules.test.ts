// Each rule of the Messages API: the smallest request that breaks it, beside one that does not.

import { describe, expect, it } from 'vitest'
import { validateForProvider } from '../../validate.ts'
import { contentRules } from './content.ts'
import { orderRules } from './order.ts'
import { thinkingRules } from './thinking.ts'
import { toolRules } from './tools.ts'

const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more })
const use = (id: string, more = {}) => ({ type: 'tool_use', id, name: 'bash', input: {}, ...more })
const result = (id: string, more = {}) => ({ type: 'tool_result', tool_use_id: id, ...more })
const image = (source = {}) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA', ...source },
})
const signed = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
const hello = user(text('hi'))

function check(request: object, options = {}) {
  return validateForProvider(request as never, 'anthropic', options)
}

const turn = (...blocks: unknown[]) => ({ messages: [hello, assistant(...blocks), hello] })
const answered = (call: object, ...results: unknown[]) => ({
  messages: [hello, assistant(call), user(...results)],
})

/** Rule, place, a request that breaks it, its neighbour that does not. */
const cases: readonly (readonly [string, string, object, object])[] = [
  ['messages-present', 'messages', { messages: [] }, { messages: [hello] }],
  ['role-known', 'messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }, { messages: [hello] }],
  [
    'first-is-user',
    'messages[0].role',
    { messages: [assistant(text('x')), hello] },
    { messages: [hello, assistant(text('x')), hello] },
  ],
  ['last-is-user', 'messages[1].role', { messages: [hello, assistant(text('x'))] }, turn(text('x'))],
  [
    'content-is-text-or-blocks',
    'messages[0].content',
    { messages: [{ role: 'user', content: null }] },
    { messages: [{ role: 'user', content: 'x' }] },
  ],
  ['user-content-present', 'messages[0].content', { messages: [user()] }, { messages: [hello] }],
  ['user-content-present', 'messages[0].content', { messages: [{ role: 'user', content: '' }] }, turn()],
  [
    'text-present',
    'messages[1].content[0].text',
    turn(text(''), text('x')),
    { messages: [hello, { role: 'assistant', content: '' }, hello] },
  ],
  [
    'text-not-blank-alone',
    'messages[0].content[0]',
    { messages: [user(text(' '))] },
    { messages: [user(text(' '), text('x'))] },
  ],
  [
    'text-not-blank-alone',
    'messages[0].content',
    { messages: [{ role: 'user', content: '\n' }] },
    { messages: [hello] },
  ],
  ['system-not-blank', 'system', { system: '  ', messages: [hello] }, { system: 'x', messages: [hello] }],
  [
    'system-not-blank',
    'system[0].text',
    { system: [text('')], messages: [hello] },
    { system: [text('x')], messages: [hello] },
  ],
  [
    'block-known',
    'messages[0].content[0].type',
    { messages: [user({ type: 'x_new' })] },
    { messages: [hello] },
  ],
  [
    'block-members-known',
    'messages[0].content[0].native',
    { messages: [user(text('x', { native: {} }))] },
    { messages: [user(text('x', { cache_control: { type: 'ephemeral' } }))] },
  ],
  [
    'block-members-known',
    'messages[2].content[0].content[0].id',
    answered(use('a'), result('a', { content: [text('x', { id: 1 })] })),
    answered(use('a'), result('a', { content: [text('x', { citations: null })] })),
  ],
  ['block-on-its-side', 'messages[0].content[0].type', { messages: [user(signed)] }, turn(signed, text('x'))],
  [
    'block-on-its-side',
    'messages[1].content[0].type',
    turn(image(), text('x')),
    { messages: [user(image())] },
  ],
  [
    'image-type-known',
    'messages[0].content[0].source.media_type',
    { messages: [user(image({ media_type: 'image/tiff' }))] },
    { messages: [user(image())] },
  ],
  [
    'image-count',
    'messages[0].content[100]',
    { messages: [user(...Array.from({ length: 101 }, () => image()))] },
    { messages: [user(...Array.from({ length: 100 }, () => image()))] },
  ],
  [
    'cache-breakpoints',
    'messages[0].content[4].cache_control',
    {
      messages: [
        user(...Array.from({ length: 5 }, () => text('x', { cache_control: { type: 'ephemeral' } }))),
      ],
    },
    {
      messages: [
        user(...Array.from({ length: 4 }, () => text('x', { cache_control: { type: 'ephemeral' } }))),
      ],
    },
  ],
  [
    'text-well-formed',
    'messages[0].content[0].text',
    { messages: [user(text('x\ud83d'))] },
    { messages: [user(text('x\ud83d\ude00'))] },
  ],
  ['call-answered-next', 'messages[1].content[0]', turn(use('a')), answered(use('a'), result('a'))],
  [
    'call-answered-next',
    'messages[1].content[0]',
    { messages: [hello, assistant(use('a')), hello, assistant(text('x')), user(text('x'))] },
    // Neighbours of one role are one message to the API.
    { messages: [hello, assistant(use('a')), user(result('a')), hello] },
  ],
  [
    'result-after-call',
    'messages[0].content[0].tool_use_id',
    { messages: [user(result('a'))] },
    { messages: [hello] },
  ],
  [
    'call-id-unique',
    'messages[3].content[0].id',
    { messages: [hello, assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))] },
    { messages: [hello, assistant(use('a')), user(result('a')), assistant(use('b')), user(result('b'))] },
  ],
  [
    'result-unique',
    'messages[2].content[1].tool_use_id',
    answered(use('a'), result('a'), result('a')),
    answered(use('a'), result('a')),
  ],
  [
    'results-first',
    'messages[2].content[1]',
    answered(use('a'), text('x'), result('a')),
    answered(use('a'), result('a'), text('x')),
  ],
  [
    'call-id-length',
    'messages[1].content[0].id',
    answered(use('a'.repeat(65)), result('a'.repeat(65))),
    answered(use('a'.repeat(64)), result('a'.repeat(64))),
  ],
  [
    'server-call-id-shape',
    'messages[1].content[0].id',
    turn({ type: 'server_tool_use', id: 'toolu_1', name: 'web_search', input: {} }, text('x')),
    turn({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }, text('x')),
  ],
  [
    'server-result-after-call',
    'messages[1].content[0].tool_use_id',
    turn({ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }, text('x')),
    turn(
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
    ),
  ],
  [
    'input-is-object',
    'messages[1].content[0].input',
    answered(use('a', { input: 'ls' }), result('a')),
    answered(use('a'), result('a')),
  ],
  [
    'failed-result-present',
    'messages[2].content[0].content',
    answered(use('a'), result('a', { is_error: true, content: [] })),
    answered(use('a'), result('a', { is_error: false, content: [] })),
  ],
  [
    'thinking-signed',
    'messages[1].content[0].signature',
    turn({ type: 'thinking', thinking: 'Hm.' }, text('x')),
    turn(signed, text('x')),
  ],
  [
    'thinking-signed',
    'messages[1].content[0].data',
    turn({ type: 'redacted_thinking' }, text('x')),
    turn({ type: 'redacted_thinking', data: 'x' }, text('x')),
  ],
  ['thinking-not-last', 'messages[1].content[1]', turn(text('x'), signed), turn(signed, text('x'))],
  [
    'thinking-first',
    'messages[1].content[0]',
    { thinking: { type: 'enabled' }, ...answered(use('a'), result('a')) },
    { thinking: { type: 'disabled' }, ...answered(use('a'), result('a')) },
  ],
]

describe('a request of the Messages API', () => {
  it.each(cases)('is checked for %s at %s', (rule, path, bad, good) => {
    expect(check(good)).toEqual([])
    expect(check(bad)).toEqual([{ rule, path, message: expect.any(String), source: expect.any(String) }])
  })

  it('has ids of the right charset on both sides of a call', () => {
    expect(check(answered(use('a.b'), result('a.b'))).map(({ rule, path }) => [rule, path])).toEqual([
      ['call-id-shape', 'messages[1].content[0].id'],
      ['call-id-shape', 'messages[2].content[0].tool_use_id'],
    ])
  })

  it('does not end with thinking while thinking is disabled', () => {
    const ends = { messages: [hello, assistant(signed, text('x'))] }
    const off = { ...ends, thinking: { type: 'disabled' } }
    expect(check(off).map(({ rule }) => rule)).toEqual(['last-is-user', 'thinking-off'])
    expect(check(ends).map(({ rule }) => rule)).toEqual(['last-is-user'])
  })

  it('may end with the assistant, and with calls, as a history', () => {
    expect(check({ messages: [hello, assistant(text('x'))] }, { history: true })).toEqual([])
    expect(check({ messages: [hello, assistant(use('a'))] }, { history: true })).toEqual([])
  })

  it('names rule, place, what is wrong, and who was refused', () => {
    expect(check({ messages: [user(result('toolu_1'))] })).toEqual([
      {
        rule: 'result-after-call',
        path: 'messages[0].content[0].tool_use_id',
        message: 'answers no tool_use of the message before',
        source: 'anthropics/claude-code#18947',
      },
    ])
  })

  it.each([
    [undefined],
    [null],
    [5],
    [{}],
    [{ messages: 5 }],
    [{ messages: [null, 5, { content: [null, 5, {}] }] }],
  ])('is refused, not thrown at, where it is %j', (request) => {
    expect(check(request as never)).not.toEqual([])
  })

  it('is checked for every rule, each named once and with its source', () => {
    const rules = [...contentRules, ...orderRules, ...thinkingRules, ...toolRules]
    const names = rules.map(({ rule }) => rule)
    const tried = new Set([...cases.map(([rule]) => rule), 'call-id-shape', 'thinking-off'])
    expect(names.filter((name) => !tried.has(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(rules.filter(({ source }) => !/^[\w.-]+\/\S+/.test(source))).toEqual([])
  })
})
