// Each rule of generateContent: the smallest request that breaks it, beside one that does not.

import { describe, expect, it } from 'vitest'
import { validateForProvider } from '../../validate.ts'
import { contentRules } from './content.ts'
import { toolRules } from './tools.ts'

const user = (...parts: unknown[]) => ({ role: 'user', parts })
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const text = { text: 'hi' }
const call = (more = {}) => ({ functionCall: { name: 'bash', args: {}, ...more } })
const response = (more = {}) => ({ functionResponse: { name: 'bash', response: { output: 'ok' }, ...more } })
const signed = (part: object) => ({ ...part, thoughtSignature: 'c2ln' })
const asked = user(text)

function check(contents: unknown, options = {}) {
  return validateForProvider({ contents } as never, 'gemini', options)
}

/** Rule, place, contents that break it, their neighbour that does not. */
const cases: readonly (readonly [string, string, unknown[], unknown[]])[] = [
  ['contents-present', 'contents', [], [asked]],
  ['role-known', 'contents[0].role', [{ role: 'system', parts: [text] }, asked], [{ parts: [text] }]],
  ['first-is-user', 'contents[0].role', [model(text), asked], [asked]],
  ['last-is-user', 'contents[1].role', [asked, model(text)], [asked, model(text), asked]],
  ['parts-present', 'contents[0].parts', [user()], [asked]],
  ['part-has-one-datum', 'contents[0].parts[0]', [user({})], [asked]],
  ['part-has-one-datum', 'contents[0].parts[0]', [user({ text: 'x', fileData: { fileUri: 'x' } })], [asked]],
  [
    'part-has-one-datum',
    'contents[1].parts[0]',
    [asked, model({ thoughtSignature: 'c2ln' }), asked],
    [asked],
  ],
  [
    'text-present',
    'contents[0].parts[0].text',
    [user({ text: '' })],
    [asked, model(signed({ text: '' })), asked],
  ],
  [
    'signature-is-base64',
    'contents[1].parts[0].thoughtSignature',
    [asked, model({ ...text, thoughtSignature: 'no sign' }), asked],
    [asked, model(signed(text)), asked],
  ],
  ['text-well-formed', 'contents[0].parts[0].text', [user({ text: '\udc00' })], [asked]],
  [
    'call-after-user',
    'contents[2]',
    [asked, model(text), model(call()), user(response())],
    [asked, model(text, call()), user(response())],
  ],
  [
    'response-count',
    'contents[2]',
    [asked, model(call(), call()), user(response())],
    [asked, model(call(), call()), user(response(), response())],
  ],
  [
    'response-count',
    'contents[2]',
    [asked, model(call()), asked],
    [asked, model(call()), user(response()), asked],
  ],
  [
    'responses-alone',
    'contents[2].parts[1]',
    [asked, model(call()), user(response(), text)],
    [asked, model(call()), user(response()), asked],
  ],
  [
    'response-named-as-call',
    'contents[2].parts[0].functionResponse.name',
    [asked, model(call()), user(response({ name: 'ls' }))],
    [asked, model(call()), user(response())],
  ],
  [
    'args-are-object',
    'contents[1].parts[0].functionCall.args',
    [asked, model(call({ args: '{}' })), user(response())],
    [asked, model(call({ args: undefined })), user(response())],
  ],
  [
    'response-is-object',
    'contents[2].parts[0].functionResponse.response',
    [asked, model(call()), user(response({ response: 'ok' }))],
    [asked, model(call()), user(response())],
  ],
  [
    'first-call-signed',
    'contents[1].parts[0].thoughtSignature',
    [asked, model(call(), signed(call())), user(response(), response())],
    [asked, model(signed(call()), call()), user(response(), response())],
  ],
  [
    'first-call-signed',
    'contents[3].parts[0].thoughtSignature',
    [asked, model(signed(call())), user(response()), model(call()), user(response())],
    // Only the current turn is looked at.
    [asked, model(call()), user(response()), model(text), asked, model(signed(call())), user(response())],
  ],
]

describe('contents of generateContent', () => {
  it.each(cases)('are checked for %s at %s', (rule, path, bad, good) => {
    expect(check(good)).toEqual([])
    expect(check(bad)).toEqual([{ rule, path, message: expect.any(String), source: expect.any(String) }])
  })

  it('have calls in turns of the model and responses in those of the user', () => {
    const rules = (contents: unknown) => check(contents).map(({ rule, path }) => [rule, path])
    expect(rules([asked, user(call()), user(response())])).toEqual([
      ['part-on-its-side', 'contents[1].parts[0].functionCall'],
    ])
    expect(rules([asked, model(call()), model(response()), asked])).toEqual([
      ['part-on-its-side', 'contents[2].parts[0].functionResponse'],
    ])
  })

  it('have responses right behind their calls', () => {
    expect(check([user(response())]).map(({ rule }) => rule)).toEqual([
      'response-after-call',
      'response-named-as-call',
    ])
  })

  it('may end with the model, and with calls, as a history', () => {
    expect(check([asked, model(text)], { history: true })).toEqual([])
    expect(check([asked, model(call())], { history: true })).toEqual([])
    expect(check([asked, model(call()), asked], { history: true })).toHaveLength(1)
  })

  it('are checked together with the system instruction', () => {
    const request = { systemInstruction: { parts: [{ text: '' }] }, contents: [asked] }
    expect(validateForProvider(request as never, 'gemini').map(({ rule, path }) => [rule, path])).toEqual([
      ['text-present', 'systemInstruction.parts[0].text'],
    ])
    expect(validateForProvider({ ...request, systemInstruction: 'Be brief.' } as never, 'gemini')).toEqual([])
  })

  it.each([[undefined], [null], [{}], [[null, 5, { parts: [null, 5] }]]])(
    'are refused, not thrown at, where they are %j',
    (contents) => {
      expect(check(contents)).not.toEqual([])
    },
  )

  it('are checked for every rule, each named once and with its source', () => {
    const rules = [...contentRules, ...toolRules]
    const names = rules.map(({ rule }) => rule)
    const tried = new Set([...cases.map(([rule]) => rule), 'part-on-its-side', 'response-after-call'])
    expect(names.filter((name) => !tried.has(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(rules.filter(({ source }) => !/^[\w.-]+\/\S+/.test(source))).toEqual([])
  })
})
