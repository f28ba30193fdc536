// A log without its file: whatever file comes next does not get it, and nothing of it is lost.

import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Logger, SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { start, startLockOn } from './processes.ts'
import { temporaryFolder } from './support.ts'

const clock = () => Date.UTC(2026, 2, 1, 12, 30, 15)
const user = (content: string) => ({ role: 'user', content }) as const

/** A store whose first message is in its file and whose second one is in its log alone. */
async function openWithLog(path: string): Promise<SessionStore> {
  const first = await openSqliteStore({ path })
  await first.messages.append('s', [user('in the file')], { createSession: true })
  await first.close()
  const store = await openSqliteStore({ path })
  await store.messages.append('s', [user('in the log')])
  return store
}

/** A file of ours and its log, as a process that was killed leaves them. */
async function bytesWithLog(): Promise<{ readonly file: Buffer; readonly log: Buffer }> {
  const path = join(temporaryFolder(), 'sess.db')
  const store = await openWithLog(path)
  const bytes = { file: readFileSync(path), log: readFileSync(`${path}-wal`) }
  await store.close()
  return bytes
}

async function textsOf(path: string): Promise<unknown[]> {
  const store = await openSqliteStore({ path })
  try {
    const { items } = await store.messages.read('s')
    return items.map(({ content }) => content[0])
  } finally {
    await store.close()
  }
}

function integrityOf(path: string): unknown {
  const database = new Database(path)
  try {
    return database.pragma('integrity_check', { simple: true })
  } finally {
    database.close()
  }
}

/** A logger that keeps what it is told at level warn. */
function createLog(): Logger & { readonly told: [object, string][] } {
  const told: [object, string][] = []
  const quiet = () => {}
  return { told, debug: quiet, info: quiet, error: quiet, warn: (...entry) => told.push(entry) }
}

const both = [
  { type: 'text', text: 'in the file' },
  { type: 'text', text: 'in the log' },
]

test('where there is nothing to keep, opening does not ask for the time', async () => {
  let asked = 0
  const counting = () => {
    asked++
    return clock()
  }
  const store = await openSqliteStore({ path: join(temporaryFolder(), 'sess.db'), clock: counting })
  expect(asked).toBe(0)
  await store.close()
})

test('a file that is moved away under a store gets its newest message back from the log that is kept', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const moved = join(dirname(path), 'moved.db')
  const old = await openWithLog(path)
  const log = readFileSync(`${path}-wal`)
  renameSync(path, moved)
  const logger = createLog()
  const store = await openSqliteStore({ path, clock, logger })
  expect(await store.sessions.list()).toEqual({ items: [] })
  await store.messages.append('new', [user('hello')], { createSession: true })
  const left = `${path}.left-20260301T123015Z`
  expect(logger.told).toEqual([[{ path, left }, expect.stringMatching(/^no file stood there, but the log/)]])
  // Who still has the moved file reads all of it, and lets go of nothing of the new one.
  expect((await old.messages.read('s')).items.map(({ content }) => content[0])).toEqual(both)
  await old.close()
  expect((await store.messages.append('new', [user('again')])).lastSeq).toBe(2)
  await store.close()
  expect(integrityOf(path)).toBe('ok')
  expect(readFileSync(`${left}-wal`).equals(log)).toBe(true)
  renameSync(`${left}-wal`, `${moved}-wal`)
  expect(await textsOf(moved)).toEqual(both)
})

describe('a log whose file was deleted', () => {
  test('brings nothing back, and is kept each time', async () => {
    const { log } = await bytesWithLog()
    const path = join(temporaryFolder(), 'sess.db')
    for (const left of ['sess.db.left-20260301T123015Z', 'sess.db.left-20260301T123015Z-2']) {
      writeFileSync(`${path}-wal`, log)
      const store = await openSqliteStore({ path, clock })
      expect(await store.sessions.list()).toEqual({ items: [] })
      await store.close()
      expect(readFileSync(join(dirname(path), `${left}-wal`)).equals(log)).toBe(true)
      rmSync(path)
    }
  })

  test('is the log of the target where the path is a link', async () => {
    const { log } = await bytesWithLog()
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'data'))
    symlinkSync(join('data', 'target.db'), join(folder, 'sess.db'))
    writeFileSync(join(folder, 'data', 'target.db-wal'), log)
    const store = await openSqliteStore({ path: join(folder, 'sess.db'), clock })
    expect(await store.sessions.list()).toEqual({ items: [] })
    await store.close()
    expect(readdirSync(folder).toSorted()).toEqual(['data', 'sess.db'])
    const left = 'target.db.left-20260301T123015Z-wal'
    expect(readdirSync(join(folder, 'data')).toSorted()).toEqual(['target.db', left])
  })

  test('stays where it is for who only reads', async () => {
    const { log } = await bytesWithLog()
    const path = join(temporaryFolder(), 'sess.db')
    writeFileSync(`${path}-wal`, log)
    await expect(openSqliteStore({ path, readOnly: true })).rejects.toMatchObject({ code: 'unavailable' })
    expect(readdirSync(dirname(path))).toEqual(['sess.db-wal'])
  })

  test('stays where it is while another process makes the file', async () => {
    const { file, log } = await bytesWithLog()
    const path = join(temporaryFolder(), 'sess.db')
    const child = await startLockOn(path)
    try {
      writeFileSync(`${path}-wal`, log)
      await expect(openSqliteStore({ path, busyTimeout: 0 })).rejects.toMatchObject({ code: 'busy' })
      writeFileSync(path, file)
      expect(await textsOf(path)).toEqual(both)
    } finally {
      child.kill('SIGKILL')
    }
  })
})

