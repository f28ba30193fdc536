import { describe, expect, test } from 'vitest'
import {
  damagedMessage,
  isDamaged,
  type MessageRecord,
  readMessages,
  readSession,
  type SessionRecord,
  toMessage,
  toSession,
} from './records.ts'

const message: MessageRecord = {
  messageId: 'm1',
  seq: 3,
  role: 'assistant',
  createdAt: 1000,
  metadataJson: '{"model":"m"}',
  contentJson: '[{"type":"text","text":"hi"},{"type":"x_unknown","__proto__":{"a":1}}]',
}

describe('toMessage', () => {
  test('gives the message of a row', () => {
    const read = toMessage('s1', message)
    expect(read).toEqual({
      id: 'm1',
      sessionId: 's1',
      seq: 3,
      role: 'assistant',
      content: JSON.parse(message.contentJson),
      createdAt: 1000,
      metadata: { model: 'm' },
    })
    expect(isDamaged(read)).toBe(false)
  })

  test.each<[Partial<MessageRecord>, string]>([
    [{ role: 'developer' }, 'unknown role "developer"'],
    [{ role: '' }, 'unknown role ""'],
    [{ contentJson: '' }, 'content is not JSON'],
    [{ contentJson: '[{"type":"te' }, 'content is not JSON'],
    [{ contentJson: null as never }, 'content is not JSON'],
    [{ contentJson: new Uint8Array(2) as never }, 'content is not JSON'],
    [{ contentJson: 'null' }, 'content is not an array of blocks'],
    [{ contentJson: '"hi"' }, 'content is not an array of blocks'],
    [{ contentJson: '{"type":"text"}' }, 'content is not an array of blocks'],
    [{ contentJson: '["hi"]' }, 'content is not an array of blocks'],
    [{ contentJson: '[{"text":"hi"}]' }, 'content is not an array of blocks'],
    [{ contentJson: '[{"type":5}]' }, 'content is not an array of blocks'],
    [{ metadataJson: '' }, 'metadata is not a JSON object'],
    [{ metadataJson: '[]' }, 'metadata is not a JSON object'],
    [{ metadataJson: 'null' }, 'metadata is not a JSON object'],
  ])('%j is damaged', (change, reason) => {
    const read = toMessage('s1', { ...message, ...change })
    expect(read).toEqual({ seq: 3, reason })
    expect(isDamaged(read)).toBe(true)
  })

  test('a damaged row never hides its neighbours', () => {
    const rows = [message, { ...message, seq: 4, contentJson: '{' }, { ...message, seq: 5 }]
    const { messages, damaged } = readMessages('s1', rows)
    expect(messages.map(({ seq }) => seq)).toEqual([3, 5])
    expect(damaged).toEqual([{ seq: 4, reason: 'content is not JSON' }])
  })

  test('asked for alone, it is corrupt', () => {
    expect(damagedMessage('s1', { seq: 4, reason: 'content is not JSON' })).toMatchObject({
      code: 'corrupt',
      message: 'message 4 of session "s1" is damaged: content is not JSON',
    })
  })
})

const bare: SessionRecord = {
  rowId: 1,
  id: 's1',
  name: 'Trip',
  nameSource: 'auto',
  sessionType: 'acp',
  ownerId: '',
  workingDir: null,
  channelType: null,
  channelKey: null,
  parentSessionId: null,
  forkedFromSessionId: null,
  forkedFromSeq: null,
  branchOf: null,
  sourceAgent: null,
  sourceSessionId: null,
  sourceDigest: null,
  providerName: null,
  mode: null,
  preview: '',
  pinned: 0,
  archivedAt: null,
  deletedAt: null,
  createdAt: 1,
  updatedAt: 2,
  lastActiveAt: 3,
  messageCount: 4,
  nextSeq: 5,
  version: 6,
  changeSeq: 7,
  contextStartSeq: 1,
  contextSummarySeq: null,
  tokenCounts: '{"last":{"input":1},"accumulated":{"input":9}}',
  modelConfig: null,
  extensionData: '{}',
  metadata: '{"a":1}',
}

function read(changes: Partial<SessionRecord>) {
  const told: string[] = []
  return { session: toSession({ ...bare, ...changes }, ['a'], (what) => told.push(what)), told }
}

