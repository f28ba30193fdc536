import { describe, expect, it } from 'vitest'
import { StoreError } from '../errors.ts'
import { readConversations } from './read.ts'

const sessionFields = {
  id: '20260301_4',
  name: 'Login test',
  name_source: 'auto',
  type: 'gateway',
  owner_id: 'ana',
  working_dir: '/home/ana/shop',
  channel_type: 'telegram',
  channel_key: '42',
  parent_session_id: '20260301_1',
  forked_from: { session_id: '20260301_2', seq: 7 },
  branch_of: '20260301_3',
  source: { agent: 'goose', session_id: '20260201_9', digest: 'abc' },
  provider_name: 'anthropic',
  model_config: { modelName: 'm' },
  mode: 'auto',
  extension_data: { 'todo.v0': {} },
  metadata: { camelKey: null },
  tags: ['b', 'a'],
  token_counts: {
    last: { input: 1, cache_read: 4, cache_write: 5, cost: 0.5 },
    accumulated: { input: 10, output: 2, total: 12 },
  },
  pinned: true,
  archived_at: '2026-03-01T09:00:00.001Z',
  deleted_at: '2026-03-01T09:00:00.002Z',
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.003Z',
  last_active_at: '2026-03-01T09:00:00.004Z',
  message_count: 2,
  next_seq: 9,
  preview: 'hello',
  context: { start_seq: 5, summary_seq: 8 },
  version: 12,
  change_seq: 34,
}
const at = Date.UTC(2026, 2, 1, 9)
const question = { id: 'm-1', seq: 1, role: 'user', content: [{ type: 'text', text: 'hello' }], metadata: {} }
const summary = {
  id: 'm-2',
  seq: 8,
  role: 'user',
  content: [{ type: 'text', text: 'so far' }],
  created_at: '2026-03-01T09:00:01.000Z',
  metadata: { summary: { fromSeq: 1, throughSeq: 4, line: [] } },
}
const header = {
  format: 'sess',
  version: '1.0',
  exported_at: '2026-03-01T10:00:00.000Z',
  session: sessionFields,
}
const envelope = { ...header, messages: [question, summary] }
const imported = {
  session: {
    name: 'Login test',
    nameSource: 'auto',
    type: 'gateway',
    ownerId: 'ana',
    workingDir: '/home/ana/shop',
    channelType: 'telegram',
    channelKey: '42',
    parentSessionId: '20260301_1',
    forkedFrom: { sessionId: '20260301_2', seq: 7 },
    branchOf: '20260301_3',
    source: { agent: 'sess', sessionId: '20260301_4', digest: '' },
    providerName: 'anthropic',
    modelConfig: { modelName: 'm' },
    mode: 'auto',
    extensionData: { 'todo.v0': {} },
    metadata: { camelKey: null },
    tags: ['b', 'a'],
    tokenCounts: {
      last: { input: 1, cacheRead: 4, cacheWrite: 5, cost: 0.5 },
      accumulated: { input: 10, output: 2, total: 12 },
    },
    pinned: true,
    archivedAt: at + 1,
    createdAt: at,
    updatedAt: at + 3,
    lastActiveAt: at + 4,
    nextSeq: 9,
    context: { startSeq: 5, summarySeq: 8 },
  },
  messages: [
    question,
    {
      id: 'm-2',
      seq: 8,
      role: 'user',
      content: [{ type: 'text', text: 'so far' }],
      createdAt: at + 1000,
      metadata: { summary: { fromSeq: 1, throughSeq: 4, line: [] } },
    },
  ],
}

const json = (value: unknown) => JSON.stringify(value)
const lines = (...values: unknown[]) => values.map((value) => `${json(value)}\n`).join('')

