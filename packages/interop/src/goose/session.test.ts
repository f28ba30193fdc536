import { restoreConversation, StoreError } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import { describe, expect, it } from 'vitest'
import { readGoose } from './session.ts'

const message = {
  id: 'msg_20260301_4_1b9c',
  role: 'user',
  created: 1_772_355_600,
  content: [{ type: 'text', text: 'why does the login test fail?' }],
  metadata: { userVisible: true, agentVisible: true },
}
const nested = {
  id: '20260301_4',
  working_dir: '/home/ana/shop',
  name: 'Fix login test',
  user_set_name: false,
  session_type: 'user',
  created_at: '2026-03-01T09:00:00Z',
  updated_at: '2026-03-01T09:05:12.123456789Z',
  extension_data: { 'todo.v0': { content: '- [ ] rerun' } },
  usage: {
    input_tokens: 1200,
    output_tokens: 90,
    total_tokens: 1290,
    cache_read_input_tokens: null,
    cache_write_input_tokens: 7,
  },
  accumulated_usage: {
    input_tokens: 4100,
    output_tokens: 300,
    total_tokens: 4400,
    cache_read_input_tokens: 50,
    cache_write_input_tokens: null,
  },
  accumulated_cost: 0.031,
  schedule_id: null,
  recipe: null,
  user_recipe_values: null,
  conversation: [message],
  message_count: 1,
  last_message_at: '2026-03-01T09:00:00Z',
  provider_name: 'anthropic',
  model_config: { model_name: 'claude-x' },
  goose_mode: 'auto',
  archived_at: '2026-03-02T00:00:00Z',
  project_id: null,
  parent_session_id: '20260301_1',
  last_message_snippet: 'why does',
}
const bare = { id: 'a', working_dir: '/w', conversation: null }
const sessionOf = (fields: object) => readGoose({ ...bare, ...fields })?.session

