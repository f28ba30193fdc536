import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../../types/message.ts'
import type { ConvertibleMessage } from '../blocks.ts'
import { fromOpenAiItems } from './from.ts'
import { toOpenAiItems } from './to.ts'

const text = (value: string) => ({ type: 'text', text: value })
const user = (...content: object[]): ConvertibleMessage => ({ role: 'user', content: content as never })
const assistant = (...content: object[]): ConvertibleMessage => ({
  role: 'assistant',
  content: content as never,
})
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'bash', input })
const result = (id: string, more = {}) => ({ type: 'tool_result', tool_use_id: id, ...more })
const native = (value: object, more = {}) => ({ native: { provider: 'openai-responses', value, ...more } })
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

const call = (id: string, more = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'bash',
  arguments: '{}',
  ...more,
})
const output = (id: string, value: unknown = 'ok') => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
})
const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
  encrypted_content: 'Z0FB',
}
const said = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'a', annotations: [] }],
}

/** As a restore gives messages: without metadata. */
const bare = (messages: readonly NewMessage[]) =>
  messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, content }) as const)

describe('fromOpenAiItems', () => {
  it('makes one message of what a model put out at once', () => {
    const messages = fromOpenAiItems([
      reasoning,
      said,
      call('1', { id: 'fc_1' }),
      call('2'),
      output('1'),
      output('2'),
    ])
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: [
          {
            type: 'thinking',
            thinking: 'Hm.',
            ...native({ id: 'rs_1', encrypted_content: 'Z0FB' }, { form: 'reasoning' }),
          },
          { ...text('a'), ...native({ annotations: [] }) },
          { ...use('1'), ...native({ id: 'fc_1' }) },
          use('2'),
        ],
        metadata: native({ type: 'message', id: 'msg_1', status: 'completed' }, { form: 'parts' }),
      },
      { role: 'tool', content: [result('1', { content: 'ok' })], metadata: native({}, { form: 'none' }) },
      { role: 'tool', content: [result('2', { content: 'ok' })], metadata: native({}, { form: 'none' }) },
    ])
  })

  it('begins a message with each further message item', () => {
    expect(fromOpenAiItems([said, { ...said, id: 'msg_2' }]).map(({ role }) => role)).toEqual([
      'assistant',
      'assistant',
    ])
  })

  it('keeps items of other kinds whole, those that answer as messages of role tool', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    const shell = { type: 'shell_call_output', call_id: '1', output: [] }
    expect(fromOpenAiItems([search, shell]).map(({ role, content }) => [role, content])).toEqual([
      ['assistant', [{ type: 'web_search_call', ...native(search, { form: 'item' }) }]],
      ['tool', [{ type: 'shell_call_output', ...native(shell, { form: 'item' }) }]],
    ])
  })

  it('reads pictures and files of the user', () => {
    const [message] = fromOpenAiItems([
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          { type: 'input_image', file_id: 'file-1', detail: 'low' },
          { type: 'input_file', file_url: 'https://example.org/a.pdf' },
          { type: 'x_new' },
        ],
      } as never,
    ])
    expect(message?.content).toEqual([
      png,
      {
        type: 'image',
        source: { type: 'file', file_id: 'file-1' },
        ...native({ detail: 'low' }, { form: 'file' }),
      },
      { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' } },
      { type: 'x_new', ...native({ type: 'x_new' }, { form: 'part' }) },
    ])
  })
})

describe('toOpenAiItems', () => {
  it('writes a turn item by item, outputs first', () => {
    expect(
      toOpenAiItems([
        { role: 'system', content: 's' },
        user(text('a')),
        assistant(text('b'), text('c'), use('1', { x: 1 })),
        user(text('d'), result('1', { content: 'no', is_error: true })),
      ]),
    ).toEqual([
      { role: 'system', content: 's' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b\nc' },
      call('1', { arguments: '{"x":1}' }),
      output('1', 'error: no'),
      { role: 'user', content: 'd' },
    ])
  })

  it('shows pictures in outputs', () => {
    expect(toOpenAiItems([user(result('1', { content: [text('a'), png], is_error: true }))])).toEqual([
      output('1', [
        { type: 'input_text', text: 'error:' },
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      ]),
    ])
  })

  it('writes restored items without ids, and reasoning as ciphertext in front of what it led to', () => {
    const messages = fromOpenAiItems([
      reasoning,
      said,
      call('1', { id: 'fc_1', status: 'completed' }),
      output('1'),
      reasoning,
    ])
    expect(toOpenAiItems(bare(messages))).toEqual([
      { type: 'reasoning', summary: reasoning.summary, encrypted_content: 'Z0FB' },
      { role: 'assistant', content: 'a' },
      call('1'),
      output('1'),
    ])
  })

  it('writes no reasoning that only a server could know', () => {
    const { encrypted_content: _, ...known } = reasoning
    expect(toOpenAiItems(bare(fromOpenAiItems([known, said])))).toEqual([{ role: 'assistant', content: 'a' }])
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
    expect(toOpenAiItems([assistant(thinking, text('a'))])).toEqual([{ role: 'assistant', content: 'a' }])
  })

  it('writes restored items of other kinds again, but for what the server ran itself', () => {
    const kept = [
      { type: 'shell_call', call_id: '1', action: {} },
      { type: 'shell_call_output', call_id: '1', output: [] },
    ]
    const messages = fromOpenAiItems([{ type: 'web_search_call', id: 'ws_1' } as never, ...kept])
    expect(toOpenAiItems(bare(messages))).toEqual(kept)
  })

  it('takes what was edited in messages that were read', () => {
    const [message] = fromOpenAiItems([said, call('1', { arguments: '{"key": "secret"}' })]) as [NewMessage]
    const [first, second] = message.content as [object, object]
    const content = [
      { ...first, text: 'b' },
      { ...second, input: {} },
    ] as never
    expect(toOpenAiItems([{ ...message, content }])).toEqual([
      { ...said, content: [{ type: 'output_text', text: 'b', annotations: [] }] },
      call('1'),
    ])
  })

  it('takes what was said since in a message that was read without content', () => {
    const [read] = fromOpenAiItems([{ role: 'user', content: null } as never])
    expect(toOpenAiItems([read as NewMessage])).toEqual([{ role: 'user', content: null }])
    expect(toOpenAiItems([{ ...(read as NewMessage), content: [text('b')] }])).toEqual([
      { role: 'user', content: 'b' },
    ])
  })

  it('puts a system message from between a call and its output behind it', () => {
    const system: ConvertibleMessage = { role: 'system', content: 's' }
    expect(
      toOpenAiItems([assistant(use('1')), system, user(result('1', { content: 'ok' })), user(text('a'))]),
    ).toEqual([call('1'), output('1'), { role: 'system', content: 's' }, { role: 'user', content: 'a' }])
  })
})
