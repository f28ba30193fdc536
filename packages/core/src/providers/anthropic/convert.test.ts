import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../../types/message.ts'
import type { ConvertibleMessage } from '../blocks.ts'
import { fromOpenAiMessages } from '../openai-chat/from.ts'
import { fromAnthropicMessages } from './from.ts'
import { toAnthropicMessages } from './to.ts'

const text = (value: string) => ({ type: 'text', text: value })
const user = (...content: object[]): ConvertibleMessage => ({ role: 'user', content: content as never })
const assistant = (...content: object[]): ConvertibleMessage => ({
  role: 'assistant',
  content: content as never,
})
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'bash', input })
const result = (id: string, more = {}) => ({ type: 'tool_result', tool_use_id: id, ...more })
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }

/** The contents of the written messages. */
const contents = (...messages: ConvertibleMessage[]) =>
  toAnthropicMessages(messages).messages.map(({ role, content }) => [role, content])

describe('fromAnthropicMessages', () => {
  it('keeps a block as it is, and beside it what the API would not know', () => {
    const cached = { ...text('x'), cache_control: { type: 'ephemeral' } }
    const strange = { ...text('y'), x_strange: 1, native: 2 }
    const newer = { type: 'x_new', value: 3 }
    const [message] = fromAnthropicMessages({
      messages: [{ role: 'user', content: [cached, strange, newer] }],
    })
    expect(message?.content).toEqual([
      cached,
      { ...text('y'), native: { provider: 'anthropic', value: { x_strange: 1, native: 2 } } },
      { type: 'x_new', native: { provider: 'anthropic', value: newer } },
    ])
  })

  it('keeps the further members of a response', () => {
    const response = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [text('x')],
      usage: { input_tokens: 1 },
      stop_reason: 'end_turn',
    }
    const [message] = fromAnthropicMessages({ messages: [response] })
    expect(message?.metadata).toEqual({
      native: {
        provider: 'anthropic',
        value: { id: 'msg_1', type: 'message', usage: { input_tokens: 1 }, stop_reason: 'end_turn' },
      },
    })
  })

  it('reads a block that breaks what the store asks as one of unknown type', () => {
    const broken = [
      { type: 'text' },
      { type: 'tool_use', id: 'a' },
      { type: 'tool_result', tool_use_id: 'a', content: 5 },
      5,
    ]
    const messages = [{ role: 'user', content: broken as { type: string }[] }]
    const [message] = fromAnthropicMessages({ messages })
    const blocks = (message?.content ?? []) as unknown as { type: string }[]
    expect(blocks.map(({ type }) => type)).toEqual(Array(4).fill('unknown'))
    expect(toAnthropicMessages([message as NewMessage])).toEqual({ messages })
  })
})

