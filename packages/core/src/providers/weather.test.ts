// One turn in the shapes of four providers: the user asks, two parallel calls, one result and one failure, an answer.
// Each is read as the same messages, and written for every other.

import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { NewMessage } from '../types/message.ts'
import { fromAnthropicMessages } from './anthropic/from.ts'
import { toAnthropicMessages } from './anthropic/to.ts'
import { fromGeminiContents } from './gemini/from.ts'
import { toGeminiContents } from './gemini/to.ts'
import { fromOpenAiMessages } from './openai-chat/from.ts'
import { toOpenAiMessages } from './openai-chat/to.ts'
import { fromOpenAiItems } from './openai-responses/from.ts'
import { toOpenAiItems } from './openai-responses/to.ts'
import { validateForProvider } from './validate.ts'

const question = 'Weather in Oslo and Rome?'
const answer = 'Oslo 4 C, Rome unknown.'

const anthropic = {
  system: 'Be brief.',
  messages: [
    { role: 'user', content: question },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Two lookups.', signature: 'c2lnLWE=' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'toolu_01', name: 'weather', input: { city: 'Oslo' } },
        { type: 'tool_use', id: 'toolu_02', name: 'weather', input: { city: 'Rome' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_01', content: '4 C' },
        { type: 'tool_result', tool_use_id: 'toolu_02', content: 'timeout', is_error: true },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
    { role: 'user', content: 'Thanks.' },
  ],
}

const call = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
})

const chat = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: question },
  {
    role: 'assistant',
    content: null,
    reasoning_content: 'Two lookups.',
    tool_calls: [call('call_1', 'Oslo'), call('call_2', 'Rome')],
  },
  { role: 'tool', tool_call_id: 'call_1', content: '4 C' },
  { role: 'tool', tool_call_id: 'call_2', content: 'error: timeout' },
  { role: 'assistant', content: answer },
  { role: 'user', content: 'Thanks.' },
]

const item = (id: string, city: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'weather',
  arguments: JSON.stringify({ city }),
})

const items = [
  { role: 'user', content: [{ type: 'input_text', text: question }] },
  { type: 'reasoning', summary: [], encrypted_content: 'Z0FBQQ==' },
  item('call_1', 'Oslo'),
  item('call_2', 'Rome'),
  { type: 'function_call_output', call_id: 'call_1', output: '4 C' },
  { type: 'function_call_output', call_id: 'call_2', output: 'error: timeout' },
  { role: 'assistant', content: [{ type: 'output_text', text: answer }] },
  { role: 'user', content: [{ type: 'input_text', text: 'Thanks.' }] },
]

const gemini = {
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  contents: [
    { role: 'user', parts: [{ text: question }] },
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2lnLWI=' },
        { functionCall: { name: 'weather', args: { city: 'Rome' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'weather', response: { output: '4 C' } } },
        { functionResponse: { name: 'weather', response: { error: 'timeout' } } },
      ],
    },
    { role: 'model', parts: [{ text: answer }] },
    { role: 'user', parts: [{ text: 'Thanks.' }] },
  ],
}

const plain = (messages: readonly NewMessage[]) =>
  messages.map(({ role, content }) => ({
    role,
    content: (content as readonly object[]).map((block) => ({ ...block, native: undefined })),
  }))

const use = (id: string, city: string) => ({ type: 'tool_use', id, name: 'weather', input: { city } })

