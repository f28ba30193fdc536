// What may stand at a path, and what comes of it. A file that is not ours is never changed.

import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreErrorCode } from '@sess/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore, type SqliteOptions } from '../src/index.ts'
import { assertNode } from '../src/open.ts'
import { temporaryFolder } from './support.ts'

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Makes a store with one conversation and answers its path. */
async function makeStore(messages = 1): Promise<string> {
  const path = join(temporaryFolder(), 'sess.db')
  const store = await openSqliteStore({ path })
  for (let index = 0; index < messages; index++) {
    await store.messages.append('s', [{ role: 'user', content: `question ${index}` }], {
      createSession: true,
    })
  }
  await store.close()
  return path
}

async function expectRefused(
  path: string,
  code: StoreErrorCode,
  message: string | RegExp,
  options: SqliteOptions = {},
): Promise<void> {
  await expect(openSqliteStore({ ...options, path })).rejects.toMatchObject({
    name: 'StoreError',
    code,
    operation: 'openSqliteStore',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })
}

/** The same, and the file is byte for byte what it was. */
async function expectUntouched(path: string, code: StoreErrorCode, message: string | RegExp): Promise<void> {
  const before = readFileSync(path)
  await expectRefused(path, code, message)
  expect(readFileSync(path).equals(before)).toBe(true)
}

describe('a new file', () => {
  test('is readable by its owner alone, and so is a folder that is made for it', async () => {
    const folder = join(temporaryFolder(), 'data', 'sess')
    const path = join(folder, 'sess.db')
    const store = await openSqliteStore({ path })
    await store.sessions.create({ id: 'a' })
    expect([mode(folder), mode(path), mode(`${path}-wal`), mode(`${path}-shm`)]).toEqual([
      '700',
      '600',
      '600',
      '600',
    ])
    await store.close()
  })

  test('leaves an existing folder as it is', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    await (await openSqliteStore({ path: join(folder, 'sess.db') })).close()
    expect(mode(folder)).toBe('755')
  })

  test('has the pragmas of the design', async () => {
    const path = join(temporaryFolder(), 'sess.db')
    const store = await openSqliteStore({ path })
    const other = new Database(path, { readonly: true })
    expect(other.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(other.pragma('application_id', { simple: true })).toBe(0x73657373)
    other.close()
    await store.close()
  })

  test('an empty file becomes a store', async () => {
    const path = join(temporaryFolder(), 'sess.db')
    writeFileSync(path, '')
    const store = await openSqliteStore({ path })
    expect(await store.sessions.list()).toEqual({ items: [] })
    await store.close()
  })

  test("a file with the Migrator's two tables alone is empty", async () => {
    const path = join(temporaryFolder(), 'sess.db')
    const database = new Database(path)
    database.exec('CREATE TABLE kysely_migration (name text primary key, timestamp text not null)')
    database.exec(
      'CREATE TABLE kysely_migration_lock (id text primary key, is_locked integer not null default 0)',
    )
    database.close()
    const store = await openSqliteStore({ path })
    expect((await store.sessions.create({ id: 'a' })).changeSeq).toBe(1)
    await store.close()
  })
})

describe('a path that cannot be a store', () => {
  test('a folder', async () => {
    const folder = temporaryFolder()
    await expectRefused(folder, 'unavailable', `${folder} is a folder, not a file`)
  })

  test('a path through a file', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'x')
    const path = join(file, 'sess.db')
    await expectRefused(path, 'unavailable', `${path} cannot be opened: a part of the path is no folder`)
  })

  test('a name that is too long', async () => {
    const path = join(temporaryFolder(), 'x'.repeat(300))
    await expectRefused(path, 'unavailable', `${path} cannot be opened: the name is too long`)
  })

  test.skipIf(process.getuid?.() === 0)('a file without permission (root may read everything)', async () => {
    const path = await makeStore()
    chmodSync(path, 0o000)
    await expectRefused(path, 'unavailable', `${path} cannot be opened: no permission`)
  })

  test.each(['', 'a\0b'])('the path %j', async (path) => {
    await expectRefused(path, 'invalid', 'path: must be the path of a file, or ":memory:"')
  })

  test('a missing file when read-only is not made', async () => {
    const path = join(temporaryFolder(), 'sess.db')
    const message = `${path} does not exist, and read-only does not make it`
    await expectRefused(path, 'unavailable', message, { readOnly: true })
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
  })
})

