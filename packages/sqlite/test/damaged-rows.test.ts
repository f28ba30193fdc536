// What another program may have written into a file: any type in any column. The row is named where it is asked for, left
// out of pages, and takes nothing else down.

import { isStoreError, type SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { assistant, closeLater, turns, user } from './stores.ts'

const toolUse = { type: 'tool_use', id: 't', name: 'n', input: {} }

/** Two sessions in a thread: `s`, of messages `m1` to `m6` with a summary, and `other`. */
async function makeStore() {
  const database = new Database(':memory:')
  const told: unknown[] = []
  const quiet = () => {}
  const logger = { debug: quiet, info: quiet, warn: (fields: object) => told.push(fields), error: quiet }
  let now = 1000
  const store = closeLater(await openSqliteStore({ database, logger, clock: () => now++ }))
  const mixed = [{ type: 'text', text: 'look' }, toolUse]
  const first = [user('q1', { id: 'm1' }), assistant(mixed, { id: 'm2' }), assistant('a1', { id: 'm3' })]
  const createSession = { tags: ['x', 'y'], channelType: 'c', channelKey: 'k' }
  await store.messages.append('s', first, { createSession, operationId: 'first' })
  await store.messages.compact('s', { throughSeq: 2, summary: assistant('sum', { id: 'm4' }) })
  await store.messages.append('s', [user('q2', { id: 'm5' }), assistant('a2', { id: 'm6' })])
  await store.messages.append('other', turns(1), { createSession: true })
  await store.sessions.import({ id: 'i', source, tokenCounts: usage }, turns(1))
  for (const id of ['t', 'u']) await store.threads.create({ id, name: id })
  for (const id of ['s', 'other']) await store.threads.attach('t', id)
  await store.sessions.create({ id: 'gone' })
  await store.sessions.remove('gone', { purge: true })
  const damage = (sql: string) => {
    database.pragma('foreign_keys = OFF')
    database.exec(sql)
    database.pragma('foreign_keys = ON')
  }
  return { database, store, told, damage }
}

const source = { agent: 'a', sessionId: '1', digest: '' }
const usage = { last: {}, accumulated: { input: 4 } }

/** Every id that pages of one row come to. */
async function page(
  read: (page: {
    limit: number
    cursor?: string
  }) => Promise<{ readonly items: readonly { readonly id: string }[]; readonly nextCursor?: string }>,
): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < 20; pages++) {
    const { items, nextCursor } = await read({ limit: 1, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...items.map(({ id }) => id))
    if (nextCursor === undefined) return found
    cursor = nextCursor
  }
  throw new Error('the pages do not end')
}

describe('a session', () => {
  test.each([
    ['created_at', "'abc'", 'created_at holds text, not an integer'],
    ['last_active_at', "'abc'", 'last_active_at holds text, not an integer'],
    ['last_active_at', '9223372036854775807', /^last_active_at holds the number 9223372036854776000, not an/],
    [
      'last_active_at',
      '-9223372036854775807',
      /^last_active_at holds the number -9223372036854776000, not an/,
    ],
    ['next_seq', '1.5', 'next_seq holds the number 1.5, not an integer'],
    ['name', "x'00ff'", 'name holds bytes, not text'],
    ['preview', "x'00ff'", 'preview holds bytes, not text'],
  ])('of %s = %s is corrupt by id, left out of lists and told of', async (column, value, damage) => {
    const { store, told, damage: write } = await makeStore()
    write(`UPDATE sessions SET ${column} = ${value} WHERE id = 's'`)
    const error = await store.sessions.get('s').catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'corrupt', operation: 'sessions.get' })
    const start = 'the row "s" of sessions is damaged: '
    const { message } = error as Error
    expect(message.slice(0, start.length)).toBe(start)
    expect(message.slice(start.length)).toMatch(damage)
    told.length = 0
    expect((await store.sessions.list()).items.map(({ id }) => id)).toEqual(['i', 'other'])
    expect(told).toMatchObject([{ what: message }])
    for (const query of [{ order: 'asc' }, { sort: 'created', order: 'asc' }, { types: 'all' }] as const) {
      const ids = await page((request) => store.sessions.list({ ...query, ...request }))
      expect(ids.toSorted()).toEqual(['i', 'other'])
    }
    expect(await page((request) => store.threads.sessions('t', request))).toEqual(['other'])
    expect((await store.messages.read('s')).items.length).toBe(6)
    expect((await store.messages.append('other', [user('x')])).firstSeq).toBe(3)
    expect(await store.sessions.remove('s')).toBe(true)
  })

  test('keeps its readable tags, and lists go on', async () => {
    const { store, told, damage } = await makeStore()
    damage("UPDATE session_tags SET tag = x'00ff' WHERE tag = 'x'")
    expect((await store.sessions.get('s'))?.tags).toEqual(['y'])
    expect(told).toMatchObject([{ what: 'session "s": a tag is no text' }])
    expect((await store.sessions.list({ tags: ['y'] })).items.map(({ id }) => id)).toEqual(['s'])
  })

  test('of a type that nobody knows is a hidden one: in no plain list, and there by id', async () => {
    const { store, damage } = await makeStore()
    damage("UPDATE sessions SET session_type = 'robot' WHERE id = 's'")
    expect((await store.sessions.list()).items.map(({ id }) => id)).toEqual(['i', 'other'])
    expect((await store.sessions.get('s'))?.type).toBe('hidden')
  })

  test('of a change number that is none takes no other out of the feed, and the next number goes on', async () => {
    const { store, damage } = await makeStore()
    const { changeSeq = 0 } = (await store.sessions.get('i')) ?? {}
    damage("UPDATE sessions SET change_seq = 'abc' WHERE id = 's'")
    const { changes, token } = await store.changes.since()
    expect(changes.map(({ sessionId }) => sessionId)).toEqual(['other', 'i', 'gone'])
    expect((await store.changes.since(token)).changes).toEqual([])
    expect((await store.sessions.update('other', { name: 'n' })).changeSeq).toBe(changeSeq + 3)
  })
})

