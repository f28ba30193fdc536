// What calls of models cost: sums on the session, rows in the ledger.

import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { allKinds, closeLater, turns, user } from './stores.ts'

const now = Date.UTC(2026, 2, 1, 12)

/** A SQLite store and what reads its ledger. */
async function openLedger() {
  const database = new Database(':memory:')
  const store = closeLater(await openSqliteStore({ database, clock: () => now }))
  const ledger = (id: string) =>
    database
      .prepare(
        `SELECT message_id, at, provider, model, input, output, total, cache_read, cache_write, cost, kind
         FROM usage_events WHERE session_id = ? ORDER BY row_id`,
      )
      .all(id)
  return { store, ledger, database }
}

const emptyRow = {
  message_id: null,
  provider: null,
  model: null,
  input: null,
  output: null,
  total: null,
  cache_read: null,
  cache_write: null,
  cost: null,
  kind: null,
}

describe.each(allKinds)('sums, $kind', ({ open }) => {
  test('last is the call’s, accumulated the sum of each count', async () => {
    const { store, clock } = await open()
    const created = await store.sessions.create({ id: 's' })
    clock.advance(1000)
    const first = await store.sessions.addUsage('s', { input: 10, output: 2, cost: 0.25, model: 'm' })
    expect(first.tokenCounts).toEqual({
      last: { input: 10, output: 2, cost: 0.25 },
      accumulated: { input: 10, output: 2, cost: 0.25 },
    })
    const second = await store.sessions.addUsage('s', { input: 1, total: 3, cacheRead: 4, cacheWrite: 5 })
    expect(second.tokenCounts).toEqual({
      last: { input: 1, total: 3, cacheRead: 4, cacheWrite: 5 },
      accumulated: { input: 11, output: 2, total: 3, cacheRead: 4, cacheWrite: 5, cost: 0.25 },
    })
    expect(await store.sessions.get('s')).toEqual(second)
    // Neither the conversation nor its activity has changed, but the session has.
    expect([second.version, second.lastActiveAt]).toEqual([created.version, created.lastActiveAt])
    expect(second.changeSeq).toBe(created.changeSeq + 2)
    expect(second.updatedAt).toBe(now + 1000)
  })

  test('zero counts and an empty usage are calls too', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 's' })
    await store.sessions.addUsage('s', { input: 0 })
    expect((await store.sessions.addUsage('s', {})).tokenCounts).toEqual({
      last: {},
      accumulated: { input: 0 },
    })
  })

  test.each([
    ['a negative count', { input: -1 }],
    ['a count that is no number', { output: 'many' } as object],
    ['NaN', { total: Number.NaN }],
    ['half a millisecond', { at: 0.5 }],
  ])('%s is invalid and nothing is added', async (_, usage) => {
    const { store } = await open()
    const before = await store.sessions.create({ id: 's' })
    await expect(store.sessions.addUsage('s', usage)).rejects.toMatchObject({
      code: 'invalid',
      operation: 'sessions.addUsage',
    })
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('of an unknown session or one in the trash it is not found', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 's' })
    await store.sessions.remove('s')
    for (const id of ['s', 'nobody'])
      await expect(store.sessions.addUsage(id, { input: 1 })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('twenty at once all count', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 's' })
    await Promise.all(Array.from({ length: 20 }, () => store.sessions.addUsage('s', { input: 1 })))
    expect((await store.sessions.get('s'))?.tokenCounts.accumulated).toEqual({ input: 20 })
  })
})

describe('the ledger', () => {
  test('has one row a call, with all that was told of it', async () => {
    const { store, ledger } = await openLedger()
    await store.sessions.create({ id: 's' })
    await store.sessions.addUsage('s', { input: 1 })
    await store.sessions.addUsage('s', {
      input: 10,
      output: 20,
      total: 30,
      cacheRead: 4,
      cacheWrite: 5,
      cost: 0.125,
      provider: 'acme',
      model: 'm-1',
      messageId: 'msg',
      at: 77,
      kind: 'summary',
    })
    expect(ledger('s')).toEqual([
      { ...emptyRow, at: now, input: 1 },
      {
        message_id: 'msg',
        at: 77,
        provider: 'acme',
        model: 'm-1',
        input: 10,
        output: 20,
        total: 30,
        cache_read: 4,
        cache_write: 5,
        cost: 0.125,
        kind: 'summary',
      },
    ])
  })

  test('forks and branches begin with an empty one; a purge takes it away', async () => {
    const { store, ledger, database } = await openLedger()
    await store.messages.append('s', turns(1), { createSession: true })
    await store.sessions.addUsage('s', { input: 1 })
    await store.sessions.fork('s', { id: 'f' })
    const { branch } = await store.sessions.rewind('s', { toSeq: 0 })
    expect([ledger('f'), ledger(branch?.id ?? ''), ledger('s').length]).toEqual([[], [], 1])
    await store.sessions.remove('s', { purge: true })
    expect(database.prepare('SELECT count(*) FROM usage_events').pluck().get()).toBe(0)
  })

  test('an import carries its sum forward as one row, none where it is nothing', async () => {
    const { store, ledger } = await openLedger()
    const tokenCounts = { last: { input: 2 }, accumulated: { input: 9, output: 3, cost: 1.5 } }
    await store.sessions.import({ id: 's', tokenCounts, createdAt: 5 }, [user('q')])
    expect(ledger('s')).toEqual([
      { ...emptyRow, at: 5, input: 9, output: 3, cost: 1.5, kind: 'carried_forward' },
    ])
    const after = await store.sessions.addUsage('s', { input: 1 })
    expect(after.tokenCounts).toEqual({
      last: { input: 1 },
      accumulated: { input: 10, output: 3, cost: 1.5 },
    })
    await store.sessions.import({ id: 'free', tokenCounts: { last: {}, accumulated: { input: 0 } } }, [])
    await store.sessions.import({ id: 'none' }, [])
    expect([ledger('free'), ledger('none')]).toEqual([[], []])
  })
})

test('a source that is imported again has one row in the ledger, which adds up with what was used here', async () => {
  const { store, ledger } = await openLedger()
  const source = { agent: 'a', sessionId: '1', digest: '' }
  const given = (accumulated: object) => ({ id: 's', source, tokenCounts: { last: {}, accumulated } })
  await store.sessions.import(given({ input: 40 }), turns(1))
  await store.sessions.addUsage('s', { input: 1, output: 3 })
  const { session } = await store.sessions.import(given({ input: 60, cost: 0.5 }), turns(2))
  expect(session.tokenCounts.accumulated).toEqual({ input: 61, output: 3, cost: 0.5 })
  expect(ledger('s')).toEqual([
    { ...emptyRow, at: now, input: 60, cost: 0.5, kind: 'carried_forward' },
    { ...emptyRow, at: now, input: 1, output: 3 },
  ])
})

test('a source that says what it has used only later gets its row then', async () => {
  const { store, ledger } = await openLedger()
  const source = { agent: 'a', sessionId: '1', digest: '' }
  await store.sessions.import({ id: 's', source }, turns(1))
  await store.sessions.addUsage('s', { input: 1 })
  const tokenCounts = { last: {}, accumulated: { input: 9 } }
  const { session } = await store.sessions.import({ source, tokenCounts }, turns(2))
  expect(session.tokenCounts).toEqual({ last: { input: 1 }, accumulated: { input: 10 } })
  expect(ledger('s')).toEqual([
    { ...emptyRow, at: now, input: 1 },
    { ...emptyRow, at: now, input: 9, kind: 'carried_forward' },
  ])
})
