import { describe, expect, it } from 'vitest'
import { newMessageSchema } from '../../input/schemas.ts'
import { toAnthropicMessages } from '../anthropic/to.ts'
import { validateForProvider } from '../validate.ts'
import { fromUiMessages } from './from.ts'

const text = (value: string) => ({ type: 'text', text: value })
const ui = (...parts: { type: string }[]) => ({ id: 'm1', role: 'assistant', parts })
const native = (value: object, more = {}) => ({ native: { provider: 'ui', value, ...more } })
const tool = (state: string, more = {}) => ({
  type: 'tool-weather',
  toolCallId: 'c1',
  state,
  input: { city: 'Oslo' },
  ...more,
})
const call = (value: object) => ({
  type: 'tool_use',
  id: 'c1',
  name: 'weather',
  input: { city: 'Oslo' },
  ...native(value),
})

/** Role and content of the messages of one UI message. */
const read = (...parts: { type: string }[]) =>
  fromUiMessages([ui(...parts)]).map(({ role, content }) => [role, content])

describe('fromUiMessages', () => {
  it('splits a message into its steps, each followed by its results', () => {
    const messages = fromUiMessages([
      { id: 'u1', role: 'user', parts: [text('Weather?')], metadata: { at: 1 } },
      ui(
        { type: 'step-start' },
        text('Looking.'),
        tool('output-available', { output: '4 C' }),
        { type: 'step-start' },
        text('4 C.'),
      ),
    ])
    expect(messages).toEqual([
      {
        id: 'u1',
        role: 'user',
        content: [text('Weather?')],
        metadata: native({ id: 'u1', metadata: { at: 1 } }),
      },
      {
        id: 'm1',
        role: 'assistant',
        content: [text('Looking.'), call({ type: 'tool-weather', state: 'output-available' })],
        metadata: native({ id: 'm1' }),
      },
      {
        id: 'm1:2',
        role: 'tool',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: '4 C' }],
        metadata: native({ id: 'm1' }),
      },
      { id: 'm1:3', role: 'assistant', content: [text('4 C.')], metadata: native({ id: 'm1' }) },
    ])
  })

  it.each([
    ['output-available', { output: 'x' }, { content: 'x' }],
    [
      'output-available',
      { output: { a: 1 }, preliminary: true },
      { content: '{"a":1}', ...native({}, { form: 'json' }) },
    ],
    ['output-available', { output: undefined }, {}],
    ['output-error', { errorText: 'no' }, { content: 'no', is_error: true }],
    [
      'output-denied',
      { approval: { id: 'a', approved: false, reason: 'not now' } },
      { content: 'not now', is_error: true },
    ],
    [
      'output-denied',
      { approval: { id: 'a', approved: false } },
      { content: 'Tool call execution denied.', is_error: true },
    ],
    [
      'approval-responded',
      { approval: { id: 'a', approved: false } },
      { content: 'Tool call execution denied.', is_error: true },
    ],
  ])('reads a tool in state %s with %j as a call and its result', (state, more, outcome) => {
    const [assistant, answer] = read(tool(state, more))
    expect(assistant).toEqual([
      'assistant',
      [expect.objectContaining({ type: 'tool_use', id: 'c1', name: 'weather' })],
    ])
    expect(answer).toEqual(['tool', [{ type: 'tool_result', tool_use_id: 'c1', ...outcome }]])
  })

  it.each([['input-available'], ['approval-requested'], ['approval-responded']])(
    'reads a tool in state %s as a call without a result, its approval byte for byte',
    (state) => {
      const approval = { id: 'a', signature: 's\u0000+/=' }
      expect(read(tool(state, { approval }))).toEqual([
        ['assistant', [call({ type: 'tool-weather', state, approval })]],
      ])
    },
  )

  it('reads an input that is still being written as no call', () => {
    const part = tool('input-streaming', { rawInput: '{"ci' })
    expect(read(part)).toEqual([['assistant', [{ type: 'tool-weather', ...native(part) }]]])
  })

  it('reads a dynamic tool by its name, and a failed input as it was written', () => {
    const part = {
      type: 'dynamic-tool',
      toolName: 'bash',
      toolCallId: 'c2',
      state: 'output-error',
      rawInput: 'ls',
      errorText: 'bad input',
    }
    expect(read(part)[0]).toEqual([
      'assistant',
      [
        {
          type: 'tool_use',
          id: 'c2',
          name: 'bash',
          input: 'ls',
          ...native({ type: 'dynamic-tool', toolName: 'bash', state: 'output-error', rawInput: 'ls' }),
        },
      ],
    ])
  })

  it('reads text, reasoning and files', () => {
    const signed = { anthropic: { signature: 'c2ln' } }
    const redacted = { anthropic: { redactedData: 'AAAA' } }
    expect(
      read(
        { ...text('a'), state: 'done' } as never,
        { type: 'reasoning', text: 'Hm.', providerMetadata: signed } as never,
        { type: 'reasoning', text: '', providerMetadata: redacted } as never,
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' } as never,
        {
          type: 'file',
          mediaType: 'application/pdf',
          url: 'https://example.org/a.pdf',
          filename: 'a.pdf',
        } as never,
        { type: 'file', mediaType: 'audio/wav', url: 'data:audio/wav;base64,AAAA' } as never,
      ),
    ).toEqual([
      [
        'assistant',
        [
          { ...text('a'), ...native({ state: 'done' }) },
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln', ...native({ providerMetadata: signed }) },
          { type: 'redacted_thinking', data: 'AAAA', ...native({ providerMetadata: redacted }) },
          {
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
            ...native({ mediaType: 'image/png' }),
          },
          {
            type: 'document',
            source: { type: 'url', url: 'https://example.org/a.pdf' },
            title: 'a.pdf',
            ...native({ mediaType: 'application/pdf', filename: 'a.pdf' }),
          },
          {
            type: 'file',
            ...native({ type: 'file', mediaType: 'audio/wav', url: 'data:audio/wav;base64,AAAA' }),
          },
        ],
      ],
    ])
  })

  it.each([
    [{ type: 'custom', kind: 'openai.compaction' }],
    [{ type: 'source-url', sourceId: 's', url: 'https://example.org' }],
    [{ type: 'source-document', sourceId: 's', mediaType: 'application/pdf', title: 't' }],
    [{ type: 'reasoning-file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' }],
    [{ type: 'data-weather', id: 'd', data: { city: 'Oslo' } }],
    [{ type: 'x-new' }],
  ])('keeps %j whole in a block of its own type', (part) => {
    expect(read(part)).toEqual([['assistant', [{ type: part.type, ...native(part) }]]])
  })

  it('puts a steering message where it was heard', () => {
    const steering = { type: 'steering-message', id: 's1', parts: [text('Stop.')] }
    const messages = fromUiMessages([ui(text('a'), steering, text('b'))])
    expect(messages.map(({ id, role, content }) => [id, role, content])).toEqual([
      ['m1', 'assistant', [text('a')]],
      ['s1', 'user', [text('Stop.')]],
      ['m1:3', 'assistant', [text('b')]],
    ])
  })

  it('keeps a message without parts, and leaves out an id that the store would refuse', () => {
    const messages = fromUiMessages([
      { id: '', role: 'assistant', parts: [] },
      { id: 'x'.repeat(301), role: 'user', parts: [] },
    ])
    expect(messages.map(({ id, role, content }) => [id, role, content])).toEqual([
      [undefined, 'assistant', []],
      [undefined, 'user', []],
    ])
    for (const message of messages) newMessageSchema.parse(message)
  })

  it('gives a conversation that goes to a provider', () => {
    const request = toAnthropicMessages(
      fromUiMessages([
        { id: 'u1', role: 'user', parts: [text('Weather?')] },
        ui(
          { type: 'step-start' },
          tool('output-available', { output: { c: 4 } }),
          { type: 'step-start' },
          text('4 C.'),
        ),
        { id: 'u2', role: 'user', parts: [text('Thanks.')] },
      ]),
    )
    expect(validateForProvider(request, 'anthropic')).toEqual([])
    expect(request.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
  })
})
