// While a transaction is open: who may call what, who waits, and what another handle sees.

import { join } from 'node:path'
import type { AppendReceipt, SessionStore } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { allKinds, closeLater, seqsOf, turns, user } from './stores.ts'
import { temporaryFolder } from './support.ts'

/** A promise that is resolved from outside. */
function signal() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** A timer's turn of the event loop: what runs in it has left the stack of who set it. */
const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

describe.each(allKinds)('$kind', ({ open }) => {
  test.each<[string, (store: SessionStore) => Promise<unknown>, string]>([
    ['messages.append', (store) => store.messages.append('s', [user('x')]), 'messages.append'],
    ['sessions.get', (store) => store.sessions.get('s'), 'sessions.get'],
    ['sessions.import', (store) => store.sessions.import({}, []), 'sessions.import'],
    ['threads.list', (store) => store.threads.list(), 'threads.list'],
    ['changes.since', (store) => store.changes.since(), 'changes.since'],
    ['a second transact', (store) => store.transact(async () => {}), 'transact'],
    ['close', (store) => store.close(), 'close'],
    ['a timer’s call', (store) => nextTurn().then(() => store.messages.read('s')), 'messages.read'],
    ['a timer’s close', (store) => nextTurn().then(() => store.close()), 'close'],
  ])('%s of the store itself is refused from inside', async (_, call, operation) => {
    const { store } = await open()
    await store.sessions.create({ id: 's' })
    await store.transact(async (scope) => {
      await scope.messages.append('s', [user('q')])
      await expect(call(store)).rejects.toMatchObject({
        code: 'invalid',
        operation,
        message: expect.stringContaining('use the scope'),
      })
    })
    // It is over, and the same caller may go on.
    expect(await seqsOf(store, 's')).toEqual([1])
  })

  test('another store may be called from inside', async () => {
    const [{ store }, { store: other }] = [await open(), await open()]
    await store.transact(async (scope) => {
      await scope.sessions.create({ id: 's' })
      await other.transact(async (inner) => {
        await inner.sessions.create({ id: 'o' })
        await expect(store.sessions.get('s')).rejects.toMatchObject({ code: 'invalid' })
        await scope.messages.append('s', [user('q')])
      })
      expect((await other.sessions.get('o'))?.id).toBe('o')
    })
    expect(await seqsOf(store, 's')).toEqual([1])
  })

  test('what a work began and did not wait for may call the store once the transaction is over', async () => {
    const { store } = await open()
    const over = signal()
    let later: Promise<unknown> = Promise.resolve()
    await store.transact(async (scope) => {
      await scope.sessions.create({ id: 's' })
      later = over.promise.then(() => store.messages.append('s', [user('q')]))
    })
    over.resolve()
    expect(await later).toMatchObject({ firstSeq: 1 })
  })

  test('operations from outside wait and then go on', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 's' })
    const [begun, goOn] = [signal(), signal()]
    const transaction = store.transact(async ({ messages }) => {
      await messages.append('s', [user('inside')])
      begun.resolve()
      await goOn.promise
      await messages.append('s', [user('inside too')])
    })
    await begun.promise
    let answered = 0
    const outside = [
      store.messages.append('s', [user('outside')]),
      store.sessions.get('s'),
      store.transact(({ messages }) => messages.append('s', [user('second')])),
    ].map(async (call) => {
      const answer = await call
      answered++
      return answer
    })
    await nextTurn()
    expect(answered).toBe(0)
    goOn.resolve()
    await transaction
    const [appended, session, second] = await Promise.all(outside)
    // Where reads and batches are apart, either of the two may be the first.
    expect([appended, second].map((receipt) => (receipt as AppendReceipt).firstSeq).toSorted()).toEqual([
      3, 4,
    ])
    expect(session).toMatchObject({ id: 's', name: 'New session' })
  })

  test('an operation from outside is busy after busyTimeout, and the transaction goes on', async () => {
    const { store } = await open({ busyTimeout: 20 })
    const [begun, goOn] = [signal(), signal()]
    const transaction = store.transact(async ({ sessions }) => {
      begun.resolve()
      await goOn.promise
      await sessions.create({ id: 's' })
    })
    await begun.promise
    for (const [call, operation] of [
      [() => store.sessions.get('s'), 'sessions.get'],
      [() => store.transact(async () => {}), 'transact'],
    ] as const) {
      await expect(call()).rejects.toMatchObject({ code: 'busy', retryable: true, operation })
    }
    goOn.resolve()
    await transaction
    expect((await store.sessions.get('s'))?.id).toBe('s')
  })

  test('close waits for the open transaction, which is kept', async () => {
    const { store } = await open()
    const [begun, goOn] = [signal(), signal()]
    const order: string[] = []
    const transaction = store
      .transact(async ({ sessions }) => {
        begun.resolve()
        await goOn.promise
        await sessions.create({ id: 's' })
      })
      .then(() => order.push('transaction'))
    await begun.promise
    const closed = store.close().then(() => order.push('closed'))
    await expect(store.sessions.get('s')).rejects.toMatchObject({ code: 'closed' })
    goOn.resolve()
    await Promise.all([transaction, closed])
    expect(order).toEqual(['transaction', 'closed'])
    await expect(store.transact(async () => {})).rejects.toMatchObject({
      code: 'closed',
      operation: 'transact',
    })
  })
})

describe('two handles on one file', () => {
  async function openTwo(busyTimeout = 5000) {
    const path = join(temporaryFolder(), 'sess.db')
    const open = async () => closeLater(await openSqliteStore({ path, busyTimeout }))
    return [await open(), await open()] as const
  }

  test('the other sees nothing before the commit, and all of it after', async () => {
    const [one, other] = await openTwo()
    await one.sessions.create({ id: 's' })
    await one.transact(async ({ messages, sessions }) => {
      await messages.append('s', turns(1))
      await sessions.update('s', { name: 'n' })
      expect(await seqsOf(other, 's')).toEqual([])
      expect((await other.sessions.get('s'))?.name).toBe('New session')
    })
    expect(await seqsOf(other, 's')).toEqual([1, 2])
    expect((await other.sessions.get('s'))?.name).toBe('n')
  })

  test('a write of the other waits for the end, or is busy after busyTimeout', async () => {
    const [one, other] = await openTwo(30)
    await one.sessions.create({ id: 's' })
    const late = await one.transact(async ({ messages }) => {
      await messages.append('s', [user('first')])
      await expect(other.messages.append('s', [user('x')])).rejects.toMatchObject({ code: 'busy' })
      await expect(other.transact(async () => {})).rejects.toMatchObject({
        code: 'busy',
        operation: 'transact',
      })
      return { write: other.messages.append('s', [user('second')]) }
    })
    expect(await late.write).toMatchObject({ firstSeq: 2 })
  })
})
