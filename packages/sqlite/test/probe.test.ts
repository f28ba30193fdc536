// What of a damaged file is found when it is opened, page by page.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { probeFile } from '../src/probe.ts'
import { temporaryFolder } from './support.ts'

const pageSize = 4096
const user = (content: string) => ({ role: 'user', content }) as const

let path: string
let bytes: Buffer
/** Whose page a page is: a table's or an index's. */
let owners: { readonly name: string; readonly page: number }[]

/** A file without pages that hold nothing but the rest of a long value. */
beforeEach(async () => {
  path = join(temporaryFolder(), 'sess.db')
  const store = await openSqliteStore({ path })
  for (let session = 0; session < 20; session++) {
    const messages = Array.from({ length: 20 }, (_, index) => user(`question ${index} ${'word '.repeat(50)}`))
    await store.messages.append(`session ${session}`, messages, { createSession: true })
  }
  await store.search.messages({ text: 'question' })
  await store.close()
  bytes = readFileSync(path)
  const database = new Database(path, { readonly: true })
  owners = database.prepare('SELECT name, pageno AS page FROM dbstat ORDER BY pageno').all() as typeof owners
  database.close()
})

/** Overwrites a page and tells whether that is found. */
function isFound(page: number, atMost?: number): boolean {
  const damaged = Buffer.from(bytes).fill(0x5a, (page - 1) * pageSize, page * pageSize)
  writeFileSync(path, damaged)
  const database = new Database(path)
  try {
    probeFile(database, path, atMost)
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'corrupt', message: expect.stringMatching(/sess\.db is damaged: ./) })
    return true
  } finally {
    database.close()
    writeFileSync(path, bytes)
  }
}

test('every page but the first is one whose damage is found', () => {
  expect(owners.length).toBe(bytes.length / pageSize)
  expect(owners.length).toBeGreaterThan(100)
  expect(owners.filter(({ page }) => page > 1 && !isFound(page))).toEqual([])
})

test('in a large file that is so for all but the messages, and for the first and the last of these', () => {
  const missed = owners.filter(({ page }) => page > 1 && !isFound(page, 0))
  const missedOf = Map.groupBy(missed, ({ name }) => name)
  const ofMessages = [...missedOf.keys()].filter((name) => /^(messages|sqlite_autoindex_messages)/.test(name))
  expect([...missedOf.keys()]).toEqual(ofMessages)
  for (const name of ['messages', 'sqlite_autoindex_messages_1', 'sqlite_autoindex_messages_2']) {
    const all = owners.filter((owner) => owner.name === name).length
    // The root and the way to either end.
    expect([name, all - (missedOf.get(name)?.length ?? 0)]).toEqual([name, 3])
  }
})

test('a row that is not as it should be damages no file', async () => {
  const database = new Database(path)
  database.unsafeMode()
  database.pragma('writable_schema = ON')
  const change = database.prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?')
  change.run('preview TEXT NOT NULL', 'preview TEXT', 'sessions')
  database.pragma('writable_schema = RESET')
  database.exec("UPDATE sessions SET preview = NULL WHERE id = 'session 3'")
  database.pragma('writable_schema = ON')
  change.run('preview TEXT', 'preview TEXT NOT NULL', 'sessions')
  database.pragma('writable_schema = RESET')
  expect(database.pragma('quick_check', { simple: true })).toBe('NULL value in sessions.preview')
  database.close()
  const store = await openSqliteStore({ path, onDamaged: 'set-aside' })
  expect((await store.messages.read('session 3', { limit: 1 })).items.length).toBe(1)
  await store.close()
  expect(readdirSync(dirname(path))).toEqual(['sess.db'])
})

describe('a file whose sessions cannot be read', () => {
  const damage = () => {
    const page = owners.findLast(({ name }) => name === 'sessions')?.page ?? 0
    bytes.fill(0x5a, (page - 1) * pageSize, page * pageSize)
    writeFileSync(path, bytes)
  }

  test.each([
    ['set-aside', true, ['sess.db', 'sess.db.damaged-20260301T123015Z']],
    ['memory', false, ['sess.db']],
  ] as const)('"%s" gets the host going', async (onDamaged, persistent, files) => {
    damage()
    const clock = () => Date.UTC(2026, 2, 1, 12, 30, 15)
    const store = await openSqliteStore({ path, onDamaged, clock })
    expect(store.capabilities.persistent).toBe(persistent)
    await store.messages.append('new', [user('hello')], { createSession: true })
    expect((await store.sessions.list()).items.map(({ id }) => id)).toEqual(['new'])
    await store.close()
    expect(readdirSync(dirname(path)).toSorted()).toEqual(files)
    expect(readFileSync(join(dirname(path), files.at(-1) ?? '')).equals(bytes)).toBe(true)
  })

  test('"throw" opens it, for what can still be read', async () => {
    damage()
    const store = await openSqliteStore({ path })
    await expect(store.sessions.list()).rejects.toMatchObject({ code: 'corrupt' })
    expect((await store.messages.read('session 3', { limit: 1 })).items.length).toBe(1)
    await store.close()
  })

  test('"set-aside" opens it for reading alone, because then it is not moved', async () => {
    damage()
    const store = await openSqliteStore({ path, onDamaged: 'set-aside', readOnly: true })
    expect((await store.messages.read('session 3', { limit: 1 })).items.length).toBe(1)
    await store.close()
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })
})
