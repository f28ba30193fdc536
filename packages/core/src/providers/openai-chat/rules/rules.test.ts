// Each rule of Chat Completions: the smallest list of messages that breaks it, beside one that does not.

import { describe, expect, it } from 'vitest'
import { validateForProvider } from '../../validate.ts'
import { contentRules } from './content.ts'
import { toolRules } from './tools.ts'

const user = { role: 'user', content: 'hi' }
const call = (id: string, more = {}) => ({
  id,
  type: 'function',
  function: { name: 'bash', arguments: '{}', ...more },
})
const calls = (...tool_calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls })
const tool = (id: string, content: unknown = 'ok') => ({ role: 'tool', tool_call_id: id, content })

function check(request: unknown, options = {}) {
  return validateForProvider(request as never, 'openai-chat', options)
}

/** Rule, place, messages that break it, their neighbour that does not. */
const cases: readonly (readonly [string, string, unknown[], unknown[]])[] = [
  ['messages-present', 'messages', [], [user]],
  [
    'role-known',
    'messages[0].role',
    [{ role: 'model', content: 'x' }],
    [{ role: 'developer', content: 'x' }],
  ],
  [
    'last-is-user-or-tool',
    'messages[1].role',
    [user, { role: 'assistant', content: 'x' }],
    [user, { role: 'assistant', content: 'x' }, user],
  ],
  [
    'content-present',
    'messages[0].content',
    [{ role: 'user', content: null }],
    [{ role: 'user', content: '' }],
  ],
  ['content-present', 'messages[0].content', [{ role: 'user', content: [] }], [user]],
  [
    'content-present',
    'messages[1].content',
    [user, { role: 'assistant', content: null }, user],
    [user, calls(call('a')), tool('a')],
  ],
  [
    'content-present',
    'messages[2].content',
    [user, calls(call('a')), tool('a', null)],
    [user, calls(call('a')), tool('a')],
  ],
  [
    'assistant-says-something',
    'messages[1].content',
    [user, { role: 'assistant', content: '' }, user],
    [user, { ...calls(call('a')), content: '' }, tool('a')],
  ],
  [
    'text-part-present',
    'messages[0].content[0].text',
    [{ role: 'user', content: [{ type: 'text', text: '' }] }],
    [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
  ],
  [
    'part-known',
    'messages[0].content[0].type',
    [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'x' } }] }, user],
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
  ],
  [
    'result-is-text',
    'messages[2].content[0].type',
    [user, calls(call('a')), tool('a', [{ type: 'image_url', image_url: { url: 'x' } }])],
    [user, calls(call('a')), tool('a', [{ type: 'text', text: 'x' }])],
  ],
  [
    'text-length',
    'messages[0].content',
    [{ role: 'user', content: 'x'.repeat(10_485_761) }],
    [{ role: 'user', content: 'x'.repeat(10_485_760) }],
  ],
  ['text-well-formed', 'messages[0].content', [{ role: 'user', content: '\udc00' }], [user]],
  [
    'calls-present',
    'messages[1].tool_calls',
    [user, { role: 'assistant', content: 'x', tool_calls: [] }, user],
    [user, { role: 'assistant', content: 'x' }, user],
  ],
  [
    'call-answered-next',
    'messages[1].tool_calls[0]',
    [user, calls(call('a')), user],
    [user, calls(call('a')), tool('a'), user],
  ],
  [
    'call-answered-next',
    'messages[1].tool_calls[1]',
    [user, calls(call('a'), call('b')), tool('a')],
    [user, calls(call('a'), call('b')), tool('b'), tool('a')],
  ],
  ['result-after-call', 'messages[1].tool_call_id', [user, tool('a')], [user, calls(call('a')), tool('a')]],
  [
    'result-after-call',
    'messages[4].tool_call_id',
    [user, calls(call('a')), tool('a'), user, tool('a')],
    // An id may be used again in a later turn.
    [user, calls(call('a')), tool('a'), user, calls(call('a')), tool('a')],
  ],
  [
    'result-unique',
    'messages[3].tool_call_id',
    [user, calls(call('a')), tool('a'), tool('a')],
    [user, calls(call('a')), tool('a')],
  ],
  [
    'call-id-unique',
    'messages[1].tool_calls[1].id',
    [user, calls(call('a'), call('a')), tool('a')],
    [user, calls(call('a'), call('b')), tool('a'), tool('b')],
  ],
  [
    'call-shape',
    'messages[1].tool_calls[0].function.name',
    [user, calls(call('a', { name: '' })), tool('a')],
    [user, calls({ id: 'a', type: 'custom', custom: { name: 'bash', input: 'ls' } }), tool('a')],
  ],
  [
    'arguments-are-text',
    'messages[1].tool_calls[0].function.arguments',
    [user, calls(call('a', { arguments: {} })), tool('a')],
    [user, calls(call('a')), tool('a')],
  ],
  [
    'arguments-are-json',
    'messages[1].tool_calls[0].function.arguments',
    [user, calls(call('a', { arguments: '{"a"' })), tool('a')],
    [user, calls(call('a', { arguments: '{"a": 1}' })), tool('a')],
  ],
]

describe('messages of Chat Completions', () => {
  it.each(cases)('are checked for %s at %s', (rule, path, bad, good) => {
    expect(check(good)).toEqual([])
    expect(check(bad)).toEqual([{ rule, path, message: expect.any(String), source: expect.any(String) }])
  })

  it('have ids of 1 to 40 characters on both sides of a call', () => {
    const places = (id: string) =>
      check([user, calls(call(id)), tool(id)]).map(({ path, message }) => [path, message])
    expect(places('a'.repeat(40))).toEqual([])
    expect(places('a'.repeat(41))).toEqual([
      ['messages[1].tool_calls[0].id', 'must have at most 40 characters'],
      ['messages[2].tool_call_id', 'must have at most 40 characters'],
    ])
    expect(places('')).toEqual([
      ['messages[1].tool_calls[0].id', 'must be there'],
      ['messages[2].tool_call_id', 'must be there'],
    ])
  })

  it('may end with the assistant, and with calls half answered, as a history', () => {
    expect(check([user, { role: 'assistant', content: 'x' }], { history: true })).toEqual([])
    expect(check([user, calls(call('a'), call('b')), tool('a')], { history: true })).toEqual([])
    expect(check([user, calls(call('a')), user], { history: true })).toHaveLength(1)
  })

  it.each([[undefined], [null], [{}], [[null, 5, { tool_calls: [null, {}], content: [null] }]]])(
    'are refused, not thrown at, where they are %j',
    (request) => {
      expect(check(request)).not.toEqual([])
    },
  )

  it('are checked for every rule, each named once and with its source', () => {
    const rules = [...contentRules, ...toolRules]
    const names = rules.map(({ rule }) => rule)
    const tried = new Set([...cases.map(([rule]) => rule), 'call-id-length'])
    expect(names.filter((name) => !tried.has(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(rules.filter(({ source }) => !/^[\w.-]+\/\S+/.test(source))).toEqual([])
  })
})
