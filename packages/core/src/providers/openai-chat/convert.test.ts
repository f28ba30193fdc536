import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../../types/message.ts'
import type { ConvertibleMessage } from '../blocks.ts'
import { fromOpenAiMessages } from './from.ts'
import { toOpenAiMessages } from './to.ts'

const text = (value: string) => ({ type: 'text', text: value })
const user = (...content: object[]): ConvertibleMessage => ({ role: 'user', content: content as never })
const assistant = (...content: object[]): ConvertibleMessage => ({
  role: 'assistant',
  content: content as never,
})
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'bash', input })
const result = (id: string, more = {}) => ({ type: 'tool_result', tool_use_id: id, ...more })
const call = (id: string, more: object = { arguments: '{}' }) => ({
  id,
  type: 'function',
  function: { name: 'bash', ...more },
})
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

/** The content of the one message. */
function contentOf(message: object): unknown {
  const [read] = fromOpenAiMessages([message as never])
  return read?.content
}

const native = (value: object, more = {}) => ({ native: { provider: 'openai-chat', value, ...more } })

describe('fromOpenAiMessages', () => {
  it('reads text, pictures and files, and keeps parts of other kinds', () => {
    const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
    const content = [
      text('a'),
      { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } },
      imagePart,
      { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERg==', filename: 'a.pdf' } },
      { type: 'file', file: { file_id: 'file-1' } },
      audio,
    ]
    expect(contentOf({ role: 'user', content })).toEqual([
      text('a'),
      {
        type: 'image',
        source: { type: 'url', url: 'https://example.org/a.png' },
        ...native({ image_url: { detail: 'low' } }),
      },
      png,
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
        title: 'a.pdf',
      },
      { type: 'document', source: { type: 'file', file_id: 'file-1' }, ...native({}, { form: 'file' }) },
      { type: 'input_audio', ...native(audio) },
    ])
  })

  it('reads reasoning, refusals and spoken answers as what people can read', () => {
    expect(contentOf({ role: 'assistant', content: 'a', reasoning_content: 'Hm.' })).toEqual([
      { type: 'thinking', thinking: 'Hm.', ...native({}, { form: 'reasoning' }) },
      text('a'),
    ])
    expect(contentOf({ role: 'assistant', content: null, refusal: 'No.' })).toEqual([
      { ...text('No.'), ...native({}, { form: 'refusal' }) },
    ])
    expect(contentOf({ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] })).toEqual([
      { ...text('No.'), ...native({}, { form: 'refusal-part' }) },
    ])
    expect(
      contentOf({ role: 'assistant', content: null, audio: { id: 'audio_1', transcript: 'Hi' } }),
    ).toEqual([{ ...text('Hi'), ...native({ audio: { id: 'audio_1' } }, { form: 'audio' }) }])
  })

  it('reads arguments, and keeps their text where it is not the plain one', () => {
    const calls = ['{"a":1}', '{"a": 1}', '', '{"a"'].map((given, index) =>
      call(`c${index}`, { arguments: given }),
    )
    expect(contentOf({ role: 'assistant', content: null, tool_calls: calls })).toEqual([
      use('c0', { a: 1 }),
      { ...use('c1', { a: 1 }), ...native({ function: { arguments: '{"a": 1}' } }) },
      { ...use('c2', {}), ...native({ function: { arguments: '' } }) },
      { ...use('c3', '{"a"'), ...native({ function: { arguments: '{"a"' } }) },
    ])
  })

  it('gives calls without an id one, and their results the same', () => {
    const messages = fromOpenAiMessages([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ function: { name: 'ls', arguments: '{}' } }],
      } as never,
      { role: 'tool', content: 'x' },
      { role: 'assistant', content: null, function_call: { name: 'cat', arguments: '{}' } } as never,
      { role: 'function', name: 'cat', content: 'y' } as never,
    ])
    const ids = messages.flatMap(
      ({ content }) => content as unknown as { id?: string; tool_use_id?: string }[],
    )
    expect(ids.map(({ id, tool_use_id: answered }) => id ?? answered)).toEqual([
      'call_1',
      'call_1',
      'call_2',
      'call_2',
    ])
  })

  it('reads a custom call as one with its text as input', () => {
    const custom = { id: 'c', type: 'custom', custom: { name: 'bash', input: 'ls' } }
    expect(contentOf({ role: 'assistant', content: null, tool_calls: [custom] })).toEqual([
      { ...use('c', { input: 'ls' }), ...native({}, { form: 'custom' }) },
    ])
  })

  it('keeps what no block says with the message', () => {
    const [read] = fromOpenAiMessages([{ role: 'developer', content: [text('a')], name: 'b' } as never])
    expect(read).toEqual({
      role: 'system',
      content: [text('a')],
      metadata: native({ role: 'developer', name: 'b' }, { form: 'parts' }),
    })
  })
})