describe('a file that is not ours', () => {
  test('text', async () => {
    const path = join(temporaryFolder(), 'notes.txt')
    writeFileSync(path, 'not a database, but long enough to have a header. '.repeat(40))
    await expectUntouched(path, 'invalid', `${path} is not a SQLite database`)
  })

  test.each([
    [
      'Goose',
      'CREATE TABLE sessions (id TEXT); CREATE TABLE messages (id INTEGER); CREATE TABLE schema_version (version INTEGER)',
      'a database of Goose',
    ],
    [
      'CowAgent',
      'CREATE TABLE sessions (session_id TEXT); CREATE TABLE messages (id INTEGER); CREATE TABLE chunks (id TEXT)',
      'a database of CowAgent',
    ],
    [
      'somebody',
      'CREATE TABLE invoices (id INTEGER)',
      `another application's database (it has the table "invoices")`,
    ],
    ['marked', 'PRAGMA application_id = 42', 'a database of another application'],
  ])("%s's database", async (_name, ddl, product) => {
    const path = join(temporaryFolder(), 'other.db')
    const database = new Database(path)
    database.exec(ddl)
    database.close()
    await expectUntouched(path, 'invalid', `${path} is ${product}, not one of sess; it was left untouched`)
  })

  test("another product's log is not folded into its file", async () => {
    const path = join(temporaryFolder(), 'other.db')
    const writer = new Database(path)
    writer.pragma('journal_mode = WAL')
    writer.exec('CREATE TABLE invoices (id INTEGER)')
    // As a killed writer leaves it: the tables are only in the log.
    const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
    writer.close()
    writeFileSync(path, file)
    writeFileSync(`${path}-wal`, log)
    await expectRefused(path, 'invalid', /another application's database/)
    expect([readFileSync(path).equals(file), readFileSync(`${path}-wal`).equals(log)]).toEqual([true, true])
  })
})

describe('a file of ours', () => {
  test('from a newer version is refused and not touched', async () => {
    const path = await makeStore()
    const database = new Database(path)
    database.exec("UPDATE schema_meta SET value = 2 WHERE key = 'schema_version'")
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.close()
    const message = `${path} has schema version 2; this version of sess knows 1. Nothing was changed`
    await expectUntouched(path, 'schema-newer', message)
  })

  test('that was cut off is corrupt and not touched', async () => {
    const path = await makeStore(50)
    truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096)
    await expectUntouched(path, 'corrupt', /is damaged: database disk image is malformed$/)
  })

  test('with an overwritten page is corrupt, for the operation that meets it', async () => {
    const path = await makeStore(200)
    const bytes = readFileSync(path)
    // Everything behind the schema's first page.
    bytes.fill(0x5a, 4096)
    writeFileSync(path, bytes)
    await expectUntouched(path, 'corrupt', /is damaged/)
  })

  test('opens read-only: reads, refuses writes, changes nothing', async () => {
    const path = await makeStore()
    const before = readFileSync(path)
    const store = await openSqliteStore({ path, readOnly: true })
    expect((await store.messages.read('s')).items.map((message) => message.content)).toEqual([
      [{ type: 'text', text: 'question 0' }],
    ])
    await expect(store.sessions.create({ id: 'b' })).rejects.toMatchObject({
      code: 'unavailable',
      operation: 'sessions.create',
      message: `${path} can only be read`,
    })
    await store.close()
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('with `migrate: "check"` an empty file is refused', async () => {
    const path = join(temporaryFolder(), 'sess.db')
    const message = `${path} has no tables of sess yet; this version of sess needs 1`
    await expectRefused(path, 'migration-failed', message, { migrate: 'check' })
  })
})

describe('in memory and over a handle of the caller', () => {
  test(':memory: keeps nothing and says so', async () => {
    const store = await openSqliteStore({ path: ':memory:' })
    expect([store.capabilities.persistent, store.capabilities.processes]).toEqual([false, 'one'])
    await store.sessions.create({ id: 'a' })
    expect((await store.sessions.list()).items.map(({ id }) => id)).toEqual(['a'])
    await store.close()
  })

  test("a caller's database keeps its other tables, carries no mark, and is not closed", async () => {
    const database = new Database(join(temporaryFolder(), 'app.db'))
    database.exec('CREATE TABLE invoices (id INTEGER); INSERT INTO invoices VALUES (7)')
    const store = await openSqliteStore({ database })
    await store.sessions.create({ id: 'a' })
    await store.close()
    expect(database.prepare('SELECT id FROM invoices').pluck().all()).toEqual([7])
    expect(database.prepare('SELECT id FROM sessions').pluck().all()).toEqual(['a'])
    expect(database.pragma('application_id', { simple: true })).toBe(0)
    database.close()
  })

  test("a caller's database with a table of our names is refused", async () => {
    const database = new Database(join(temporaryFolder(), 'app.db'))
    database.exec('CREATE TABLE sessions (id INTEGER)')
    await expect(openSqliteStore({ database })).rejects.toMatchObject({
      code: 'invalid',
      message:
        'the given database is another application\'s database (it has the table "sessions"), not one of sess; it was left untouched',
    })
    database.close()
  })
})

test('two stores may be opened at once on a file that does not exist yet', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'x'))
  const path = join(folder, 'x', 'sess.db')
  const [one, two] = await Promise.all([openSqliteStore({ path }), openSqliteStore({ path })])
  await one.sessions.create({ id: 'a' })
  await two.sessions.create({ id: 'b' })
  expect((await one.sessions.list()).items.map(({ id }) => id).toSorted()).toEqual(['a', 'b'])
  await one.close()
  await two.close()
})

test('a Node that better-sqlite3 crashes on is refused before it is loaded', () => {
  expect(() => assertNode('20.20.2')).toThrow('@sess/sqlite needs Node 22.13 or newer, this is 20.20.2')
  expect(() => assertNode('22.13.0')).not.toThrow()
})