describe('readGoose', () => {
  it('reads a session with nested usage', () => {
    expect(readGoose(nested)).toStrictEqual({
      session: {
        name: 'Fix login test',
        nameSource: 'auto',
        type: 'user',
        workingDir: '/home/ana/shop',
        providerName: 'anthropic',
        modelConfig: { model_name: 'claude-x' },
        mode: 'auto',
        extensionData: { 'todo.v0': { content: '- [ ] rerun' } },
        tokenCounts: {
          last: { input: 1200, output: 90, total: 1290, cacheWrite: 7 },
          accumulated: { input: 4100, output: 300, total: 4400, cacheRead: 50, cost: 0.031 },
        },
        archivedAt: Date.UTC(2026, 2, 2),
        createdAt: Date.UTC(2026, 2, 1, 9),
        updatedAt: Date.UTC(2026, 2, 1, 9, 5, 12, 123),
        source: { agent: 'goose', sessionId: '20260301_4', digest: '' },
      },
      links: { parentSessionId: '20260301_1' },
      messages: [
        {
          id: 'msg_20260301_4_1b9c',
          role: 'user',
          content: [{ type: 'text', text: 'why does the login test fail?' }],
          createdAt: 1_772_355_600_000,
          metadata: { userVisible: true, agentVisible: true },
        },
      ],
      format: 'goose-json',
    })
  })

  it('reads a session with flat counts and a description', () => {
    const flat = {
      ...bare,
      description: 'Old name',
      total_tokens: 1290,
      input_tokens: 1200,
      output_tokens: 90,
      accumulated_total_tokens: 4400,
      accumulated_input_tokens: 4100,
      accumulated_output_tokens: null,
      accumulated_cost: 0.5,
    }
    expect(readGoose(flat)).toStrictEqual({
      session: {
        name: 'Old name',
        nameSource: 'auto',
        workingDir: '/w',
        tokenCounts: {
          last: { input: 1200, output: 90, total: 1290 },
          accumulated: { input: 4100, total: 4400, cost: 0.5 },
        },
        source: { agent: 'goose', sessionId: 'a', digest: '' },
      },
      messages: [],
      format: 'goose-json',
    })
  })

  it('reads flat counts beside empty nested ones', () => {
    expect(sessionOf({ usage: null, total_tokens: 3, accumulated_usage: null })?.tokenCounts).toStrictEqual({
      last: { total: 3 },
      accumulated: {},
    })
  })

  it('leaves out counts that are no numbers of tokens', () => {
    expect(
      sessionOf({ total_tokens: -5, input_tokens: '7', accumulated_cost: -1 })?.tokenCounts,
    ).toStrictEqual({
      last: {},
      accumulated: {},
    })
  })

  it.each([
    [{ name: 'Mine', user_set_name: true }, 'Mine', 'user'],
    [{ name: 'New Chat', user_set_name: true }, 'New Chat', 'user'],
    [{ name: 'Theirs' }, 'Theirs', 'auto'],
    [{ name: 'CLI Session' }, 'CLI Session', 'default'],
    [{ description: 'New Chat' }, 'New Chat', 'default'],
    [{ name: '', description: 'Older' }, 'Older', 'auto'],
    [{ name: '', user_set_name: true }, undefined, 'default'],
    [{}, undefined, 'default'],
    [{ name: ' two\nlines\u0007 ' }, 'two lines', 'auto'],
    [{ name: '😀'.repeat(501) }, '😀'.repeat(500), 'auto'],
    [{ name: 'half \ud83d' }, 'half \ufffd', 'auto'],
  ])('names the session after %j', (fields, name, nameSource) => {
    expect(sessionOf(fields)).toMatchObject({ nameSource })
    expect(sessionOf(fields)?.name).toBe(name)
  })

  it.each([
    ['sub_agent', 'sub_agent'],
    ['scheduled', 'scheduled'],
    ['something new', 'user'],
    [null, undefined],
  ])('takes the type %s for %s', (session_type, type) => {
    expect(sessionOf({ session_type })?.type).toBe(type)
  })

  it('keeps what sess has no field for in the metadata', () => {
    expect(
      sessionOf({
        schedule_id: 'daily',
        recipe: { title: 'R' },
        user_recipe_values: { a: '1' },
        project_id: 'p',
        future: false,
        nothing: null,
      })?.metadata,
    ).toStrictEqual({
      goose: {
        schedule_id: 'daily',
        recipe: { title: 'R' },
        user_recipe_values: { a: '1' },
        project_id: 'p',
        future: false,
      },
    })
  })

  it('has no source without an id', () => {
    expect(sessionOf({ id: null })).not.toHaveProperty('source')
  })

  it.each([
    ['null', null],
    ['a text', 'working_dir'],
    ['a list', [nested]],
    ['an export of sess', { format: 'sess', version: '1.0', session: { working_dir: '/w' }, messages: [] }],
    ['a message', { role: 'user', content: 'hi' }],
    ['a session without a conversation', { id: 'a', working_dir: '/w' }],
    ['a session without a working directory', { id: 'a', conversation: [] }],
  ])('is undefined for %s', (_, value) => {
    expect(readGoose(value)).toBeUndefined()
  })

  it.each([
    ['id', { id: 5 }, 'id: must be a string'],
    ['name', { name: [] }, 'name: must be a string'],
    [
      'created_at',
      { created_at: 'now' },
      'created_at: must be an ISO 8601 time with a zone, or epoch milliseconds',
    ],
    ['usage', { usage: 5 }, 'usage: must be an object'],
    ['model_config', { model_config: 'm' }, 'model_config: must be an object'],
    ['extension_data', { extension_data: [] }, 'extension_data: must be an object'],
    ['working_dir', { working_dir: 'a\nb' }, 'session.workingDir: must not contain control characters'],
    ['conversation', { conversation: {} }, 'conversation: must be an array of messages'],
    [
      'role',
      { conversation: [message, { ...message, role: 'x' }] },
      'conversation[1].role: must be one of user, assistant, system, tool',
    ],
  ])('refuses a bad %s', (_, fields, expected) => {
    expect(() => readGoose({ ...bare, ...fields })).toThrow(new StoreError('invalid', expected))
  })

  it('gives what a store imports and an agent gets back', async () => {
    const conversation = [
      message,
      {
        id: 'm2',
        role: 'assistant',
        created: 1_772_355_601,
        content: [
          { type: 'thinking', thinking: 'run it', signature: '' },
          {
            type: 'toolRequest',
            id: 'c',
            toolCall: { status: 'success', value: { name: 'sh', arguments: {} } },
          },
        ],
        metadata: {},
      },
      {
        id: 'm3',
        role: 'user',
        created: 1_772_355_602,
        content: [{ type: 'toolResponse', id: 'c', toolResult: { status: 'success', value: [] } }],
        metadata: {},
      },
      {
        id: 'm4',
        role: 'assistant',
        created: 1_772_355_603,
        content: [{ type: 'text', text: 'The clock.' }],
        metadata: {},
      },
    ]
    const read = readGoose({ ...nested, conversation })
    if (read === undefined) throw new Error('not read')
    const store = createMemoryStore()
    const { session, added } = await store.sessions.import(read.session, read.messages)
    expect(added).toBe(4)
    expect(session).toMatchObject({
      name: 'Fix login test',
      source: { agent: 'goose', sessionId: '20260301_4' },
    })
    expect((await restoreConversation(store, session.id)).messages).toStrictEqual([
      { role: 'user', content: [{ type: 'text', text: 'why does the login test fail?' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'The clock.' }] },
    ])
    expect((await store.sessions.import(read.session, read.messages)).outcome).toBe('unchanged')
  })
})
