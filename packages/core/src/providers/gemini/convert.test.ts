import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../../types/message.ts'
import type { ConvertibleMessage } from '../blocks.ts'
import { fromGeminiContents } from './from.ts'
import { toGeminiContents } from './to.ts'

const text = (value: string) => ({ type: 'text', text: value })
const user = (...content: object[]): ConvertibleMessage => ({ role: 'user', content: content as never })
const assistant = (...content: object[]): ConvertibleMessage => ({
  role: 'assistant',
  content: content as never,
})
const use = (id: string, name = 'bash', input: unknown = {}) => ({ type: 'tool_use', id, name, input })
const result = (id: string, more = {}) => ({ type: 'tool_result', tool_use_id: id, ...more })
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const native = (value: object, more = {}) => ({ native: { provider: 'gemini', value, ...more } })
const call = (name: string, more = {}) => ({ functionCall: { name, args: {}, ...more } })
const response = (name: string, value: object, more = {}) => ({
  functionResponse: { name, response: value, ...more },
})

/** Blocks of the parts, in a turn of the model. */
const blocks = (...parts: object[]) =>
  fromGeminiContents({ contents: [{ role: 'model', parts }] })[0]?.content
const contents = (...messages: ConvertibleMessage[]) => toGeminiContents(messages).contents