describe('a message', () => {
  test('of a time that is none is reported in its page and corrupt by id', async () => {
    const { store, damage } = await makeStore()
    damage("UPDATE messages SET created_at = 'abc' WHERE message_id = 'm5'")
    const damaged = { seq: 5, reason: 'created_at holds text, not an integer' }
    const { items, damaged: reported } = await store.messages.read('s')
    expect([items.map(({ seq }) => seq), reported]).toEqual([[1, 2, 3, 4, 6], [damaged]])
    await expect(store.messages.get('s', 'm5')).rejects.toMatchObject({
      code: 'corrupt',
      message: `message 5 of session "s" is damaged: ${damaged.reason}`,
    })
    const timeline = await store.threads.timeline('t')
    expect(timeline.items.length).toBe(7)
    expect(timeline.damaged).toEqual([{ sessionId: 's', ...damaged }])
    const ids = await page((request) => store.threads.timeline('t', request))
    expect(ids.slice(0, 5)).toEqual(['m1', 'm2', 'm3', 'm4', 'm6'])
    expect(ids.length).toBe(7)
  })

  test.each(["'{'", "x'00ff'", '\'[{"type":"text","text":5}]\'', "'5'"])(
    'of text %s is passed over by previews, and the rest of its history changes',
    async (text) => {
      const { store, damage } = await makeStore()
      damage(`UPDATE messages SET text_json = ${text} WHERE message_id = 'm2'`)
      expect(await store.messages.remove('s', ['m3', 'm4', 'm5', 'm6'])).toBe(4)
      expect((await store.sessions.get('s'))?.preview).toBe('q1')
      expect((await store.messages.get('s', 'm2'))?.content[1]).toEqual(toolUse)
      expect((await store.sessions.fork('s')).preview).toBe('q1')
    },
  )

  test.each([
    '{"summary":5}',
    '{"summary":null}',
    '{"summary":{"fromSeq":1,"throughSeq":2}}',
    '{"summary":{"fromSeq":-4,"throughSeq":2,"line":[]}}',
    '{"summary":{"fromSeq":1,"throughSeq":9007199254740991,"line":[]}}',
    '{"summary":{"fromSeq":1,"throughSeq":2,"line":[null]}}',
  ])('of metadata %s stands for nothing: when it goes the context stays where it is', async (metadata) => {
    const { store, damage } = await makeStore()
    damage(`UPDATE messages SET metadata_json = '${metadata}' WHERE message_id = 'm4'`)
    expect((await store.messages.recentTurns('s', { turns: 1 })).turns).toEqual([
      { seq: 5, interrupted: false },
    ])
    expect(await store.messages.remove('s', ['m4'])).toBe(1)
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 3 })
  })
})

describe('a thread', () => {
  test.each([
    ["updated_at = 'abc'", 'updated_at holds text, not an integer'],
    ['updated_at = 9223372036854775807', /^updated_at holds the number 92233/],
    ["name = x'00ff'", 'name holds bytes, not text'],
  ])('of %s is corrupt by id and left out of lists', async (change, damage) => {
    const { store, damage: write } = await makeStore()
    write(`UPDATE threads SET ${change} WHERE thread_id = 't'`)
    const error = await store.threads.get('t').catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'corrupt' })
    expect((error as Error).message.replace('the row "t" of threads is damaged: ', '')).toMatch(damage)
    expect(await page((request) => store.threads.list(request))).toEqual(['u'])
  })

  test('of broken metadata is given without, and told of', async () => {
    const { store, told, damage } = await makeStore()
    damage("UPDATE threads SET metadata = '[1]' WHERE thread_id = 't'")
    expect((await store.threads.get('t'))?.metadata).toEqual({})
    expect(told).toMatchObject([{ what: 'thread "t": metadata is not a JSON object' }])
  })
})