describe('toAnthropicMessages', () => {
  it('joins neighbours, and puts results first', () => {
    expect(
      contents(
        user(text('a')),
        user(text('b')),
        assistant(text('c'), use('1')),
        assistant(use('2')),
        user(text('d'), result('2', { content: 'x' })),
        { role: 'tool', content: [result('1', { content: 'y' })] as never },
      ),
    ).toEqual([
      ['user', [text('a'), text('b')]],
      ['assistant', [text('c'), use('1'), use('2')]],
      ['user', [result('2', { content: 'x' }), result('1', { content: 'y' }), text('d')]],
    ])
  })

  it('gives messages read from it back as they were, also neighbours of one role', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'user', content: [text('b')] },
      { role: 'assistant', content: [] },
    ]
    const read = fromAnthropicMessages({ messages })
    expect(toAnthropicMessages(read)).toEqual({ messages })
    // A message from elsewhere joins the turn of its neighbours.
    expect(toAnthropicMessages([...read.slice(0, 2), user(text('c'))])).toEqual({
      messages: [{ role: 'user', content: [text('a'), text('b'), text('c')] }],
    })
  })

  it('leaves out blank text, empty messages, and what an agent may not see', () => {
    expect(
      contents(
        user(text('a'), text(' ')),
        assistant(text('')),
        user(),
        { ...assistant(text('hidden')), metadata: { agentVisible: false } },
        { role: 'user', content: '' },
      ),
    ).toEqual([['user', [text('a')]]])
  })

  it('keeps signed thinking in front of what it led to, and no other', () => {
    const { signature: _, ...unsigned } = thinking
    const foreign = { ...unsigned, signature: 'x', native: { provider: 'gemini', value: {} } }
    expect(contents(assistant(thinking, unsigned, foreign, text('a'), thinking))).toEqual([
      ['assistant', [thinking, text('a')]],
    ])
    expect(contents(assistant(thinking))).toEqual([])
  })

  it('holds known members only', () => {
    const block = {
      ...text('a'),
      providerOptions: {},
      cache_control: { type: 'ephemeral' },
      native: { x: 1 },
    }
    expect(contents(user(block))).toEqual([
      ['user', [{ ...text('a'), cache_control: { type: 'ephemeral' } }]],
    ])
  })

  it('makes an object of any input', () => {
    const inputs = [{ a: 1 }, '{"a":1}', 'ls', null, undefined, [1]]
    const [[, written] = []] = contents(assistant(...inputs.map((input, index) => use(`t${index}`, input))))
    expect((written as unknown as { input: unknown }[]).map(({ input }) => input)).toEqual([
      { a: 1 },
      { a: 1 },
      { rawInvalidInput: 'ls' },
      {},
      {},
      { rawInvalidInput: [1] },
    ])
  })

  it('tells a failure without words in words', () => {
    const failures = [{}, { content: ' ' }, { content: [text('')] }].map((more) =>
      result('1', { ...more, is_error: true }),
    )
    const [[, written] = []] = contents(user(...failures))
    expect((written as unknown as { content: unknown }[]).map(({ content }) => content)).toEqual(
      Array(3).fill('(no output)'),
    )
  })

  it('puts a short text where a picture cannot be shown', () => {
    const tiff = { type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'AAAA' } }
    const file = {
      type: 'image',
      source: { type: 'file', file_id: 'f' },
      native: { provider: 'openai-responses', value: {} },
    }
    const own = { type: 'image', source: { type: 'file', file_id: 'f' } }
    expect(contents(user(tiff, file, own, { type: 'x_audio' }))).toEqual([
      ['user', [text('[image]'), text('[image]'), own]],
    ])
    expect(contents(user({ type: 'x_audio' }))).toEqual([['user', [text('[x_audio]')]]])
    expect(contents(user(result('1', { content: [text('a'), tiff, { type: 'x_audio' }] })))).toEqual([
      ['user', [result('1', { content: [text('a'), text('[image]'), text('[x_audio]')] })]],
    ])
  })

  it('has one system text, of the messages at the start', () => {
    const system = (value: string): ConvertibleMessage => ({ role: 'system', content: value })
    expect(toAnthropicMessages([system('a'), system('b'), user(text('c')), system('d')])).toEqual({
      system: 'a\n\nb',
      messages: [{ role: 'user', content: [text('c'), text('[system]\nd')] }],
    })
    const cached = [{ ...text('a'), cache_control: { type: 'ephemeral' } }]
    const [read] = fromAnthropicMessages({ system: cached, messages: [] })
    expect(toAnthropicMessages([read as NewMessage, system('b')])).toEqual({
      system: [...cached, text('b')],
      messages: [],
    })
  })

  it('has ids of its charset, the same for call and result, and none twice', () => {
    const chat = fromOpenAiMessages([
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'functions.ls:0', type: 'function', function: { name: 'ls', arguments: '{}' } }],
      } as never,
      { role: 'tool', tool_call_id: 'functions.ls:0', content: 'b' } as never,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'functions.ls:0', type: 'function', function: { name: 'ls', arguments: '{}' } }],
      } as never,
      { role: 'tool', tool_call_id: 'functions.ls:0', content: 'c' } as never,
    ])
    const blocks = toAnthropicMessages(chat).messages.flatMap(
      ({ content }) => content as { id?: string; tool_use_id?: string }[],
    )
    const ids = blocks.map(({ id, tool_use_id: answered }) => id ?? answered).filter((id) => id !== undefined)
    expect(ids).toEqual([
      'functions_ls_0_0fc950cd',
      'functions_ls_0_0fc950cd',
      'functions_ls_0_0fc950cd_2',
      'functions_ls_0_0fc950cd_2',
    ])
  })

  it('takes the edited text of a message that was read', () => {
    const [read] = fromAnthropicMessages({ messages: [{ role: 'user', content: 'a' }] })
    expect(contents({ ...(read as NewMessage), content: [text('b')] })).toEqual([['user', 'b']])
    expect(contents({ ...(read as NewMessage), content: [text('b'), text('c')] })).toEqual([
      ['user', [text('b'), text('c')]],
    ])
  })

  it('takes what was said since in a message that was read without content', () => {
    const [read] = fromAnthropicMessages({ messages: [{ role: 'user' }] })
    expect(toAnthropicMessages([read as NewMessage])).toEqual({ messages: [{ role: 'user' }] })
    expect(contents({ ...(read as NewMessage), content: [text('b')] })).toEqual([['user', [text('b')]]])
  })

  it('gives nothing for nothing', () => {
    expect(toAnthropicMessages([])).toEqual({ messages: [] })
  })
})
