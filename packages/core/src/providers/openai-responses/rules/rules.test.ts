// Each rule of the Responses API: the smallest list of items that breaks it, beside one that does not.

import { describe, expect, it } from 'vitest'
import { validateForProvider } from '../../validate.ts'
import { contentRules } from './content.ts'
import { toolRules } from './tools.ts'

const user = { role: 'user', content: 'hi' }
const said = { role: 'assistant', content: 'x' }
const call = (id: string, more = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'bash',
  arguments: '{}',
  ...more,
})
const output = (id: string, more = {}) => ({
  type: 'function_call_output',
  call_id: id,
  output: 'ok',
  ...more,
})
const reasoning = (more = {}) => ({ type: 'reasoning', summary: [], encrypted_content: 'Z0FB', ...more })

function check(request: unknown, options = {}) {
  return validateForProvider(request as never, 'openai-responses', options)
}

/** Rule, place, items that break it, their neighbour that does not. */
const cases: readonly (readonly [string, string, unknown[], unknown[]])[] = [
  ['items-present', 'input', [], [user]],
  ['item-typed', 'input[0].type', [{ content: 'x' }], [user]],
  ['role-known', 'input[0].role', [{ role: 'tool', content: 'x' }], [{ role: 'developer', content: 'x' }]],
  ['last-is-user-or-output', 'input[1].role', [user, said], [user, said, user]],
  ['content-present', 'input[0].content', [{ role: 'user', content: '' }], [user]],
  ['content-present', 'input[0].content', [{ role: 'user', content: [] }], [user]],
  [
    'part-on-its-side',
    'input[1].content[0].type',
    [user, { role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }, user],
    [user, { role: 'assistant', content: [{ type: 'output_text', text: 'x' }] }, user],
  ],
  [
    'part-on-its-side',
    'input[0].content[0].type',
    [{ role: 'user', content: [{ type: 'output_text', text: 'x' }] }],
    [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }],
  ],
  [
    'item-id-unique',
    'input[2].id',
    [user, call('a', { id: 'fc_1' }), call('b', { id: 'fc_1' }), output('a'), output('b')],
    [user, call('a', { id: 'fc_1' }), call('b', { id: 'fc_2' }), output('a'), output('b')],
  ],
  [
    'item-id-shape',
    'input[1].id',
    [user, call('a', { id: 'call_1' }), output('a')],
    [user, call('a', { id: 'fc_1' }), output('a')],
  ],
  [
    'item-id-shape',
    'input[1].id',
    [user, call('a', { id: `fc_${'x'.repeat(62)}` }), output('a')],
    [user, call('a', { id: `fc_${'x'.repeat(61)}` }), output('a')],
  ],
  ['reasoning-followed', 'input[1]', [user, reasoning(), user], [user, reasoning(), said, user]],
  [
    'reasoning-followed',
    'input[2]',
    [user, call('a'), reasoning(), output('a')],
    [user, reasoning(), reasoning(), call('a'), output('a')],
  ],
  [
    'reasoning-members-known',
    'input[1].status',
    [user, reasoning({ status: 'completed' }), said, user],
    [user, reasoning({ status: null }), said, user],
  ],
  [
    'reasoning-found',
    'input[1]',
    [user, { type: 'reasoning', summary: [] }, said, user],
    [user, { type: 'reasoning', summary: [], id: 'rs_1' }, said, user],
  ],
  ['text-well-formed', 'input[0].content', [{ role: 'user', content: '\ud800' }], [user]],
  ['call-answered', 'input[1]', [user, call('a'), user], [user, call('a'), said, output('a')]],
  [
    'output-after-call',
    'input[1].call_id',
    [user, output('a')],
    [user, { type: 'item_reference', id: 'fc_1' }, output('a')],
  ],
  [
    'output-after-call',
    'input[1].call_id',
    [user, output('a'), call('b'), output('b')],
    [user, call('a'), output('a')],
  ],
  [
    'output-unique',
    'input[3].call_id',
    [user, call('a'), output('a'), output('a')],
    [user, call('a'), output('a')],
  ],
  [
    'call-id-unique',
    'input[2].call_id',
    [user, call('a'), call('a'), output('a')],
    [user, call('a'), call('b'), output('a'), output('b')],
  ],
  [
    'call-shape',
    'input[1].name',
    [user, call('a', { name: '' }), output('a')],
    [user, call('a'), output('a')],
  ],
  [
    'arguments-are-json',
    'input[1].arguments',
    [user, call('a', { arguments: {} }), output('a')],
    [user, { type: 'custom_tool_call', call_id: 'a', name: 'bash', input: 'ls' }, output('a')],
  ],
  [
    'output-is-text-or-parts',
    'input[2].output',
    [user, call('a'), output('a', { output: null })],
    [user, call('a'), output('a', { output: [{ type: 'input_text', text: 'x' }] })],
  ],
]

describe('items of the Responses API', () => {
  it.each(cases)('are checked for %s at %s', (rule, path, bad, good) => {
    expect(check(good)).toEqual([])
    expect(check(bad)).toEqual([{ rule, path, message: expect.any(String), source: expect.any(String) }])
  })

  it('have call ids of at most 64 characters on both sides of a call', () => {
    const places = (id: string) => check([user, call(id), output(id)]).map(({ rule, path }) => [rule, path])
    expect(places('a'.repeat(64))).toEqual([])
    expect(places('a'.repeat(65))).toEqual([
      ['call-id-length', 'input[1].call_id'],
      ['call-id-length', 'input[2].call_id'],
    ])
  })

  it('may end with the assistant, and with calls, as a history', () => {
    expect(check([user, said], { history: true })).toEqual([])
    expect(check([user, call('a'), call('b'), output('a')], { history: true })).toEqual([])
    expect(check([user, call('a'), user], { history: true })).toHaveLength(1)
  })

  it.each([
    [undefined],
    [null],
    [{}],
    [[null, 5, { type: 'function_call' }, { role: 'user', content: [null] }]],
  ])('are refused, not thrown at, where they are %j', (request) => {
    expect(check(request)).not.toEqual([])
  })

  it('are checked for every rule, each named once and with its source', () => {
    const rules = [...contentRules, ...toolRules]
    const names = rules.map(({ rule }) => rule)
    const tried = new Set([...cases.map(([rule]) => rule), 'call-id-length'])
    expect(names.filter((name) => !tried.has(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(rules.filter(({ source }) => !/^[\w.-]+\/\S+/.test(source))).toEqual([])
  })
})
