// What a store does once its driver fails in its middle: a damaged file is written no more, and a transaction that SQLite
// has rolled back by itself keeps nothing of what comes after.

import type { SessionStore, StoreScope } from '@sess/core'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openKyselyStore } from '../src/index.ts'
import { type Handle, stockDialect } from './support.ts'

const user = (content: string) => ({ role: 'user', content }) as const

/** What a driver throws. */
function driverError(code: string): Error {
  return Object.assign(new Error(`driver says ${code}`), { code })
}

let database: Handle
let store: SessionStore
/** Called with each statement before it is prepared. */
let before: (sql: string) => void
/** Every statement that came through since. */
let statements: string[]

beforeEach(async () => {
  database = new Database(':memory:')
  before = () => {}
  const watched = new Proxy(database, {
    get(target, key) {
      if (key !== 'prepare') {
        const value = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return (sql: string) => {
        before(sql)
        statements.push(sql)
        return target.prepare(sql)
      }
    },
  })
  statements = []
  store = await openKyselyStore({ dialect: stockDialect(watched), location: 'sess.db' })
  await store.messages.append('s', [user('q')], { createSession: true })
  statements = []
})
afterEach(() => store.close())

/** Fails the next statement that begins so, once. */
function failOnce(start: string, code: string, meanwhile: () => void = () => {}): void {
  before = (sql) => {
    if (!sql.startsWith(start)) return
    before = () => {}
    meanwhile()
    throw driverError(code)
  }
}

const count = () => database.prepare('SELECT count(*) FROM messages').pluck().get()
const writes = () => statements.filter((sql) => /^(insert|update|delete|begin immediate|commit)/i.test(sql))
const damaged = { code: 'corrupt', message: 'sess.db is damaged: driver says SQLITE_CORRUPT' }

describe('after SQLITE_CORRUPT', () => {
  test.each([
    ['a write', 'INSERT INTO messages', () => store.messages.append('s', [user('x')])],
    ['a read', 'SELECT s.row_id', () => store.sessions.get('s')],
    ['the begin of a transaction', 'begin immediate', () => store.transact(async () => {})],
  ])('of %s the handle writes nothing more, and still reads', async (_, statement, call) => {
    failOnce(statement, 'SQLITE_CORRUPT')
    await expect(call()).rejects.toMatchObject(damaged)
    statements = []
    for (const [write, operation] of [
      [() => store.messages.append('s', [user('y')]), 'messages.append'],
      [() => store.sessions.create(), 'sessions.create'],
      [() => store.sessions.remove('s', { purge: true }), 'sessions.remove'],
      [() => store.sessions.import({}, [user('y')]), 'sessions.import'],
      [() => store.threads.create({ name: 't' }), 'threads.create'],
      [() => store.transact(async (scope) => scope.sessions.create()), 'transact'],
    ] as const) {
      await expect(write()).rejects.toMatchObject({ ...damaged, operation })
    }
    expect(writes()).toEqual([])
    expect((await store.sessions.get('s'))?.messageCount).toBe(1)
    expect((await store.messages.read('s')).items.length).toBe(1)
    expect((await store.sessions.list()).items.length).toBe(1)
    expect((await store.changes.since()).changes.length).toBe(1)
  })

  test('inside a transaction nothing of it is kept, though its work goes on', async () => {
    const caught: unknown[] = []
    const transaction = store.transact(async ({ messages, sessions }) => {
      await messages.append('s', [user('before')])
      failOnce('INSERT INTO messages', 'SQLITE_CORRUPT')
      await messages.append('s', [user('x')]).catch((error: unknown) => caught.push(error))
      statements = []
      await sessions.create({ id: 'after' }).catch((error: unknown) => caught.push(error))
    })
    await expect(transaction).rejects.toMatchObject({ ...damaged, operation: 'transact' })
    expect(caught).toMatchObject([
      { ...damaged, operation: 'messages.append' },
      { ...damaged, operation: 'sessions.create' },
    ])
    expect(writes()).toEqual([])
    expect(count()).toBe(1)
  })

  test('a message that cannot be read is no damage of the file', async () => {
    database.exec("UPDATE messages SET content_json = '{broken', message_id = 'm'")
    await expect(store.messages.get('s', 'm')).rejects.toMatchObject({ code: 'corrupt' })
    expect((await store.messages.append('s', [user('x')])).firstSeq).toBe(2)
  })
})

describe('other errors of the driver', () => {
  test.each([
    ['SQLITE_FULL', 'unavailable', true],
    ['SQLITE_IOERR_WRITE', 'unavailable', true],
    ['SQLITE_READONLY', 'unavailable', false],
    ['SQLITE_TOOBIG', 'too-large', false],
    ['SQLITE_MISUSE', 'unknown', false],
  ])(
    '%s in the middle of a write is %s, leaves nothing, and the next write goes on',
    async (driver, code, retryable) => {
      failOnce('UPDATE sessions', driver)
      await expect(store.messages.append('s', [user('x')])).rejects.toMatchObject({
        code,
        retryable,
        operation: 'messages.append',
      })
      expect(count()).toBe(1)
      expect((await store.messages.append('s', [user('y')])).firstSeq).toBe(2)
    },
  )

  test('a commit that fails leaves nothing', async () => {
    failOnce('commit', 'SQLITE_FULL')
    await expect(store.messages.append('s', [user('x')])).rejects.toMatchObject({ code: 'unavailable' })
    failOnce('commit', 'SQLITE_FULL')
    await expect(store.transact((scope) => scope.messages.append('s', [user('x')]))).rejects.toMatchObject({
      code: 'unavailable',
      operation: 'transact',
    })
    expect(count()).toBe(1)
    expect((await store.messages.append('s', [user('y')])).firstSeq).toBe(2)
  })

  test('one in a scope that is caught leaves nothing of its operation, and the rest is kept', async () => {
    await store.transact(async ({ messages }) => {
      await messages.append('s', [user('before')])
      failOnce('UPDATE sessions', 'SQLITE_MISUSE')
      await expect(messages.append('s', [user('x')])).rejects.toMatchObject({ code: 'unknown' })
      await messages.append('s', [user('after')])
    })
    expect((await store.messages.read('s')).items.map(({ seq, content }) => [seq, content[0]])).toEqual([
      [1, { type: 'text', text: 'q' }],
      [2, { type: 'text', text: 'before' }],
      [3, { type: 'text', text: 'after' }],
    ])
  })

  test('after one that rolled the whole transaction back nothing of it is kept, whatever its work does', async () => {
    const caught: unknown[] = []
    const swallow = (error: unknown) => caught.push(error)
    const work = async ({ messages, sessions }: StoreScope) => {
      await messages.append('s', [user('before')])
      // A full disk may end the transaction by itself.
      failOnce('UPDATE sessions', 'SQLITE_FULL', () => database.exec('ROLLBACK'))
      await messages.append('s', [user('x')]).catch(swallow)
      await messages.append('s', [user('after')]).catch(swallow)
      await sessions.create({ id: 'after' }).catch(swallow)
    }
    await expect(store.transact(work)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the disk of sess.db is full',
      operation: 'transact',
    })
    expect(caught).toMatchObject([
      { code: 'unavailable', operation: 'messages.append' },
      { code: 'unavailable', operation: 'messages.append' },
      { code: 'unavailable', operation: 'sessions.create' },
    ])
    expect(count()).toBe(1)
    expect(await store.sessions.get('after')).toBeUndefined()
    expect(database.inTransaction).toBe(false)
    expect((await store.messages.append('s', [user('y')])).firstSeq).toBe(2)
  })
})