describe('readConversations', () => {
  it('reads a JSON export, on one line or on many', () => {
    const expected = [{ ...imported, format: 'sess-json' }]
    expect(readConversations(json(envelope))).toStrictEqual(expected)
    expect(readConversations(JSON.stringify(envelope, null, 2))).toStrictEqual(expected)
  })

  it('reads an array of exports, also an empty one', () => {
    const other = { version: '1.0', session: { id: 'b' }, messages: [] }
    expect(readConversations(json([envelope, other]))).toStrictEqual([
      { ...imported, format: 'sess-json' },
      {
        session: { source: { agent: 'sess', sessionId: 'b', digest: '' } },
        messages: [],
        format: 'sess-json',
      },
    ])
    expect(readConversations('[]')).toStrictEqual([])
  })

  it('reads lines, session after session', () => {
    const second = { ...header, session: { id: 'b' } }
    expect(readConversations(lines(header, question, summary, second, question))).toStrictEqual([
      { ...imported, format: 'sess-jsonl' },
      {
        session: { source: { agent: 'sess', sessionId: 'b', digest: '' } },
        messages: [question],
        format: 'sess-jsonl',
      },
    ])
  })

  it('reads a header alone on its line as a session without messages', () => {
    const empty = { format: 'sess', version: '1.0', session: { id: 'b' } }
    expect(readConversations(json(empty))).toStrictEqual([
      {
        session: { source: { agent: 'sess', sessionId: 'b', digest: '' } },
        messages: [],
        format: 'sess-jsonl',
      },
    ])
  })

  it('reads exports one a line', () => {
    expect(readConversations(lines(envelope, envelope))).toStrictEqual([
      { ...imported, format: 'sess-json' },
      { ...imported, format: 'sess-json' },
    ])
  })

  it('reads lines of bare messages as one session without source', () => {
    const text = lines(
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'text', text: 'hi' }], createdAt: at, id: 'a', extra: 1 },
      { role: 'user', content: 'bye', created_at: '2026-03-01T09:00:00Z', seq: 9, sessionId: 'x' },
    )
    expect(readConversations(text)).toStrictEqual([
      {
        session: {},
        messages: [
          { role: 'user', content: 'hello' },
          { id: 'a', role: 'assistant', content: [{ type: 'text', text: 'hi' }], createdAt: at },
          { seq: 9, role: 'user', content: 'bye', createdAt: at },
        ],
        format: 'message-lines',
      },
    ])
  })

  it('reads one bare message, also over many lines', () => {
    const expected = [{ session: {}, messages: [{ role: 'user', content: 'hi' }], format: 'message-lines' }]
    expect(readConversations('{"role":"user","content":"hi"}')).toStrictEqual(expected)
    expect(readConversations('{\n"role":"user",\n"content":"hi"\n}')).toStrictEqual(expected)
  })

  it.each(['', '\ufeff', '\n', ' \r\n\t\n'])('finds no conversation in a text of blanks: %j', (text) => {
    expect(readConversations(text)).toStrictEqual([])
  })

  it('tolerates a byte order mark, CRLF, blank lines and a missing last line end', () => {
    const text = `\ufeff\n${lines(header, question, summary).replaceAll('\n', '\r\n\r\n')}`
    const expected = [{ ...imported, format: 'sess-jsonl' }]
    expect(readConversations(text)).toStrictEqual(expected)
    expect(readConversations(text.trimEnd())).toStrictEqual(expected)
    expect(readConversations(`\ufeff${json(envelope)}\r\n`)).toStrictEqual([
      { ...imported, format: 'sess-json' },
    ])
  })

  it('does not end a line at U+2028, U+2029, U+0085 or a lone carriage return', () => {
    const text = 'a\u2028b\u2029c\u0085d'
    const [found] = readConversations(
      `{"role":"user",\r"content":"${text}"}\n{"role":"user","content":"e"}\n`,
    )
    expect(found?.messages).toStrictEqual([
      { role: 'user', content: text },
      { role: 'user', content: 'e' },
    ])
  })

  it('keeps own keys named __proto__, and content and metadata as they stand', () => {
    const content =
      '[{"type":"x_other","__proto__":{"a":1},"nested":{"__proto__":"x","constructor":{"prototype":1}}}]'
    const metadata = '{"__proto__":{"userVisible":false},"b":1,"a":null}'
    const line = `{"role":"user","content":${content},"metadata":${metadata},"__proto__":{"id":"no"}}`
    const session = '{"metadata":{"__proto__":{"a":1}},"__proto__":{"name":"no"}}'
    const [found] = readConversations(`{"version":"1.0","session":${session}}\n${line}\n`)
    expect(json(found?.messages)).toBe(`[{"role":"user","content":${content},"metadata":${metadata}}]`)
    expect(json(found?.session)).toBe('{"metadata":{"__proto__":{"a":1}}}')
  })

  it('takes null for absent, and ignores what it does not know', () => {
    const loose = {
      version: '1.7',
      exported_at: null,
      children: [],
      session: {
        id: null,
        name: null,
        forked_from: null,
        token_counts: { last: null, accumulated: { input: 1, output: null, audio: 2 } },
        context: { start_seq: 1, summary_seq: null },
        archived_at: null,
        future: { x: 1 },
        preview: 5,
        message_count: 'many',
      },
      messages: [
        { id: null, seq: null, role: 'user', content: 'hi', created_at: null, metadata: null, future: 1 },
      ],
    }
    expect(readConversations(json(loose))).toStrictEqual([
      {
        session: { tokenCounts: { last: {}, accumulated: { input: 1 } }, context: { startSeq: 1 } },
        messages: [{ role: 'user', content: 'hi' }],
        format: 'sess-json',
      },
    ])
  })

  it('reads times as numbers and with any offset', () => {
    const session = { created_at: at, updated_at: '2026-03-01T10:00:00+01:00' }
    const [found] = readConversations(json({ version: '1.0', session, messages: [] }))
    expect(found?.session).toStrictEqual({ createdAt: at, updatedAt: at })
  })
})

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
      'line 101: not JSON (the text ends in the middle of a value)',
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
