// A store folded into an application's database: every name of it has the prefix, and tables of the same names without it
// are the application's own.

import type { SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type KyselyStoreOptions, migrationSql, openKyselyStore } from '../src/index.ts'
import { type Handle, stockDialect } from './support.ts'

let database: Handle
const opened: SessionStore[] = []

beforeEach(() => {
  database = new Database(':memory:')
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  database.close()
})

/** A store in the application's database, which stays open when the store closes. */
async function openStore(options: Partial<KyselyStoreOptions>): Promise<SessionStore> {
  const kept = new Proxy(database, {
    get(target, key) {
      if (key === 'close') return () => {}
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const store = await openKyselyStore({
    dialect: stockDialect(kept),
    clock: () => Date.UTC(2026, 2, 1, 12),
    ...options,
  })
  opened.push(store)
  return store
}

const names = () => database.prepare<[], string>('SELECT name FROM sqlite_master ORDER BY name').pluck().all()

const rowsOf = (table: string) => database.prepare(`SELECT * FROM ${table}`).all()

const user = (content: string, id?: string) => ({
  role: 'user' as const,
  content,
  ...(id === undefined ? {} : { id }),
})

/** Something of every part of the port. */
async function use(store: SessionStore): Promise<void> {
  const { sessions, messages, threads } = store
  const one = await sessions.create({ name: 'sessions messages', tags: ['operations'], ownerId: 'ana' })
  await messages.append(one.id, [user('from sessions', 'm1'), user('threads')], { operationId: 'op' })
  await messages.update(one.id, 'm1', { content: 'changed messages' })
  await messages.compact(one.id, { throughSeq: 1, summary: user('so far') })
  await sessions.addUsage(one.id, { input: 1, model: 'usage_events' })
  await sessions.update(one.id, { tags: ['session_tags'], metadata: { threads: 1 } })
  const fork = await sessions.fork(one.id)
  const { branch } = await sessions.rewind(fork.id, { toSeq: 1 })
  await sessions.import({ source: { agent: 'a', sessionId: 's', digest: '' } }, [user('imported')])
  await sessions.current({ channelType: 'web', channelKey: 'k' }, { create: {} })
  await threads.create({ id: 't', name: 'threads' })
  await threads.attach('t', one.id)
  await threads.attach('t', fork.id)
  await messages.append('doomed', [user('x', 'gone'), user('y')], { createSession: true })
  await messages.remove('doomed', ['gone'])
  await sessions.remove('doomed', { purge: true })
  await store.transact(async (scope) => {
    await scope.messages.append(one.id, [user('inside')])
    await scope.messages.append('nobody', []).catch(() => undefined)
  })
  await sessions.remove(branch?.id ?? '')
}

/** What can be seen of it. */
async function see({ sessions, messages, threads, changes }: SessionStore) {
  const { items } = await sessions.list({ types: 'all', deleted: 'any', sort: 'created' })
  return {
    items,
    tagged: (await sessions.list({ tags: ['session_tags'], metadata: { threads: 1 } })).items,
    grouped: (await sessions.list({ threadId: 't', pinnedFirst: true })).items,
    messages: await Promise.all(items.map(({ id }) => messages.read(id))),
    windows: await Promise.all(items.map(({ id }) => messages.recentTurns(id, { turns: 5, mode: 'text' }))),
    threads: (await threads.list({ sessionId: items.at(-1)?.id ?? '' })).items,
    timeline: await threads.timeline('t'),
    changes: await changes.since(),
  }
}

/** Ids of messages that nobody named count up, the same in each store. */
const countedIds = () => {
  let count = 0
  return { session: 'date' as const, message: () => `id-${++count}` }
}

const applicationSchema = `CREATE TABLE sessions (sid TEXT, expires INTEGER);
  CREATE TABLE messages (subject TEXT); CREATE TABLE threads (title TEXT); CREATE TABLE operations (op TEXT);
  CREATE TABLE schema_meta (key TEXT, value TEXT); CREATE TABLE kysely_migration (name TEXT, timestamp TEXT);
  CREATE INDEX sessions_active ON sessions (expires);
  INSERT INTO sessions VALUES ('cookie', 5); INSERT INTO schema_meta VALUES ('schema_version', '99')`

describe('with a prefix', () => {
  test('everything works as without, beside an application’s tables of the same names', async () => {
    database.exec(applicationSchema)
    const before = names()
    const prefixed = await openStore({ tablePrefix: 'app_', ids: countedIds() })
    await use(prefixed)
    const other = new Database(':memory:')
    const plain = await openKyselyStore({
      dialect: stockDialect(other),
      clock: () => Date.UTC(2026, 2, 1, 12),
      ids: countedIds(),
    })
    opened.push(plain)
    await use(plain)
    expect(await see(prefixed)).toEqual(await see(plain))
    // The application's are as they were.
    expect(rowsOf('sessions')).toEqual([{ sid: 'cookie', expires: 5 }])
    expect(rowsOf('schema_meta')).toEqual([{ key: 'schema_version', value: '99' }])
    for (const table of ['messages', 'threads', 'operations', 'kysely_migration'])
      expect(rowsOf(table)).toEqual([])
    expect(names().filter((name) => before.includes(name))).toEqual(before)
    expect(database.pragma('application_id', { simple: true })).toBe(0)
  })

  test('every table, index and trigger has it, also the shadows of the index of search', async () => {
    await use(await openStore({ tablePrefix: 'app_' }))
    const strange = names().filter(
      (name) => !/^(app_|sqlite_autoindex_app_)/.test(name) && name !== 'sqlite_sequence',
    )
    expect(strange).toEqual([])
    const triggers = database
      .prepare<[], string>("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
      .pluck()
      .all()
    expect(triggers.length).toBe(3)
    for (const sql of triggers)
      expect(sql).not.toMatch(/(?<!app_)\b(messages_fts|sessions_fts|index_dirty)\b/)
  })

  test('triggers and cascades stay within it', async () => {
    const store = await openStore({ tablePrefix: 'app_' })
    await store.messages.append('s', [user('q', 'm')], { createSession: { tags: ['t'] } })
    await store.messages.update('s', 'm', { content: 'changed' })
    expect(rowsOf('app_index_dirty')).toEqual([{ row_id: 1 }])
    await store.sessions.remove('s', { purge: true })
    for (const table of ['sessions', 'messages', 'session_tags', 'index_dirty'])
      expect(rowsOf(`app_${table}`)).toEqual([])
  })

  test('two prefixes and none stand side by side', async () => {
    const stores = []
    for (const tablePrefix of ['', 'a_', 'A2'])
      stores.push(await openStore({ tablePrefix, ownDatabase: false }))
    for (const [index, store] of stores.entries()) {
      for (let count = 0; count <= index; count++) await store.sessions.create({ name: `${index}` })
    }
    for (const [index, store] of stores.entries()) {
      const { items } = await store.sessions.list()
      expect(items.map(({ name }) => name)).toEqual(Array.from({ length: index + 1 }, () => `${index}`))
      expect(items[0]?.id).toBe(`20260301_${index + 1}`)
    }
  })

  test('is opened again with what was stored, and not migrated twice', async () => {
    const first = await openStore({ tablePrefix: 'app_' })
    await first.sessions.create({ id: 's' })
    await first.close()
    const before = names()
    const again = await openStore({ tablePrefix: 'app_', migrate: 'check' })
    expect((await again.sessions.get('s'))?.id).toBe('s')
    expect(names()).toEqual(before)
    await expect(openStore({ tablePrefix: 'other_', migrate: 'check' })).rejects.toMatchObject({
      code: 'migration-failed',
    })
  })

  test('a table of another kind under one of its names is refused and left alone', async () => {
    database.exec('CREATE TABLE app_messages (subject TEXT)')
    await expect(openStore({ tablePrefix: 'app_' })).rejects.toMatchObject({ code: 'invalid' })
    expect(names()).toEqual(['app_messages'])
  })

  test.each(['1app', 'app-', 'app.', 'a b', 'sqlite_', 'SQLITE_x', 'a"', "a'", 'ä', 'x'.repeat(33)])(
    '%j is none',
    async (tablePrefix) => {
      const refused = { code: 'invalid', message: expect.stringContaining('tablePrefix') }
      await expect(openStore({ tablePrefix })).rejects.toMatchObject(refused)
      expect(() => migrationSql({ tablePrefix })).toThrow(expect.objectContaining(refused))
      expect(names()).toEqual([])
    },
  )

  test.each(['_', 'a', 'x'.repeat(32), 'App1_'])('%j is one', async (tablePrefix) => {
    const store = await openStore({ tablePrefix })
    expect((await store.sessions.create({ id: 's' })).id).toBe('s')
  })
})

describe('migrationSql', () => {
  test.each(['', 'app_'])(
    'with prefix %j makes what opening makes, for a host that migrates itself',
    async (tablePrefix) => {
      database.exec(migrationSql({ tablePrefix }))
      const made = names()
      const store = await openStore({ tablePrefix, migrate: 'none', ownDatabase: false, ids: countedIds() })
      await use(store)
      expect((await see(store)).items.length).toBe(5)
      expect(names()).toEqual(made)
      const other = new Database(':memory:')
      const kept = await openKyselyStore({ dialect: stockDialect(other), tablePrefix, ownDatabase: false })
      opened.push(kept)
      const opensMade = other
        .prepare<[], string>('SELECT name FROM sqlite_master ORDER BY name')
        .pluck()
        .all()
      expect(opensMade.filter((name) => !name.includes('kysely_'))).toEqual(made)
    },
  )

  test('a host that has it executed is found up to date', async () => {
    database.exec(migrationSql({ tablePrefix: 'app_' }))
    const store = await openStore({ tablePrefix: 'app_', migrate: 'check' })
    expect((await store.sessions.create()).id).toBe('20260301_1')
  })
})