describe('toOpenAiMessages', () => {
  it('puts results right behind their calls, what else the user says after them', () => {
    expect(
      toOpenAiMessages([
        user(text('a'), text('b')),
        assistant(text('c'), use('1', { x: 1 })),
        assistant(use('2')),
        user(text('d'), result('2', { content: 'y' })),
        user(result('1', { content: [text('z'), text('w')] })),
      ]),
    ).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'assistant', content: 'c', tool_calls: [call('1', { arguments: '{"x":1}' }), call('2')] },
      { role: 'tool', tool_call_id: '2', content: 'y' },
      { role: 'tool', tool_call_id: '1', content: 'z\nw' },
      { role: 'user', content: 'd' },
    ])
  })

  it('shows pictures of results in a message of the user behind them', () => {
    expect(
      toOpenAiMessages([assistant(use('1')), user(result('1', { content: [text('a'), png] }), text('b'))]),
    ).toEqual([
      { role: 'assistant', content: null, tool_calls: [call('1')] },
      { role: 'tool', tool_call_id: '1', content: 'a\n[image]' },
      { role: 'user', content: [imagePart, text('b')] },
    ])
  })

  it('tells failures, and results without words, in words', () => {
    const results = [
      result('1', { content: 'timeout', is_error: true }),
      result('2', { content: 'Error: timeout', is_error: true }),
      result('3', { is_error: true }),
      result('4', { content: ' ' }),
    ]
    expect(toOpenAiMessages([user(...results)]).map(({ content }) => content)).toEqual([
      'error: timeout',
      'Error: timeout',
      'error: (no output)',
      '(no output)',
    ])
  })

  it('leaves out empty answers and thinking from elsewhere, and joins the texts of an answer', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
    expect(
      toOpenAiMessages([
        assistant(thinking),
        assistant(text(' ')),
        assistant(thinking, text('a'), text('b')),
      ]),
    ).toEqual([{ role: 'assistant', content: 'a\nb' }])
  })

  it('gives reasoning back to the dialect it came from, also after a restore', () => {
    const message = { role: 'assistant', content: 'a', reasoning_content: 'Hm.', x: 1 }
    const [read] = fromOpenAiMessages([message])
    expect(toOpenAiMessages([{ role: 'assistant', content: (read as NewMessage).content }])).toEqual([
      { role: 'assistant', content: 'a', reasoning_content: 'Hm.' },
    ])
  })

  it('keeps the very text of arguments after a restore, unless it is no JSON', () => {
    const calls = [call('1', { arguments: '{"a": 1}' }), call('2', { arguments: '{"a"' })]
    const [read] = fromOpenAiMessages([{ role: 'assistant', content: null, tool_calls: calls } as never])
    expect(toOpenAiMessages([{ role: 'assistant', content: (read as NewMessage).content }])).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [calls[0], call('2', { arguments: '{"rawInvalidInput":"{\\"a\\""}' })],
      },
    ])
  })

  it('takes what was edited in messages that were read', () => {
    const [said, called] = fromOpenAiMessages([
      { role: 'assistant', content: '', x: 1 } as never,
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('1', { arguments: '{"key": "secret"}' })],
      } as never,
    ]) as [NewMessage, NewMessage]
    const [block] = called.content as object[]
    const written = toOpenAiMessages([
      { ...said, content: [text('b')] },
      { ...called, content: [{ ...block, input: { key: 'x' } } as never] },
    ])
    expect(written).toEqual([
      { role: 'assistant', content: 'b' },
      { role: 'assistant', content: null, tool_calls: [call('1', { arguments: '{"key":"x"}' })] },
    ])
    expect(JSON.stringify(written)).not.toContain('secret')
  })

  it('shortens ids of more than 40 characters on both sides', () => {
    const id = `call_${'x'.repeat(60)}`
    const written = toOpenAiMessages([assistant(use(id)), user(result(id, { content: 'a' }))]) as object[]
    const [
      {
        tool_calls: [{ id: short }],
      },
      { tool_call_id: answered },
    ] = written as [{ tool_calls: [{ id: string }] }, { tool_call_id: string }]
    expect(short).toMatch(/^call_x{26}_[0-9a-f]{8}$/)
    expect(answered).toBe(short)
  })

  it('puts a short text where the user shows what cannot be shown', () => {
    const url = { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' } }
    const notes = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Notes' } }
    const pdf = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
    }
    expect(toOpenAiMessages([user(url, notes, pdf)])).toEqual([
      {
        role: 'user',
        content: [
          text('[document]'),
          text('Notes'),
          {
            type: 'file',
            file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
          },
        ],
      },
    ])
    expect(toOpenAiMessages([user({ type: 'x_audio' })])).toEqual([{ role: 'user', content: '[x_audio]' }])
  })
})
