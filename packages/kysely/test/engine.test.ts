// The two ways a write reaches a database: under one lock, and (as a remote one does) read first, then a guarded batch.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createKyselyEngine,
  openKyselyStore,
  retryBusy,
  type Statement,
  type Database as Tables,
} from '../src/index.ts'
import { stockDialect } from './support.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sess-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (sql: string, ...parameters: unknown[]): Statement => ({ sql, parameters })
const raise = "json_extract('{}', 'sess.stale')"

function openCounter(guarded: boolean, busyTimeout = 5000) {
  const path = join(folder, 'counter.db')
  const database = new Database(path, { timeout: 0 })
  database.pragma('journal_mode = WAL')
  database.exec(
    'CREATE TABLE IF NOT EXISTS counter (n INTEGER); DELETE FROM counter; INSERT INTO counter VALUES (0)',
  )
  const db = new Kysely<Tables>({ dialect: stockDialect(database) })
  return {
    engine: createKyselyEngine(db, { busyTimeout, location: 'counter.db', guarded }),
    database,
    db,
    path,
  }
}

/** Reads the counter and adds one; `between` runs after the read, as another writer would. */
function increment(between: () => void = () => {}) {
  return {
    reads: [write('SELECT n FROM counter')],
    plan: ([rows = []]: readonly (readonly Readonly<Record<string, unknown>>[])[]) => {
      const n = Number(rows[0]?.n)
      between()
      return {
        guards: [write(`SELECT CASE WHEN (SELECT n FROM counter) IS NOT ? THEN ${raise} END`, n)],
        statements: [write('UPDATE counter SET n = ?', n + 1)],
        result: () => n + 1,
      }
    },
  }
}

describe('guarded writes', () => {
  test('a lost race is read and tried again', async () => {
    const { engine, database, db } = openCounter(true)
    let races = 0
    const added = await engine.write(
      increment(() => {
        if (races++ < 2) database.exec('UPDATE counter SET n = n + 10')
      }),
    )
    expect([added, races, database.prepare('SELECT n FROM counter').pluck().get()]).toEqual([21, 3, 21])
    await db.destroy()
  })

  test('after five lost races the write is busy and nothing is written', async () => {
    const { engine, database, db } = openCounter(true)
    const always = increment(() => database.exec('UPDATE counter SET n = n + 10'))
    await expect(engine.write(always)).rejects.toMatchObject({
      code: 'busy',
      retryable: true,
      message: 'counter.db: lost 5 races to other writers',
    })
    expect(database.prepare('SELECT n FROM counter').pluck().get()).toBe(50)
    await db.destroy()
  })

  test('a batch that fails in its middle leaves nothing', async () => {
    const { engine, database, db } = openCounter(true)
    const statements = [write('UPDATE counter SET n = 7'), write('UPDATE nowhere SET n = 8')]
    await expect(engine.write({ reads: [], plan: () => ({ statements, result: () => 0 }) })).rejects.toThrow(
      'no such table',
    )
    expect(database.prepare('SELECT n FROM counter').pluck().get()).toBe(0)
    await db.destroy()
  })
})

describe('writes under one lock', () => {
  test('twenty at once on one handle all count', async () => {
    const { engine, database, db } = openCounter(false)
    const added = await Promise.all(Array.from({ length: 20 }, () => engine.write(increment())))
    expect(added.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(database.prepare('SELECT n FROM counter').pluck().get()).toBe(20)
    await db.destroy()
  })

  test('a plan that throws rolls back and leaves the handle usable', async () => {
    const { engine, db } = openCounter(false)
    const refuse = {
      reads: [],
      plan: () => {
        throw new Error('refused')
      },
    }
    await expect(engine.write(refuse)).rejects.toThrow('refused')
    expect(await engine.write(increment())).toBe(1)
    await db.destroy()
  })

  test('waits for a lock without blocking the event loop, and goes on when it is free', async () => {
    const { engine, db, path } = openCounter(false)
    const holder = new Database(path)
    holder.exec('BEGIN IMMEDIATE')
    const waiting = engine.write(increment())
    // The loop turns while the write waits: had it been blocked, the lock would never be let go.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    holder.exec('COMMIT')
    holder.close()
    expect(await waiting).toBe(1)
    await db.destroy()
  })

  test('is busy, naming the database, when the lock is held for longer than busyTimeout', async () => {
    const { engine, db, path } = openCounter(false, 30)
    const holder = new Database(path)
    holder.exec('BEGIN IMMEDIATE')
    await expect(engine.write(increment())).rejects.toMatchObject({
      code: 'busy',
      retryable: true,
      message: 'counter.db was locked by another writer for 30 ms',
    })
    holder.exec('COMMIT')
    holder.close()
    expect(await engine.write(increment())).toBe(1)
    await db.destroy()
  })
})

test('several reads see one snapshot', async () => {
  const { database, db, path } = openCounter(false)
  const other = new Database(path)
  // Between the first read and the second, somebody else commits.
  let selects = 0
  const interrupted = new Proxy(database, {
    get(target, key) {
      if (key !== 'prepare') return Reflect.get(target, key)
      return (sql: string) => {
        if (sql.startsWith('SELECT') && ++selects === 2) other.exec('UPDATE counter SET n = 5')
        return target.prepare(sql)
      }
    },
  })
  const engine = createKyselyEngine(new Kysely<Tables>({ dialect: stockDialect(interrupted) }), {
    busyTimeout: 5000,
    location: 'counter.db',
  })
  const select = write('SELECT n FROM counter')
  expect(await engine.read([select, select])).toEqual([[{ n: 0 }], [{ n: 0 }]])
  expect(await engine.read([select])).toEqual([[{ n: 5 }]])
  other.close()
  await db.destroy()
})

test('retryBusy passes other errors on at once', async () => {
  let attempts = 0
  const failing = retryBusy(5000, 'x', () => {
    attempts++
    throw new Error('other')
  })
  await expect(failing).rejects.toThrow('other')
  expect(attempts).toBe(1)
})

describe('begin', () => {
  test('a read, another commit, then a write: IMMEDIATE is not caught by SQLITE_BUSY_SNAPSHOT', async () => {
    const path = join(folder, 'sess.db')
    const open = () => {
      const database = new Database(path, { timeout: 0 })
      database.pragma('journal_mode = WAL')
      return openKyselyStore({ dialect: stockDialect(database) })
    }
    const [one, two] = [await open(), await open()]
    await one.sessions.create({ id: 's' })
    // Each append reads before it writes; with a deferred begin the second writer fails whatever the timeout.
    const appends = [one, two, one, two, one, two].map((store, index) =>
      store.messages.append('s', [{ role: 'user', content: `m${index}` }]),
    )
    expect((await Promise.all(appends)).map(({ firstSeq }) => firstSeq).toSorted()).toEqual([
      1, 2, 3, 4, 5, 6,
    ])
    await one.close()
    await two.close()
  })
})
