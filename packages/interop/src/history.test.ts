import { StoreError } from '@sess/core'
import { describe, expect, it } from 'vitest'
import { readHistory } from './history.ts'

const goose = {
  id: 'g',
  working_dir: '/w',
  conversation: [{ role: 'user', created: 1, content: [{ type: 'text', text: 'hi' }], metadata: {} }],
}
const sess = { format: 'sess', version: '1.0', session: { id: 's', working_dir: '/w' }, messages: [] }
const formats = (text: string) =>
  readHistory(text).map(({ format, session }) => [format, session.source?.sessionId])

describe('readHistory', () => {
  it('refuses an object of one session of Goose that no store takes', () => {
    const large = { ...goose, extension_data: { x: '杭'.repeat(400_000) } }
    expect(() => readHistory(JSON.stringify([goose, large, goose]))).toThrow(
      new StoreError(
        'too-large',
        '[1].session.extensionData has 1200008 bytes of JSON, the store takes 1048576',
      ),
    )
  })

  it.each([
    ['a session of Goose', JSON.stringify(goose), [['goose-json', 'g']]],
    [
      'one over many lines, with a byte order mark',
      `\ufeff${JSON.stringify(goose, null, 2)}\r\n`,
      [['goose-json', 'g']],
    ],
    [
      'several',
      JSON.stringify([goose, { ...goose, id: 'h' }]),
      [
        ['goose-json', 'g'],
        ['goose-json', 'h'],
      ],
    ],
    ['an export of sess', JSON.stringify(sess), [['sess-json', 's']]],
    [
      'several exports of sess',
      JSON.stringify([sess, sess]),
      [
        ['sess-json', 's'],
        ['sess-json', 's'],
      ],
    ],
    ['none', '[]', []],
    ['nothing', '', []],
    [
      'lines of sess',
      `${JSON.stringify({ ...sess, messages: undefined })}\n{"role":"user","content":"hi"}\n`,
      [['sess-jsonl', 's']],
    ],
    [
      'lines of messages',
      '{"role":"user","content":"hi"}\n{"role":"user","content":"ho"}',
      [['message-lines', undefined]],
    ],
  ])('reads %s', (_, text, expected) => {
    expect(formats(text)).toStrictEqual(expected)
  })

  it.each([
    [
      'one bad message of many sessions',
      JSON.stringify([goose, { ...goose, conversation: [{}] }]),
      '[1].conversation[0].role: must be one of user, assistant, system, tool',
    ],
    ['a mixed array', JSON.stringify([goose, sess]), '[0]: is no export of sess'],
    [
      'a torn file of Goose',
      '{\n"id":"g",\n"working_dir":"/w"',
      'line 3: not JSON (the text ends in the middle of a value)',
    ],
    ['something else', '{"mapping":{}}', 'line 1: neither an export of sess nor a message'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readHistory(text)).toThrow(new StoreError('invalid', message))
  })

  it('refuses an export of sess of another version', () => {
    expect(() => readHistory(JSON.stringify({ ...sess, version: '2.0' }))).toThrow(
      new StoreError('unsupported-version', 'version "2.0" is not read here, only 1.x is'),
    )
  })
})