describe('the turn of a provider', () => {
  it('of Anthropic is ours already', () => {
    expect(fromAnthropicMessages(anthropic)).toEqual([
      {
        role: 'system',
        content: [{ type: 'text', text: 'Be brief.' }],
        metadata: { native: { provider: 'anthropic', value: {}, form: 'system-text' } },
      },
      {
        role: 'user',
        content: [{ type: 'text', text: question }],
        metadata: { native: { provider: 'anthropic', value: {}, form: 'text' } },
      },
      ...anthropic.messages.slice(1, 4).map((message) => ({
        ...message,
        metadata: { native: { provider: 'anthropic', value: {} } },
      })),
      {
        role: 'user',
        content: [{ type: 'text', text: 'Thanks.' }],
        metadata: { native: { provider: 'anthropic', value: {}, form: 'text' } },
      },
    ])
    expect(toAnthropicMessages(fromAnthropicMessages(anthropic))).toEqual(anthropic)
  })

  it('of Chat Completions has a message of role tool for each result', () => {
    expect(plain(fromOpenAiMessages(chat))).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: [{ type: 'text', text: question }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Two lookups.' },
          use('call_1', 'Oslo'),
          use('call_2', 'Rome'),
        ],
      },
      { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '4 C' }] },
      { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 'call_2', content: 'error: timeout' }] },
      { role: 'assistant', content: [{ type: 'text', text: answer }] },
      { role: 'user', content: [{ type: 'text', text: 'Thanks.' }] },
    ])
    expect(toOpenAiMessages(fromOpenAiMessages(chat))).toEqual(chat)
  })

  it('of the Responses API is one assistant message for what came at once', () => {
    expect(plain(fromOpenAiItems(items))).toEqual([
      { role: 'user', content: [{ type: 'text', text: question }] },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'Z0FBQQ==' },
          use('call_1', 'Oslo'),
          use('call_2', 'Rome'),
        ],
      },
      { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '4 C' }] },
      { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 'call_2', content: 'error: timeout' }] },
      { role: 'assistant', content: [{ type: 'text', text: answer }] },
      { role: 'user', content: [{ type: 'text', text: 'Thanks.' }] },
    ])
    expect(toOpenAiItems(fromOpenAiItems(items))).toEqual(items)
  })

  it('of Gemini gets ids for its calls, and keeps a signature at its part', () => {
    const [, , calls, results] = fromGeminiContents(gemini)
    expect(calls?.content).toEqual([
      { ...use('call_1', 'Oslo'), native: { provider: 'gemini', value: { thoughtSignature: 'c2lnLWI=' } } },
      use('call_2', 'Rome'),
    ])
    const native = { provider: 'gemini', value: { functionResponse: { name: 'weather' } } }
    expect(results?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'call_1', content: '4 C', native },
      { type: 'tool_result', tool_use_id: 'call_2', content: 'timeout', is_error: true, native },
    ])
    expect(toGeminiContents(fromGeminiContents(gemini))).toEqual(gemini)
  })

  it('comes back with half surrogate pairs mended, for every provider refuses them', () => {
    const messages = [{ role: 'user', content: 'cut \ud83d' }]
    const mended = 'cut \ufffd'
    expect(toAnthropicMessages(fromAnthropicMessages({ messages })).messages[0]?.content).toBe(mended)
    expect(toOpenAiMessages(fromOpenAiMessages(messages))[0]?.content).toBe(mended)
    expect(toOpenAiItems(fromOpenAiItems(messages))).toEqual([{ role: 'user', content: mended }])
    const contents = [{ role: 'user', parts: [{ text: 'cut \ud83d' }] }]
    expect(toGeminiContents(fromGeminiContents({ contents })).contents[0]?.parts).toEqual([{ text: mended }])
  })

  it('comes back the same from a store', async () => {
    const store = createMemoryStore()
    const through = async (id: string, messages: readonly NewMessage[]) => {
      await store.messages.append(id, messages, { createSession: true })
      return (await store.messages.read(id)).items
    }
    expect(toAnthropicMessages(await through('a', fromAnthropicMessages(anthropic)))).toEqual(anthropic)
    expect(toOpenAiMessages(await through('b', fromOpenAiMessages(chat)))).toEqual(chat)
    expect(toOpenAiItems(await through('c', fromOpenAiItems(items)))).toEqual(items)
    expect(toGeminiContents(await through('d', fromGeminiContents(gemini)))).toEqual(gemini)
  })
})

describe('the turn of Anthropic', () => {
  const messages = fromAnthropicMessages(anthropic)

  it('goes to Chat Completions without its thinking', () => {
    const written = toOpenAiMessages(messages)
    expect(written).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: question },
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [call('toolu_01', 'Oslo'), call('toolu_02', 'Rome')],
      },
      { role: 'tool', tool_call_id: 'toolu_01', content: '4 C' },
      { role: 'tool', tool_call_id: 'toolu_02', content: 'error: timeout' },
      { role: 'assistant', content: answer },
      { role: 'user', content: 'Thanks.' },
    ])
    expect(validateForProvider(written, 'openai-chat')).toEqual([])
  })

  it('goes to the Responses API', () => {
    expect(toOpenAiItems(messages)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: question },
      { role: 'assistant', content: 'Looking.' },
      item('toolu_01', 'Oslo'),
      item('toolu_02', 'Rome'),
      { type: 'function_call_output', call_id: 'toolu_01', output: '4 C' },
      { type: 'function_call_output', call_id: 'toolu_02', output: 'error: timeout' },
      { role: 'assistant', content: answer },
      { role: 'user', content: 'Thanks.' },
    ])
  })

  it('goes to Gemini', () => {
    expect(toGeminiContents(messages)).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: question }] },
        {
          role: 'model',
          parts: [
            { text: 'Looking.' },
            { functionCall: { name: 'weather', args: { city: 'Oslo' } } },
            { functionCall: { name: 'weather', args: { city: 'Rome' } } },
          ],
        },
        gemini.contents[2],
        gemini.contents[3],
        gemini.contents[4],
      ],
    })
  })
})

describe.each([
  ['Chat Completions', fromOpenAiMessages(chat), 'error: timeout', undefined],
  ['the Responses API', fromOpenAiItems(items), 'error: timeout', undefined],
  ['Gemini', fromGeminiContents(gemini), 'timeout', true],
] as const)('the turn of %s', (name, messages, failure, isError) => {
  it('goes to Anthropic with both results in one message', () => {
    expect(toAnthropicMessages(messages)).toEqual({
      system: name === 'the Responses API' ? undefined : 'Be brief.',
      messages: [
        { role: 'user', content: [{ type: 'text', text: question }] },
        { role: 'assistant', content: [use('call_1', 'Oslo'), use('call_2', 'Rome')] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: '4 C' },
            { type: 'tool_result', tool_use_id: 'call_2', content: failure, is_error: isError },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: answer }] },
        { role: 'user', content: [{ type: 'text', text: 'Thanks.' }] },
      ],
    })
  })
})
