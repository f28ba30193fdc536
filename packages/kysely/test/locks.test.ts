// Many writes of one handle wait for one lock of another process: one of them asks for it, and the event loop goes on.
// Time is the test's own, so that attempts can be counted.

import type { SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openKyselyStore } from '../src/index.ts'
import { stockDialect } from './support.ts'

const user = (content: string) => ({ role: 'user', content }) as const

let store: SessionStore
/** Whether somebody else holds the lock. */
let locked: boolean
/** How often it was asked for. */
let attempts: number

async function open(guarded: boolean, busyTimeout = 1000): Promise<void> {
  const database = new Database(':memory:')
  const watched = new Proxy(database, {
    get(target, key) {
      if (key !== 'prepare') {
        const value = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return (sql: string) => {
        if (sql === 'begin immediate') {
          attempts++
          if (locked) throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
        }
        return target.prepare(sql)
      }
    },
  })
  store = await openKyselyStore({
    dialect: stockDialect(watched),
    location: 'sess.db',
    guarded,
    busyTimeout,
  })
  await store.messages.append('s', [user('q')], { createSession: true })
  attempts = 0
}

beforeEach(() => {
  locked = false
  attempts = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  // Pauses of exactly 1, 2, 4, ... milliseconds.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(async () => {
  locked = false
  await store.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const append = () => store.messages.append('s', [user('x')])
const outcomes = (calls: readonly Promise<unknown>[]) =>
  Promise.all(
    calls.map((call) =>
      call.then(
        () => 'kept',
        (error: { code: string; message: string; retryable: boolean }) =>
          `${error.code} ${error.retryable}: ${error.message}`,
      ),
    ),
  )

describe.each([
  ['under one lock', false],
  ['guarded', true],
])('writes %s', (_, guarded) => {
  test('400 that wait ask for the lock as often as one, and all are kept once it is free', async () => {
    await open(guarded)
    locked = true
    const waiting = outcomes(Array.from({ length: 400 }, append))
    const counts: number[] = []
    // Attempts at 0, 1, 3, 7, 15, 31, 63, 113, 163 ms.
    for (const milliseconds of [0, 1, 2, 4, 8, 48, 50, 50]) {
      await pass(milliseconds)
      counts.push(attempts)
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 7, 8, 9])
    locked = false
    await pass(50)
    expect(new Set(await waiting)).toEqual(new Set(['kept']))
    expect(attempts).toBe(9 + 400)
    expect((await store.sessions.get('s'))?.messageCount).toBe(401)
  })

  test('each fails at its own deadline, without an attempt of its own', async () => {
    await open(guarded, 100)
    locked = true
    const early = outcomes(Array.from({ length: 50 }, append))
    await pass(60)
    const late = outcomes(Array.from({ length: 50 }, append))
    let lateEnded = false
    void late.then(() => {
      lateEnded = true
    })
    await pass(60)
    const message = 'busy true: sess.db was locked by another writer for 100 ms'
    expect(new Set(await early)).toEqual(new Set([message]))
    // At 0, 1, 3, 7, 15, 31, 63 and 113 ms.
    expect([attempts, lateEnded]).toEqual([8, false])
    await pass(50)
    expect(new Set(await late)).toEqual(new Set([message]))
    expect(attempts).toBe(9)
    locked = false
    expect((await append()).firstSeq).toBe(2)
    expect(attempts).toBe(10)
  })

  test('a busyTimeout of 0 is one attempt for all that were asked for at once', async () => {
    await open(guarded, 0)
    locked = true
    expect(new Set(await outcomes(Array.from({ length: 50 }, append)))).toEqual(
      new Set(['busy true: sess.db was locked by another writer for 0 ms']),
    )
    expect(attempts).toBe(1)
  })

  test('reads go on while a transaction and a write wait for the lock', async () => {
    await open(guarded)
    locked = true
    const waiting = outcomes([
      store.transact(async ({ messages }) => messages.append('s', [user('t')])),
      append(),
    ])
    await pass(20)
    expect((await store.sessions.get('s'))?.messageCount).toBe(1)
    expect((await store.messages.recentTurns('s', { turns: 1 })).messages.length).toBe(1)
    expect((await store.sessions.list()).items.length).toBe(1)
    expect(attempts).toBe(5)
    locked = false
    await pass(50)
    expect(await waiting).toEqual(['kept', 'kept'])
    expect((await store.messages.read('s')).items.map(({ content }) => content)).toEqual(
      ['q', 't', 'x'].map((text) => [{ type: 'text', text }]),
    )
  })

  test('a transaction that never gets the lock is busy, and its work never runs', async () => {
    await open(guarded, 100)
    locked = true
    let ran = 0
    const waiting = outcomes([
      store.transact(async () => {
        ran++
      }),
    ])
    await pass(200)
    expect(await waiting).toEqual(['busy true: sess.db was locked by another writer for 100 ms'])
    expect(ran).toBe(0)
  })

  test('what its work finds locked is not tried again: the work runs once', async () => {
    await open(guarded)
    let ran = 0
    const transaction = store.transact(async () => {
      ran++
      throw Object.assign(new Error('mine'), { code: 'SQLITE_BUSY' })
    })
    await expect(transaction).rejects.toThrow('mine')
    expect([ran, attempts]).toEqual([1, 1])
  })

  test('a write that waits behind a transaction waits no longer than busyTimeout', async () => {
    await open(guarded, 100)
    let end = () => {}
    const work = new Promise<void>((resolve) => {
      end = resolve
    })
    // Both were asked for before the transaction has the lock.
    const transaction = outcomes([store.transact(() => work)])
    const behind = outcomes([append()])
    await pass(101)
    expect(await behind).toEqual(['busy true: sess.db: a transaction was open for more than 100 ms'])
    end()
    expect(await transaction).toEqual(['kept'])
  })
})
