import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StoreError } from '../errors.ts'
import { readConversations } from './read.ts'

const question = { id: 'm-1', seq: 1, role: 'user', content: [{ type: 'text', text: 'hello' }], metadata: {} }
const summary = {
  id: 'm-2',
  seq: 8,
  role: 'user',
  content: [{ type: 'text', text: 'so far' }],
  created_at: '2026-03-01T09:00:01.000Z',
  metadata: { summary: { fromSeq: 1, throughSeq: 4, line: [] } },
}
const session = { id: '20260301_4', next_seq: 9, context: { start_seq: 5, summary_seq: 8 } }
const header = { format: 'sess', version: '1.0', exported_at: '2026-03-01T10:00:00.000Z', session }
const envelope = { ...header, messages: [question, summary] }

const json = (value: unknown) => JSON.stringify(value)
const lines = (...values: unknown[]) => values.map((value) => `${json(value)}\n`).join('')

describe('readConversations refuses', () => {
  const withSession = (fields: object) =>
    json({ ...header, session: { id: 's', ...fields }, messages: [question] })
  const withMessage = (fields: object) =>
    json({ ...header, session: {}, messages: [question, { ...summary, ...fields }] })
  const role = 'invalid option: expected one of "system"|"user"|"assistant"|"tool"'
  const noTime = 'must be an ISO 8601 time with a zone, or epoch milliseconds'
  const invalid = (type: string, given: string) => `invalid input: expected ${type}, received ${given}`

  it.each([
    [
      'another major version',
      json({ ...envelope, version: '2.0' }),
      'version "2.0" is not read here, only 1.x is',
    ],
    ['version 10', json({ ...envelope, version: '10.0' }), 'version "10.0" is not read here, only 1.x is'],
    [
      'a version that is a number',
      json({ ...envelope, version: 1 }),
      'version 1 is not read here, only 1.x is',
    ],
    [
      'another version whose shape is not known',
      '{\n"format":"sess","version":"2.0","conversations":[]\n}',
      'version "2.0" is not read here, only 1.x is',
    ],
    [
      'another version in an array',
      json([envelope, { ...envelope, version: '3.1' }]),
      '[1].version "3.1" is not read here, only 1.x is',
    ],
    [
      'another version in lines',
      lines(header, question, { ...header, version: '0.9' }),
      'line 3: version "0.9" is not read here, only 1.x is',
    ],
  ])('%s', (_, text, message) => {
    expect(() => readConversations(text)).toThrow(new StoreError('unsupported-version', message))
  })

  it.each([
    ['a text that is no JSON', 'hello there', 'line 1: not JSON (column 1)'],
    [
      'a JSON file that is cut off',
      JSON.stringify(envelope, null, 2).slice(0, -3),
      'line 45: not JSON (the text ends in the middle of a value)',
    ],
    ['a JSON file with a mistake', '{\n  "format": "sess",\n  version\n}', 'line 3: not JSON (column 3)'],
    [
      'a torn last line',
      lines(header, question, summary).slice(0, -9),
      'line 3: not JSON (the text ends in the middle of a value)',
    ],
    [
      'a torn first line',
      lines(header).slice(0, 40),
      'line 1: not JSON (the text ends in the middle of a value)',
    ],
    ['a line that is no JSON', `${lines(header)}\n${lines(question)}oops\n`, 'line 4: not JSON (column 1)'],
    [
      'two values on a line',
      `${json(question)}${json(question)}\n`,
      `line 1: not JSON (column ${json(question).length + 1})`,
    ],
    ['a number', '42', 'line 1: neither an export of sess nor a message'],
    ['null', 'null', 'line 1: neither an export of sess nor a message'],
    [
      'some object',
      '{"type":"session_meta"}\n{"type":"x"}',
      'line 1: neither an export of sess nor a message',
    ],
    ['an array of something else', '[{"role":"user","content":"hi"}]', '[0]: is no export of sess'],
    ['a line that is no object', lines(header, 5), `line 2: messages[0]: ${invalid('object', 'number')}`],
    ['a line that is an array', lines(header, []), `line 2: messages[0]: ${invalid('object', 'array')}`],
  ])('%s', (_, text, message) => {
    expect(() => readConversations(text)).toThrow(new StoreError('invalid', message))
  })

  it.each([
    ['a foreign format', { ...envelope, format: 'other' }, 'format: must be "sess"'],
    ['no version', { session: {}, messages: [] }, 'version: is missing'],
    ['a bad exported_at', { ...envelope, exported_at: 'now' }, `exported_at: ${noTime}`],
    [
      'no session',
      { format: 'sess', version: '1.0', messages: [] },
      `session: ${invalid('object', 'undefined')}`,
    ],
    ['a session that is a list', { ...envelope, session: [] }, `session: ${invalid('object', 'array')}`],
    ['messages that are no list', { ...envelope, messages: {} }, `messages: ${invalid('array', 'object')}`],
    ['messages that are null', { ...envelope, messages: null }, `messages: ${invalid('array', 'null')}`],
    [
      'a message that is null',
      { ...envelope, messages: [null] },
      `messages[0]: ${invalid('object', 'null')}`,
    ],
  ])('an envelope with %s', (_, value, message) => {
    expect(() => readConversations(json(value))).toThrow(new StoreError('invalid', message))
  })

  it('an envelope over many lines that has no messages', () => {
    expect(() => readConversations(JSON.stringify(header, null, 2))).toThrow(
      new StoreError('invalid', `messages: ${invalid('array', 'undefined')}`),
    )
  })

  it.each([
    ['id', { id: '' }, 'id: must not be empty'],
    ['id', { id: 5 }, `id: ${invalid('string', 'number')}`],
    ['name', { name: 'a\u0007b' }, 'name: must not contain control characters'],
    ['name', { name: 'x'.repeat(501) }, 'name: must have at most 500 code points'],
    [
      'name_source',
      { name_source: 'me' },
      'name_source: invalid option: expected one of "default"|"auto"|"user"',
    ],
    [
      'type',
      { type: 'chat' },
      'type: invalid option: expected one of "user"|"scheduled"|"sub_agent"|"hidden"|"terminal"|"gateway"|"acp"',
    ],
    ['owner_id', { owner_id: 1 }, `owner_id: ${invalid('string', 'number')}`],
    ['working_dir', { working_dir: '' }, 'working_dir: must not be empty'],
    ['parent_session_id', { parent_session_id: '..' }, 'parent_session_id: must not be "." or ".."'],
    ['forked_from', { forked_from: 'x' }, `forked_from: ${invalid('object', 'string')}`],
    [
      'forked_from',
      { forked_from: { session_id: 'a' } },
      `forked_from.seq: ${invalid('number', 'undefined')}`,
    ],
    ['model_config', { model_config: [] }, 'model_config: must be an object'],
    ['metadata', { metadata: 'x' }, 'metadata: must be an object'],
    ['extension_data', { extension_data: 1 }, 'extension_data: must be an object'],
    ['tags', { tags: ['a', ''] }, 'tags[1]: must not be empty'],
    [
      'token_counts',
      { token_counts: { last: { input: -1 } } },
      'token_counts.last.input: too small: expected number to be >=0',
    ],
    [
      'token_counts',
      { token_counts: { accumulated: { cache_read: '1' } } },
      `token_counts.accumulated.cache_read: ${invalid('number', 'string')}`,
    ],
    ['pinned', { pinned: 1 }, `pinned: ${invalid('boolean', 'number')}`],
    ['archived_at', { archived_at: '2026-02-30T00:00:00Z' }, `archived_at: ${noTime}`],
    ['created_at', { created_at: '2026-03-01 09:00' }, `created_at: ${noTime}`],
    ['updated_at', { updated_at: 1.5 }, `updated_at: ${noTime}`],
    ['last_active_at', { last_active_at: {} }, `last_active_at: ${noTime}`],
    ['next_seq', { next_seq: 1 }, 'next_seq: must be at least 2, after the last message'],
    [
      'context',
      { context: { start_seq: 3 } },
      'context.start_seq: must be at most 2, the seq of the next message',
    ],
    [
      'context',
      { context: { start_seq: 1, summary_seq: 1 } },
      'context.summary_seq: message 1 is no summary',
    ],
    ['context', { context: {} }, `context.start_seq: ${invalid('number', 'undefined')}`],
  ])('a session with a bad %s', (_, fields, message) => {
    expect(() => readConversations(withSession(fields))).toThrow(
      new StoreError('invalid', `session.${message}`),
    )
    const inLines = lines(question, { ...header, session: { id: 's', ...fields } }, question)
    expect(() => readConversations(inLines)).toThrow(new StoreError('invalid', `line 2: session.${message}`))
  })

  it.each([
    ['no role', { role: undefined }, `role: ${role}`],
    ['an unknown role', { role: 'robot' }, `role: ${role}`],
    ['no content', { content: undefined }, 'content: must be text or an array of blocks'],
    ['content that is an object', { content: {} }, 'content: must be text or an array of blocks'],
    [
      'a block without type',
      { content: [{ text: 'x' }] },
      `content[0].type: ${invalid('string', 'undefined')}`,
    ],
    [
      'a text block without text',
      { content: [{ type: 'text' }] },
      `content[0].text: ${invalid('string', 'undefined')}`,
    ],
    ['an empty id', { id: '' }, 'id: must not be empty'],
    ['an id that is a number', { id: 7 }, `id: ${invalid('string', 'number')}`],
    ['the id of another', { id: 'm-1' }, 'id: is that of messages[0], too'],
    ['the seq of the one before', { seq: 1 }, 'seq: must be above 1, that of the message before'],
    ['seq 0', { seq: 0 }, 'seq: too small: expected number to be >=1'],
    ['a time without a zone', { created_at: '2026-03-01T09:00:00' }, `created_at: ${noTime}`],
    ['a time that is none', { created_at: undefined, createdAt: 'x' }, `createdAt: ${noTime}`],
    ['metadata that is a list', { metadata: [] }, `metadata: ${invalid('object', 'array')}`],
    [
      'a summary that is none',
      { metadata: { summary: 'so far' } },
      `metadata.summary: ${invalid('object', 'string')}`,
    ],
    [
      'a summary without line',
      { metadata: { summary: { fromSeq: 1, throughSeq: 2 } } },
      `metadata.summary.line: ${invalid('array', 'undefined')}`,
    ],
    [
      'a visibility that is none',
      { metadata: { userVisible: 'no' } },
      `metadata.userVisible: ${invalid('boolean', 'string')}`,
    ],
  ])('a message with %s', (_, fields, message) => {
    expect(() => readConversations(withMessage(fields))).toThrow(
      new StoreError('invalid', `messages[1].${message}`),
    )
    expect(() => readConversations(json([envelope, JSON.parse(withMessage(fields))]))).toThrow(
      new StoreError('invalid', `[1].messages[1].${message}`),
    )
    const inLines = `${lines({ ...header, session: {} }, question)}\n${lines({ ...summary, ...fields })}`
    expect(() => readConversations(inLines)).toThrow(
      new StoreError('invalid', `line 4: messages[1].${message}`),
    )
    const bare = lines(question, { ...summary, ...fields })
    expect(() => readConversations(bare)).toThrow(new StoreError('invalid', `line 2: messages[1].${message}`))
  })

  it('a value nested too deep, and a number beyond what a double holds', () => {
    const deep = `${'['.repeat(1001)}${']'.repeat(1001)}`
    const line = (input: string) =>
      `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":${input}}]}\n`
    expect(() => readConversations(line(deep))).toThrow(
      /^line 1: messages\[0\]\.content.* is nested more than 1,000 levels deep$/,
    )
    expect(() => readConversations(line('{"x":1e999}'))).toThrow(
      new StoreError(
        'invalid',
        'line 1: messages[0].content[0].input.x is Infinity, which JSON does not have',
      ),
    )
    expect(() =>
      readConversations(`{"version":"1.0","session":{"metadata":{"x":${deep}}},"messages":[]}`),
    ).toThrow(/^session\.metadata.* is nested more than 1,000 levels deep$/)
  })
})

describe('a damaged file', () => {
  const file = (isLines: boolean) => (isLines ? lines(header, question, summary) : json(envelope))

  it('is refused wherever it is cut off, but behind a whole line', () => {
    const whole = lines(header, question, summary)
    for (let length = 1; length < whole.length - 1; length++) {
      const head = whole.slice(0, length)
      if (head.endsWith('\n') || whole[length] === '\n') continue
      const number = head.split('\n').length
      expect(() => readConversations(head)).toThrow(
        new StoreError('invalid', `line ${number}: not JSON (the text ends in the middle of a value)`),
      )
    }
  })

  it('is read or refused, and never fails otherwise', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.nat(),
        fc.nat({ max: 20 }),
        fc.string({ maxLength: 3 }),
        (isLines, at, cut, put) => {
          const text = file(isLines)
          const start = at % text.length
          try {
            readConversations(text.slice(0, start) + put + text.slice(start + cut))
          } catch (error) {
            expect(error).toBeInstanceOf(StoreError)
            expect(error).toMatchObject({ code: expect.stringMatching(/^(?:invalid|unsupported-version)$/) })
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