test('pages of before a change that are left without their file are not written into the next one', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const writer = new Database(path)
  writer.exec('CREATE TABLE t (text TEXT); INSERT INTO t VALUES (1)')
  writer.pragma('cache_size = 1')
  writer.pragma('cache_spill = 1')
  writer.exec(
    `BEGIN; UPDATE t SET text = 2;
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
     INSERT INTO t SELECT printf('%1000d', i) FROM n`,
  )
  const journal = join(dirname(path), 'kept')
  copyFileSync(`${path}-journal`, journal)
  writer.close()
  rmSync(path)
  copyFileSync(journal, `${path}-journal`)
  const store = await openSqliteStore({ path, clock })
  await store.sessions.create({ id: 'a' })
  await store.close()
  expect(integrityOf(path)).toBe('ok')
  expect(readFileSync(`${path}.left-20260301T123015Z-journal`).equals(readFileSync(journal))).toBe(true)
})

describe('a file that was emptied beside its log', () => {
  const readAll = (folder: string) =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])
  const message = (path: string) =>
    `${path} is damaged: it is empty, but its log is not. Both were left untouched`

  test.each([{}, { readOnly: true }, { onDamaged: 'set-aside', readOnly: true }] as const)(
    'is left as it is with %j',
    async (options) => {
      const { log } = await bytesWithLog()
      const path = join(temporaryFolder(), 'sess.db')
      writeFileSync(path, '')
      writeFileSync(`${path}-wal`, log)
      const before = readAll(dirname(path))
      await expect(openSqliteStore({ ...options, path })).rejects.toMatchObject({
        code: 'corrupt',
        message: message(path),
      })
      expect(readAll(dirname(path))).toEqual(before)
    },
  )

  test('is set aside with it, where that is asked for', async () => {
    const made = join(temporaryFolder(), 'made.db')
    const live = await openSqliteStore({ path: made })
    const log = readFileSync(`${made}-wal`)
    await live.close()
    const path = join(temporaryFolder(), 'sess.db')
    writeFileSync(path, '')
    writeFileSync(`${path}-wal`, log)
    const store = await openSqliteStore({ path, clock, onDamaged: 'set-aside' })
    expect(await store.sessions.list()).toEqual({ items: [] })
    await store.close()
    const setAside = 'sess.db.damaged-20260301T123015Z'
    expect(readdirSync(dirname(path)).toSorted()).toEqual(['sess.db', setAside, `${setAside}-wal`])
    expect(readFileSync(join(dirname(path), `${setAside}-wal`)).equals(log)).toBe(true)
  })

  test('is not moved where the log has no mark of ours', async () => {
    const folder = temporaryFolder()
    const other = new Database(join(folder, 'other.db'))
    other.pragma('journal_mode = WAL')
    other.exec('CREATE TABLE invoices (id INTEGER)')
    const path = join(temporaryFolder(), 'sess.db')
    copyFileSync(join(folder, 'other.db-wal'), `${path}-wal`)
    other.close()
    writeFileSync(path, '')
    const before = readAll(dirname(path))
    await expect(openSqliteStore({ path, onDamaged: 'set-aside' })).rejects.toMatchObject({ code: 'corrupt' })
    expect(readAll(dirname(path))).toEqual(before)
    const store = await openSqliteStore({ path, onDamaged: 'memory' })
    expect(store.capabilities.persistent).toBe(false)
    await store.close()
    expect(readAll(dirname(path))).toEqual(before)
  })
})

test("another product's log behind a link is not folded into its file", async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  mkdirSync(data)
  const writer = new Database(join(folder, 'made.db'))
  writer.pragma('journal_mode = WAL')
  writer.exec('CREATE TABLE invoices (id INTEGER)')
  copyFileSync(join(folder, 'made.db'), join(data, 'other.db'))
  copyFileSync(join(folder, 'made.db-wal'), join(data, 'other.db-wal'))
  writer.close()
  const path = join(folder, 'link.db')
  symlinkSync(join('data', 'other.db'), path)
  const before = readdirSync(data).map((name) => [name, readFileSync(join(data, name))])
  await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'invalid' })
  expect(readdirSync(data).map((name) => [name, readFileSync(join(data, name))])).toEqual(before)
})

test('of several processes one takes the log away, and none the log of the new file', async () => {
  const { log } = await bytesWithLog()
  const folder = temporaryFolder()
  const names = ['a', 'b', 'c', 'd']
  const children = names.map((name) => {
    const child = start('set-aside', name)
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
    return { child, lines }
  })
  try {
    for (let round = 0; round < 8; round++) {
      const path = join(folder, `${round}`, 'sess.db')
      mkdirSync(dirname(path))
      writeFileSync(`${path}-wal`, log)
      for (const { child } of children) child.stdin?.write(`${path}\n`)
      const told = await Promise.all(children.map(({ lines }) => lines.next()))
      expect([round, told.map(({ value }) => value)]).toEqual([round, names])
      const store = await openSqliteStore({ path })
      const { items } = await store.sessions.list()
      expect([round, items.map(({ id }) => id).toSorted()]).toEqual([round, names])
      await store.close()
      expect(integrityOf(path)).toBe('ok')
      const others = readdirSync(dirname(path)).filter((name) => name !== 'sess.db')
      expect([round, others]).toEqual([round, [expect.stringMatching(/^sess\.db\.left-\d{8}T\d{6}Z-wal$/)]])
      expect(readFileSync(join(dirname(path), others[0] ?? '')).equals(log)).toBe(true)
    }
  } finally {
    for (const { child } of children) child.kill()
  }
}, 120_000)