describe('toSession', () => {
  test('leaves out what is absent', () => {
    expect(read({})).toStrictEqual({
      told: [],
      session: {
        id: 's1',
        name: 'Trip',
        nameSource: 'auto',
        type: 'acp',
        ownerId: '',
        extensionData: {},
        metadata: { a: 1 },
        tags: ['a'],
        tokenCounts: { last: { input: 1 }, accumulated: { input: 9 } },
        pinned: false,
        createdAt: 1,
        updatedAt: 2,
        lastActiveAt: 3,
        messageCount: 4,
        nextSeq: 5,
        preview: '',
        context: { startSeq: 1 },
        version: 6,
        changeSeq: 7,
      },
    })
  })

  test('gives what is there, zero times too', () => {
    const filled = read({
      workingDir: '/tmp',
      channelType: 'web',
      channelKey: '9',
      parentSessionId: 'p',
      forkedFromSessionId: 'f',
      forkedFromSeq: 0,
      branchOf: 'b',
      sourceAgent: 'goose',
      sourceSessionId: 'g1',
      sourceDigest: 'd',
      providerName: 'x',
      mode: 'auto',
      modelConfig: '{"t":1}',
      pinned: 1,
      archivedAt: 0,
      deletedAt: 0,
      contextSummarySeq: 2,
    })
    expect(filled.session).toMatchObject({
      workingDir: '/tmp',
      channelType: 'web',
      channelKey: '9',
      parentSessionId: 'p',
      forkedFrom: { sessionId: 'f', seq: 0 },
      branchOf: 'b',
      source: { agent: 'goose', sessionId: 'g1', digest: 'd' },
      providerName: 'x',
      mode: 'auto',
      modelConfig: { t: 1 },
      pinned: true,
      archivedAt: 0,
      deletedAt: 0,
      context: { startSeq: 1, summarySeq: 2 },
    })
    expect(filled.told).toEqual([])
  })

  test.each<[Partial<SessionRecord>, object, string[]]>([
    [{ metadata: '{' }, { metadata: {} }, ['session "s1": metadata is not a JSON object']],
    [{ extensionData: '[]' }, { extensionData: {} }, ['session "s1": extension_data is not a JSON object']],
    [{ modelConfig: 'null' }, { modelConfig: {} }, ['session "s1": model_config is not a JSON object']],
    [
      { tokenCounts: '5' },
      { tokenCounts: { last: {}, accumulated: {} } },
      ['session "s1": token_counts is not a JSON object'],
    ],
    [
      { tokenCounts: '{"last":[]}' },
      { tokenCounts: { last: {}, accumulated: {} } },
      ['session "s1": token_counts.last holds what is no count'],
    ],
    [
      { tokenCounts: '{"last":{"input":1},"accumulated":{"input":"9","output":3,"cost":null}}' },
      { tokenCounts: { last: { input: 1 }, accumulated: { output: 3 } } },
      ['session "s1": token_counts.accumulated holds what is no count'],
    ],
    [{ sessionType: 'bot' }, { type: 'hidden' }, ['session "s1": unknown type "bot" read as hidden']],
    // A name of unknown origin is never overwritten by a model's.
    [{ nameSource: 'robot' }, { nameSource: 'user' }, []],
  ])('reads %j as %j and tells of it', (change, expected, told) => {
    const answer = read(change)
    expect(answer.session).toMatchObject(expected)
    expect(answer.told).toEqual(told)
  })
})

describe('a row that another program wrote', () => {
  test.each<[Partial<{ readonly [field in keyof SessionRecord]: unknown }>, string]>([
    [{ createdAt: 'abc' }, 'created_at holds text, not an integer'],
    [{ lastActiveAt: 1.5 }, 'last_active_at holds the number 1.5, not an integer'],
    [{ nextSeq: 2 ** 53 }, 'next_seq holds the number 9007199254740992, not an integer'],
    [{ archivedAt: new Uint8Array(1) }, 'archived_at holds bytes, not an integer'],
    [{ name: new Uint8Array(1) }, 'name holds bytes, not text'],
    [{ preview: null }, 'preview holds nothing, not text'],
  ])('is named where it is asked for, and left out of a page: %j', (change, damage) => {
    const row = { ...bare, ...change } as SessionRecord
    const message = `the row "s1" of sessions is damaged: ${damage}`
    expect(() => toSession(row, [], () => {})).toThrow(expect.objectContaining({ code: 'corrupt', message }))
    const told: string[] = []
    expect(readSession(row, [], (what) => told.push(what))).toBeUndefined()
    expect(told).toEqual([message])
  })

  test.each<[object, string]>([
    [{ createdAt: 'abc' }, 'created_at holds text, not an integer'],
    [{ messageId: new Uint8Array(1) }, 'message_id holds bytes, not text'],
    [{ seq: 1.5 }, 'seq holds the number 1.5, not an integer'],
  ])('is a damaged message: %j', (change, reason) => {
    const row = {
      messageId: 'm',
      seq: 1,
      role: 'user',
      createdAt: 1,
      metadataJson: '{}',
      contentJson: '[]',
      ...change,
    }
    expect(toMessage('s', row as MessageRecord)).toEqual({ seq: row.seq, reason })
  })
})