test('an operation that cannot be read is named', async () => {
  const { store, damage } = await makeStore()
  damage("UPDATE operations SET first_seq = 'abc'")
  const again = store.messages.append('s', [user('q1', { id: 'm1' })], { operationId: 'first' })
  await expect(again).rejects.toMatchObject({
    code: 'corrupt',
    message: 'the row "first" of operations is damaged: first_seq holds text, not an integer',
  })
})

test('a horizon of the change feed that cannot be read is named', async () => {
  const { store, damage } = await makeStore()
  damage("UPDATE schema_meta SET value = 'abc' WHERE key = 'feed_horizon'")
  await expect(store.changes.since()).rejects.toMatchObject({
    code: 'corrupt',
    message: 'the row "feed_horizon" of schema_meta is damaged: value holds text, not an integer',
  })
})

test('a table that is gone is corrupt, and the others are read', async () => {
  const { store, damage } = await makeStore()
  damage('DROP TABLE thread_sessions')
  await expect(store.threads.get('t')).rejects.toMatchObject({ code: 'corrupt' })
  expect((await store.messages.read('other')).items.length).toBe(2)
  expect((await store.messages.append('other', [user('x')])).firstSeq).toBe(3)
})

/** One of each kind of method; those that write are rolled back. */
const methods: readonly ((
  store: Pick<SessionStore, 'sessions' | 'messages' | 'threads'>,
) => Promise<unknown>)[] = [
  ({ sessions }) => sessions.get('s'),
  ({ sessions }) => sessions.list({ types: 'all', archived: 'any', deleted: 'any', metadata: { a: 1 } }),
  ({ sessions }) => sessions.list({ pinnedFirst: true, tags: ['x'] }),
  ({ sessions }) => sessions.current({ channelType: 'c', channelKey: 'k' }),
  ({ sessions }) => sessions.update('s', { name: 'n' }),
  ({ sessions }) => sessions.addUsage('s', { input: 1 }),
  ({ sessions }) => sessions.resetContext('s'),
  ({ sessions }) => sessions.fork('s', { atSeq: 5 }),
  ({ sessions }) => sessions.rewind('s', { toSeq: 2 }),
  ({ sessions }) => sessions.remove('s').then(() => sessions.undelete('s')),
  ({ sessions }) => sessions.remove('s', { purge: true }),
  ({ sessions }) => sessions.create(),
  ({ messages }) => messages.read('s'),
  ({ messages }) => messages.get('s', 'm2'),
  ({ messages }) => messages.recentTurns('s', { turns: 3, mode: 'text' }),
  ({ messages }) => messages.recentTurns('s', { turns: 3, mode: 'full', scope: 'all' }),
  ({ messages }) => messages.append('s', [user('q1', { id: 'm1' })], { operationId: 'first' }),
  ({ messages }) => messages.append('s', [user('z')]),
  ({ messages }) => messages.update('s', 'm2', { content: 'n' }),
  ({ messages }) => messages.remove('s', ['m4']),
  ({ messages }) => messages.truncate('s', { fromSeq: 3 }),
  ({ messages }) => messages.replace('s', [user('z')]),
  ({ messages }) => messages.compact('s', { throughSeq: 5, summary: user('z') }),
  ({ threads }) => threads.get('t'),
  ({ threads }) => threads.list(),
  ({ threads }) => threads.sessions('t'),
  ({ threads }) => threads.timeline('t'),
  ({ threads }) => threads.update('t', { name: 'n' }),
  ({ threads }) => threads.attach('u', 's'),
]

test.each([
  'sessions',
  'session_tags',
  'messages',
  'threads',
  'thread_sessions',
  'usage_events',
  'operations',
  'id_counters',
  'session_tombstones',
])('whatever stands in a column of %s, each method answers or says "corrupt"', async (table) => {
  const { database } = await makeStore()
  const columns = database.pragma(`table_info(${table})`) as { readonly name: string }[]
  const rollback = new Error('rollback')
  const codes = new Set<string>()
  const note = (error: unknown) => codes.add(isStoreError(error) ? error.code : String(error))
  for (const { name } of columns.filter((column) => column.name !== 'row_id')) {
    for (const value of ["'{'", "x'00ff'"]) {
      const broken = new Database(database.serialize())
      try {
        broken.pragma('foreign_keys = OFF')
        broken.exec(`UPDATE OR IGNORE ${table} SET ${name} = ${value}`)
        broken.pragma('foreign_keys = ON')
        const opened = await openSqliteStore({ database: broken })
        for (const method of methods) {
          const run = opened.transact(async (scope) => {
            await method(scope).catch(note)
            throw rollback
          })
          await run.catch((error) => error === rollback || note(error))
        }
        await opened.changes.since().catch(note)
        await opened.sessions.import({ source, tokenCounts: usage }, turns(2)).catch(note)
        await opened.close()
      } finally {
        broken.close()
      }
    }
  }
  expect([...codes].filter((code) => !['corrupt', 'not-found', 'conflict'].includes(code))).toEqual([])
})
