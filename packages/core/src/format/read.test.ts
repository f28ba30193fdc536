import { describe, expect, it } from 'vitest'
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
  links: {
    parentSessionId: '20260301_1',
    forkedFrom: { sessionId: '20260301_2', seq: 7 },
    branchOf: '20260301_3',
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
