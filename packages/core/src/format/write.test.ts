import { describe, expect, it } from 'vitest'
import type { Message } from '../types/message.ts'
import type { Session } from '../types/session.ts'
import { exportLines, toExport } from './write.ts'

const at = Date.UTC(2026, 2, 1, 9)

const bare: Session = {
  id: '20260301_4',
  name: 'New session',
  nameSource: 'default',
  type: 'user',
  ownerId: '',
  extensionData: {},
  metadata: {},
  tags: [],
  tokenCounts: { last: {}, accumulated: {} },
  pinned: false,
  createdAt: at,
  updatedAt: at,
  lastActiveAt: at,
  messageCount: 0,
  nextSeq: 1,
  preview: '',
  context: { startSeq: 1 },
  version: 1,
  changeSeq: 1,
}

const full: Session = {
  ...bare,
  name: 'Login test',
  nameSource: 'user',
  type: 'gateway',
  ownerId: 'ana',
  workingDir: '/home/ana/shop',
  channelType: 'telegram',
  channelKey: '42',
  parentSessionId: '20260301_1',
  forkedFrom: { sessionId: '20260301_2', seq: 7 },
  branchOf: '20260301_3',
  source: { agent: 'goose', sessionId: '20260201_9', digest: 'abc' },
  providerName: 'anthropic',
  modelConfig: { modelName: 'm', temperature: 0 },
  mode: 'auto',
  extensionData: { 'todo.v0': { isDone: false } },
  metadata: { camelKey: null },
  tags: ['a', 'b'],
  tokenCounts: {
    last: { input: 1, output: 2, total: 3, cacheRead: 4, cacheWrite: 5, cost: 0.5 },
    accumulated: { input: 10, cost: 1.5 },
  },
  pinned: true,
  archivedAt: at + 1,
  deletedAt: at + 2,
  updatedAt: at + 3,
  lastActiveAt: at + 4,
  messageCount: 2,
  nextSeq: 9,
  preview: 'hello',
  context: { startSeq: 5, summarySeq: 8 },
  version: 12,
  changeSeq: 34,
}

const messages: Message[] = [
  {
    id: 'm-1',
    sessionId: '20260301_4',
    seq: 1,
    role: 'user',
    content: [{ type: 'text', text: 'line one\nand\u2028two\u2029 \ud83d' }],
    createdAt: at,
    metadata: { userVisible: true, usage: { cacheRead: 3 } },
  },
  {
    id: 'm-2',
    sessionId: '20260301_4',
    seq: 8,
    role: 'assistant',
    content: JSON.parse('[{"type":"x_other","__proto__":{"a":1},"camelKey":[]}]'),
    createdAt: at + 1,
    metadata: { summary: { fromSeq: 1, throughSeq: 4, line: [] } },
  },
]

async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const line of lines) found.push(line)
  return found
}

describe('toExport', () => {
  it('writes the fields in snake_case and the times as ISO 8601, and leaves inside what is stored', () => {
    expect(toExport(full, messages, at + 5)).toStrictEqual({
      format: 'sess',
      version: '1.0',
      exported_at: '2026-03-01T09:00:00.005Z',
      session: {
        id: '20260301_4',
        name: 'Login test',
        name_source: 'user',
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
        model_config: { modelName: 'm', temperature: 0 },
        mode: 'auto',
        extension_data: { 'todo.v0': { isDone: false } },
        metadata: { camelKey: null },
        tags: ['a', 'b'],
        token_counts: {
          last: { input: 1, output: 2, total: 3, cache_read: 4, cache_write: 5, cost: 0.5 },
          accumulated: { input: 10, cost: 1.5 },
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
      },
      messages: [
        {
          id: 'm-1',
          seq: 1,
          role: 'user',
          content: [{ type: 'text', text: 'line one\nand\u2028two\u2029 \ud83d' }],
          created_at: '2026-03-01T09:00:00.000Z',
          metadata: { userVisible: true, usage: { cacheRead: 3 } },
        },
        {
          id: 'm-2',
          seq: 8,
          role: 'assistant',
          content: JSON.parse('[{"type":"x_other","__proto__":{"a":1},"camelKey":[]}]'),
          created_at: '2026-03-01T09:00:00.001Z',
          metadata: { summary: { fromSeq: 1, throughSeq: 4, line: [] } },
        },
      ],
    })
  })

  it('leaves absent fields out', () => {
    const { session } = toExport(bare, [], at)
    expect(Object.keys(session)).toStrictEqual([
      'id',
      'name',
      'name_source',
      'type',
      'owner_id',
      'extension_data',
      'metadata',
      'tags',
      'token_counts',
      'pinned',
      'created_at',
      'updated_at',
      'last_active_at',
      'message_count',
      'next_seq',
      'preview',
      'context',
      'version',
      'change_seq',
    ])
    expect(session.token_counts).toStrictEqual({ last: {}, accumulated: {} })
    expect(session.context).toStrictEqual({ start_seq: 1 })
  })
})

describe('exportLines', () => {
  it('writes the header, then one message a line, each with its line end', async () => {
    const { messages: exported, ...header } = toExport(full, messages, at)
    const lines = await linesOf(exportLines(full, messages, at))
    expect(lines.map((line) => JSON.parse(line))).toStrictEqual([header, ...exported])
    expect(lines.map((line) => line.indexOf('\n') === line.length - 1)).toStrictEqual([true, true, true])
  })

  it('writes no character that a reader could take for a line end', async () => {
    const text = (await linesOf(exportLines(full, messages, at))).join('')
    expect(text).not.toMatch(/[\r\u2028\u2029]/)
    expect(text).toContain('line one\\nand\\u2028two\\u2029 \\ud83d')
    expect(text).toContain('"__proto__":{"a":1}')
  })

  it('takes messages as they come', async () => {
    async function* later() {
      yield* messages
    }
    const lines = await linesOf(exportLines(full, later(), at))
    expect(lines).toStrictEqual(await linesOf(exportLines(full, messages, at)))
  })

  it('writes a header alone for a session without messages', async () => {
    expect(await linesOf(exportLines(bare, [], at))).toHaveLength(1)
  })
})