describe('fromGeminiContents', () => {
  it('reads thoughts apart from text, with the signature at its part', () => {
    expect(
      blocks(
        { text: 'Hm.', thought: true },
        { text: 'a', thoughtSignature: 'c2ln' },
        { text: '', thoughtSignature: 'c2ln' },
      ),
    ).toEqual([
      { type: 'thinking', thinking: 'Hm.', ...native({}, { form: 'thought' }) },
      { ...text('a'), ...native({ thoughtSignature: 'c2ln' }) },
      { ...text(''), ...native({ thoughtSignature: 'c2ln' }) },
    ])
  })

  it('reads media that others can see, and keeps parts of other kinds whole', () => {
    const code = { executableCode: { language: 'PYTHON', code: '1' } }
    const stored = {
      fileData: {
        fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a',
        mimeType: 'image/png',
      },
    }
    expect(
      blocks(
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        { fileData: { fileUri: 'https://example.org/a.png', mimeType: 'image/png' } },
        stored,
        code,
        {},
      ),
    ).toEqual([
      png,
      { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
      { type: 'fileData', ...native(stored) },
      { type: 'executableCode', ...native(code) },
      { type: 'part', ...native({}) },
    ])
  })

  it('finds the call a response answers by name, where there are no ids', () => {
    const messages = fromGeminiContents({
      contents: [
        { role: 'model', parts: [call('ls'), call('cat'), call('ls')] },
        { role: 'user', parts: [response('cat', {}), response('ls', {}), response('ls', {})] },
      ],
    })
    const ids = messages.map(({ content }) =>
      (content as unknown as { id?: string; tool_use_id?: string }[]).map(
        (block) => block.id ?? block.tool_use_id,
      ),
    )
    expect(ids).toEqual([
      ['call_1', 'call_2', 'call_3'],
      ['call_2', 'call_1', 'call_3'],
    ])
  })

  it('makes ids with the prefix given, so that pieces of a conversation do not share them', () => {
    const request = { contents: [{ role: 'model', parts: [call('ls')] }] }
    const [message] = fromGeminiContents(request, { idPrefix: 'step7_' })
    expect(message?.content).toEqual([{ ...use('step7_1', 'ls') }])
  })

  it('reads responses as text, whatever their members', () => {
    const read = (value: unknown) => {
      const [message] = fromGeminiContents({ contents: [{ parts: [response('ls', value as object)] }] })
      const [block] = (message?.content ?? []) as unknown as { content?: unknown; is_error?: boolean }[]
      return [block?.content, block?.is_error]
    }
    expect(read({ output: 'a' })).toEqual(['a', undefined])
    expect(read({ error: 'a' })).toEqual(['a', true])
    expect(read({ result: 'a' })).toEqual(['a', undefined])
    expect(read({ output: 1 })).toEqual(['{"output":1}', undefined])
    expect(read({ a: 1, b: [2] })).toEqual(['{"a":1,"b":[2]}', undefined])
    expect(read({})).toEqual(['{}', undefined])
    expect(read(undefined)).toEqual([undefined, undefined])
  })

  it('stores a structured response once', () => {
    const part = response('ls', { files: ['a'] })
    const [message] = fromGeminiContents({ contents: [{ role: 'user', parts: [part] }] })
    expect(message?.content).toEqual([
      result('call_1', {
        content: '{"files":["a"]}',
        ...native({ functionResponse: { name: 'ls' } }, { form: 'json' }),
      }),
    ])
  })
})

describe('toGeminiContents', () => {
  it('has responses alone and in the order of their calls, what else the user says behind them', () => {
    expect(
      contents(
        user(text('a')),
        assistant(use('1', 'ls'), use('2', 'cat')),
        user(
          text('b'),
          result('2', { content: 'y' }),
          result('1', { content: [text('x'), png], is_error: true }),
        ),
      ),
    ).toEqual([
      { role: 'user', parts: [{ text: 'a' }] },
      { role: 'model', parts: [call('ls'), call('cat')] },
      { role: 'user', parts: [response('ls', { error: 'x\n[image]' }), response('cat', { output: 'y' })] },
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }, { text: 'b' }] },
    ])
  })

  it('signs the first call of each step of the current turn, where it has no signature', () => {
    const signature = 'skip_thought_signature_validator'
    const steps = [
      user(text('a')),
      assistant(use('1')),
      user(result('1', { content: 'x' })),
      user(text('b')),
      assistant(text('c'), use('2'), use('3')),
      user(result('2', { content: 'x' }), result('3', { content: 'x' })),
      assistant({ ...use('4'), ...native({ thoughtSignature: 'c2ln' }) }),
      user(result('4', { content: 'x' })),
    ]
    const models = (written: { role?: string; parts: object[] }[]) =>
      written.filter(({ role }) => role === 'model').map(({ parts }) => parts)
    expect(models(contents(...steps))).toEqual([
      [call('bash')],
      [{ text: 'c' }, { ...call('bash'), thoughtSignature: signature }, call('bash')],
      [{ ...call('bash'), thoughtSignature: 'c2ln' }],
    ])
    expect(models(toGeminiContents(steps, { missingSignatures: 'none' }).contents)[1]).toEqual([
      { text: 'c' },
      call('bash'),
      call('bash'),
    ])
  })

  it('gives structured responses back as they were, also after a restore', () => {
    const request = {
      contents: [
        { role: 'model', parts: [call('ls', { id: 'own' })] },
        { role: 'user', parts: [response('ls', { files: ['a'] }, { id: 'own' })] },
      ],
    }
    const messages = fromGeminiContents(request)
    expect(toGeminiContents(messages)).toEqual(request)
    const bare = messages.map(({ role, content }) => ({ role, content }))
    expect(contents(...bare)[1]).toEqual({ role: 'user', parts: [response('ls', { files: ['a'] })] })
  })

  it('takes what was edited in messages that were read', () => {
    const [called, answered] = fromGeminiContents({
      contents: [
        { role: 'model', parts: [call('ls', { args: null })] },
        { role: 'user', parts: [response('ls', { files: ['secret'] })] },
      ],
    }) as [NewMessage, NewMessage]
    const [use1] = called.content as [object]
    const [result1] = answered.content as [object]
    expect(
      toGeminiContents([
        { ...called, content: [{ ...use1, input: { a: 1 } }] as never },
        { ...answered, content: [{ ...result1, content: 'x' }] as never },
      ]).contents,
    ).toEqual([
      { role: 'model', parts: [call('ls', { args: { a: 1 } })] },
      { role: 'user', parts: [response('ls', { output: 'x' })] },
    ])
  })

  it('takes what was said since in a turn that was read without parts', () => {
    const [read] = fromGeminiContents({ contents: [{ role: 'user' }] })
    expect(contents(read as NewMessage)).toEqual([{ role: 'user' }])
    expect(contents({ ...(read as NewMessage), content: [text('b')] })).toEqual([
      { role: 'user', parts: [{ text: 'b' }] },
    ])
  })

  it('leaves out thinking of others, blank text, and turns left empty', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
    const own = { type: 'thinking', thinking: 'Hm.', ...native({}) }
    expect(contents(assistant(thinking), assistant(own), user(text(' ')))).toEqual([])
    expect(contents(assistant(thinking, own, text('a')))).toEqual([
      { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'a' }] },
    ])
  })

  it('has one system instruction, of the messages at the start', () => {
    const system = (value: string): ConvertibleMessage => ({ role: 'system', content: value })
    expect(toGeminiContents([system('a'), system('b'), user(text('c')), system('d')])).toEqual({
      systemInstruction: { parts: [{ text: 'a\n\nb' }] },
      contents: [{ role: 'user', parts: [{ text: 'c' }, { text: '[system]\nd' }] }],
    })
  })

  it('names a response whose call is missing as it was named, or not at all', () => {
    const known = result('1', { content: 'x', ...native({ functionResponse: { name: 'ls' } }) })
    expect(contents(user(known, result('2', { content: 'y' })))[0]?.parts).toEqual([
      response('ls', { output: 'x' }),
      response('unknown', { output: 'y' }),
    ])
  })
})
