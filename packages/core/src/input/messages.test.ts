import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewMessage } from '../types/message.ts'
import { type PreparedMessage, prepareImported, prepareMessages } from './messages.ts'

const invalid = (message: string) => expect.objectContaining({ name: 'StoreError', code: 'invalid', message })
const prepareOne = (message: NewMessage) => prepareMessages([message])[0] as PreparedMessage
const user = (content: unknown): unknown => ({ role: 'user', content })
const roles = '"system"|"user"|"assistant"|"tool"'

describe('prepareMessages', () => {
  test('a text becomes one text block', () => {
    expect(prepareMessages([{ role: 'user', content: 'hi' }])).toEqual([
      {
        id: undefined,
        seq: undefined,
        role: 'user',
        createdAt: undefined,
        contentJson: '[{"type":"text","text":"hi"}]',
        metadataJson: '{}',
        turnPart: 1,
        textJson: undefined,
        preview: 'hi',
      },
    ])
    expect(prepareOne({ role: 'user', content: '' }).contentJson).toBe('[{"type":"text","text":""}]')
  })

  test('blocks, metadata, id and time are taken as they are', () => {
    const message = {
      id: 'm1',
      role: 'assistant',
      createdAt: 1000,
      metadata: { model: 'm', custom: [1], none: undefined },
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'text', text: 'let me look', cache_control: { type: 'ephemeral' } },
        { type: 'tool_use', id: 't1', name: 'bash', input: { cmd: 'ls' } },
        { type: 'x_unknown', z: 1, a: null },
      ],
    } as const
    expect(prepareOne(message)).toEqual({
      id: 'm1',
      seq: undefined,
      role: 'assistant',
      createdAt: 1000,
      contentJson: JSON.stringify(message.content),
      metadataJson: '{"model":"m","custom":[1]}',
      turnPart: 4,
      textJson: '[{"type":"text","text":"let me look","cache_control":{"type":"ephemeral"}}]',
      preview: 'let me look',
    })
  })

  test('an own __proto__ in a block or in metadata is stored as it is', () => {
    const json = '{"type":"text","text":"x","__proto__":{"a":1}}'
    expect(prepareOne({ role: 'user', content: [JSON.parse(json)] }).contentJson).toBe(`[${json}]`)
    const metadata = '{"__proto__":{"agentVisible":false},"b":1}'
    const prepared = prepareOne({ role: 'user', content: 'x', metadata: JSON.parse(metadata) })
    expect(prepared).toMatchObject({ metadataJson: metadata, turnPart: 1 })
  })

  test('no content and no messages are fine', () => {
    expect(prepareMessages([])).toEqual([])
    expect(prepareOne({ role: 'user', content: [] })).toMatchObject({
      contentJson: '[]',
      turnPart: undefined,
      textJson: undefined,
      preview: undefined,
    })
  })

  test('other keys of a message are not stored', () => {
    const message = { role: 'user', content: 'hi', model: 'x', usage: { input_tokens: 1 } } as NewMessage
    expect(prepareOne(message)).toEqual(prepareOne({ role: 'user', content: 'hi' }))
  })

  test('null is taken where providers send it', () => {
    const metadata = { provider: null, model: null, channelType: null, stopReason: null, usage: null }
    expect(prepareOne({ role: 'user', content: 'x', metadata }).metadataJson).toBe(JSON.stringify(metadata))
    const result = { type: 'tool_result', tool_use_id: 't1', content: null, is_error: null }
    expect(prepareOne({ role: 'user', content: [result] }).contentJson).toBe(JSON.stringify([result]))
  })

  test.each<[string, unknown, string]>([
    ['no list', {}, 'messages: invalid input: expected array, received object'],
    ['a text', 'hi', 'messages: invalid input: expected array, received string'],
    ['undefined', [undefined], 'messages[0]: invalid input: expected object, received undefined'],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is refused
    ['a hole', [, user('x')], 'messages[0]: is missing (a hole in the array)'],
    ['no role', [{ content: 'x' }], `messages[0].role: invalid option: expected one of ${roles}`],
    [
      'an unknown role',
      [user('x'), { role: 'developer', content: 'x' }],
      `messages[1].role: invalid option: expected one of ${roles}`,
    ],
    ['no content', [{ role: 'user' }], 'messages[0].content: must be text or an array of blocks'],
    ['null as content', [user(null)], 'messages[0].content: must be text or an array of blocks'],
    ['a number as content', [user(5)], 'messages[0].content: must be text or an array of blocks'],
    [
      'one block as content',
      [user({ type: 'text', text: 'x' })],
      'messages[0].content: must be text or an array of blocks',
    ],
    [
      'a text among the blocks',
      [user(['x'])],
      'messages[0].content[0]: invalid input: expected object, received string',
    ],
    [
      'a block without type',
      [user([{ text: 'x' }])],
      'messages[0].content[0].type: invalid input: expected string, received undefined',
    ],
    [
      'a text block without text',
      [user('x'), user([{ type: 'text', text: 'a' }, { type: 'text' }])],
      'messages[1].content[1].text: invalid input: expected string, received undefined',
    ],
    [
      'a tool_use without id',
      [user([{ type: 'tool_use', name: 'bash' }])],
      'messages[0].content[0].id: invalid input: expected string, received undefined',
    ],
    [
      'a tool_use without name',
      [user([{ type: 'tool_use', id: 't' }])],
      'messages[0].content[0].name: invalid input: expected string, received undefined',
    ],
    [
      'a tool_result of nothing',
      [user([{ type: 'tool_result' }])],
      'messages[0].content[0].tool_use_id: invalid input: expected string, received undefined',
    ],
    [
      'a number as a result',
      [user([{ type: 'tool_result', tool_use_id: 't', content: 5 }])],
      'messages[0].content[0].content: must be text or an array of blocks',
    ],
    [
      'a thinking block without thinking',
      [user([{ type: 'thinking' }])],
      'messages[0].content[0].thinking: invalid input: expected string, received undefined',
    ],
    [
      'redacted thinking without data',
      [user([{ type: 'redacted_thinking' }])],
      'messages[0].content[0].data: invalid input: expected string, received undefined',
    ],
    [
      'a bigint in an input',
      [user([{ type: 'tool_use', id: 't', name: 'n', input: { a: 1n } }])],
      'messages[0].content[0].input.a is a bigint, which JSON does not have',
    ],
    [
      'a summary',
      [{ role: 'user', content: 'x', metadata: { summary: { fromSeq: 1 } } }],
      'messages[0].metadata.summary is set by compact alone',
    ],
    [
      'null as summary',
      [{ role: 'user', content: 'x', metadata: { summary: null } }],
      'messages[0].metadata.summary is set by compact alone',
    ],
    [
      'text as visibility',
      [{ role: 'user', content: 'x', metadata: { userVisible: 'no' } }],
      'messages[0].metadata.userVisible: invalid input: expected boolean, received string',
    ],
    [
      'tokens below zero',
      [{ role: 'user', content: 'x', metadata: { usage: { input: -1 } } }],
      'messages[0].metadata.usage.input: too small: expected number to be >=0',
    ],
    [
      'a list as metadata',
      [{ role: 'user', content: 'x', metadata: [] }],
      'messages[0].metadata: invalid input: expected object, received array',
    ],
    [
      'a Date as metadata',
      [{ role: 'user', content: 'x', metadata: new Date(0) }],
      'messages[0].metadata is a Date, not a plain object',
    ],
    ['an empty id', [{ id: '', role: 'user', content: 'x' }], 'messages[0].id: must not be empty'],
    [
      'an id of 301',
      [{ id: 'x'.repeat(301), role: 'user', content: 'x' }],
      'messages[0].id: must have at most 300 code points',
    ],
    [
      'a newline in an id',
      [{ id: 'a\nb', role: 'user', content: 'x' }],
      'messages[0].id: must not contain control characters',
    ],
    [
      'a date as text',
      [{ role: 'user', content: 'x', createdAt: '2026-03-01' }],
      'messages[0].createdAt: invalid input: expected number, received string',
    ],
  ])('%s is invalid', (_, messages, message) => {
    expect(() => prepareMessages(messages as NewMessage[])).toThrow(invalid(message))
  })

  test('a message over the limit is too large, counted in bytes of its JSON', () => {
    const content = [{ type: 'text', text: 'é' }]
    const bytes = '[{"type":"text","text":"é"}]'.length + 1 + '{"a":1}'.length
    const message = { role: 'user', content, metadata: { a: 1 } } as const
    expect(prepareMessages([message], bytes)).toHaveLength(1)
    expect(() => prepareMessages([{ role: 'user', content: '' }, message], bytes - 1)).toThrow(
      expect.objectContaining({
        code: 'too-large',
        message: `messages[1] has ${bytes} bytes of JSON, the store takes ${bytes - 1}`,
      }),
    )
  })

  test('whatever JSON a block of an unknown type holds comes back equal', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
        const block = { ...members, type: 'x_unknown' }
        const stored: unknown = JSON.parse(prepareOne({ role: 'user', content: [block] }).contentJson)
        expect(stored).toStrictEqual([JSON.parse(JSON.stringify(block))])
      }),
    )
  })
})

describe('prepareImported', () => {
  const summary = { fromSeq: 1, throughSeq: 2, line: [] }

  test('takes a seq and a summary', () => {
    const message = { role: 'user', content: 'S', seq: 3, metadata: { summary } } as const
    expect(prepareImported(message, 1000, 'messages[0]')).toMatchObject({ seq: 3, turnPart: 5 })
  })

  test.each<[unknown, string]>([
    ['S', ': invalid input: expected object, received string'],
    [null, ': invalid input: expected object, received null'],
    [{ fromSeq: 1, throughSeq: 2 }, '.line: invalid input: expected array, received undefined'],
  ])('%j is no summary', (given, problem) => {
    const message = { role: 'user', content: 'x', metadata: { summary: given } } as const
    expect(() => prepareImported(message, 1000, 'messages[4]')).toThrow(
      invalid(`messages[4].metadata.summary${problem}`),
    )
  })

  test.each([0, -1, 1.5, '1'])('%j is no seq', (seq) => {
    const message = { role: 'user', content: 'x', seq } as never
    expect(() => prepareImported(message, 1000, 'messages[4]')).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(/^messages\[4\]\.seq: /) }),
    )
  })
})
