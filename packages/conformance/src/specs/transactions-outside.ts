// A transaction and those outside it: nobody comes in between, nobody sees half of it, and mistakes do not wait for ever.

import assert from 'node:assert/strict'
import { isStoreError, type SessionStore, type StoreScope } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { readAll, seqs, texts, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'transactions'
const create = { createSession: true } as const
const needs = ['transact'] as const

/**
 * Opens a transaction, does its work, and does something else outside while it stays open. It ends whatever happens
 * meanwhile, so that a store that fails a spec can be let go of.
 */
async function whileOpen<T>(
  store: SessionStore,
  work: (scope: StoreScope) => Promise<unknown>,
  outside: () => Promise<T>,
  takeBack?: Error,
): Promise<T> {
  const opened = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const done = store.transact(async (scope) => {
    await work(scope)
    opened.resolve()
    await ending.promise
    if (takeBack) throw takeBack
  })
  const ended = done.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  try {
    await Promise.race([opened.promise, done])
    return await outside()
  } finally {
    ending.resolve()
    assert.equal(await ended, takeBack)
  }
}

/** The code a call from inside a transaction is refused with: where the runtime cannot tell, it waits until it is busy. */
async function refusal(call: () => Promise<unknown>): Promise<void> {
  const error: unknown = await call().then(
    () => 'no error',
    (thrown: unknown) => thrown,
  )
  const code = isStoreError(error) ? error.code : String(error)
  assert.ok(code === 'invalid' || code === 'busy', `a call on the outer store ended with ${code}`)
}

export const transactionOutsideSpecs: readonly Spec[] = [
  {
    id: 'TXN-30',
    group,
    title: 'a call on the outer store from inside is refused, and the transaction goes on',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      await store.transact(async (scope) => {
        await scope.messages.append('s', [user('before')])
        await refusal(() => store.messages.append('s', [user('outside')]))
        await refusal(() => store.sessions.get('s'))
        await scope.messages.append('s', [user('after')])
      })
      assert.deepEqual(texts(await readAll(store, 's')), ['q1', 'a1', 'before', 'after'])
    },
  },
  {
    id: 'TXN-31',
    group,
    title: 'a transaction within a transaction is refused, and the outer one goes on',
    needs,
    async run({ store }) {
      await store.transact(async (scope) => {
        await scope.sessions.create({ id: 'outer' })
        await refusal(() => store.transact(async ({ sessions }) => sessions.create({ id: 'inner' })))
      })
      assert.equal(await store.sessions.get('inner'), undefined)
      assert.equal((await store.sessions.get('outer'))?.id, 'outer')
    },
  },
  {
    id: 'TXN-32',
    group,
    title: 'another store can be used from inside, and its work is not taken back',
    needs,
    async run({ store, another }) {
      const other = await another()
      const error = new Error('back')
      const work = store.transact(async (scope) => {
        await scope.sessions.create({ id: 's' })
        await other.sessions.create({ id: 's' })
        throw error
      })
      assert.equal(await work.catch((thrown: unknown) => thrown), error)
      assert.equal(await store.sessions.get('s'), undefined)
      assert.equal((await other.sessions.get('s'))?.id, 's')
    },
  },
  {
    id: 'TXN-33',
    group,
    title: 'writes from outside wait until the transaction ends, and come after it',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('first')], create)
      const inside = ({ messages }: StoreScope) => messages.append('s', [user('inside')])
      const { receipt } = await whileOpen(store, inside, async () => {
        let answered = false
        const waiting = store.messages.append('s', [user('outside')]).finally(() => {
          answered = true
        })
        for (const _ of upTo(20)) await Promise.resolve()
        assert.equal(answered, false)
        return { receipt: waiting }
      })
      const { firstSeq, version } = await receipt
      assert.deepEqual([firstSeq, version], [3, 3])
      assert.deepEqual(texts(await readAll(store, 's')), ['first', 'inside', 'outside'])
    },
  },
  {
    id: 'TXN-34',
    group,
    title: 'nobody outside sees what is then taken back, and a write that waited stands on what was before',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('first')], create)
      const inside = ({ messages }: StoreScope) => messages.append('s', [user('inside')])
      const { answers } = await whileOpen(
        store,
        inside,
        async () => {
          const outside = store.messages.append('s', [user('outside')], { expectedVersion: 1 })
          return { answers: Promise.allSettled([store.messages.read('s'), outside]) }
        },
        new Error('back'),
      )
      const [page, receipt] = await answers
      assert.ok(
        page.status === 'fulfilled' && receipt.status === 'fulfilled',
        'a call from outside was refused',
      )
      assert.equal(texts(page.value.items).includes('inside'), false)
      assert.deepEqual([receipt.value.firstSeq, receipt.value.version], [2, 2])
      assert.deepEqual(texts(await readAll(store, 's')), ['first', 'outside'])
    },
  },
  {
    id: 'TXN-35',
    group,
    title: 'transactions at once run one after the other: none loses what another wrote',
    needs: ['transact', 'sessions.update'],
    async run({ store }) {
      await store.sessions.create({ id: 's', metadata: { count: 0 } })
      await Promise.all(
        upTo(10).map(() =>
          store.transact(async ({ sessions, messages }) => {
            const { count } = defined(await sessions.get('s')).metadata as { count: number }
            await messages.append('s', [user(`${count}`)])
            await sessions.update('s', { metadata: { count: count + 1 } })
          }),
        ),
      )
      assert.deepEqual((await store.sessions.get('s'))?.metadata, { count: 10 })
      const stored = await readAll(store, 's')
      assert.deepEqual(
        texts(stored),
        upTo(10).map((number) => `${number - 1}`),
      )
      assert.deepEqual(seqs(stored), upTo(10))
    },
  },
  {
    id: 'TXN-36',
    group,
    title: 'of transactions at once some of which reject, exactly the others are stored',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const results = await Promise.allSettled(
        upTo(8).map((number) =>
          store.transact(async ({ messages }) => {
            await messages.append('s', [user(`${number}`)])
            if (number % 2 === 0) throw new Error('back')
          }),
        ),
      )
      assert.equal(results.filter(({ status }) => status === 'rejected').length, 4)
      const stored = await readAll(store, 's')
      assert.deepEqual(texts(stored).sort(), ['1', '3', '5', '7'])
      assert.deepEqual(seqs(stored), [1, 2, 3, 4])
    },
  },
  {
    id: 'TXN-37',
    group,
    title: 'what the work leaves running may use the store again once the transaction is over',
    needs,
    async run({ store }) {
      const over = Promise.withResolvers<void>()
      let later: Promise<unknown> | undefined
      await store.transact(async ({ sessions }) => {
        await sessions.create({ id: 's' })
        later = over.promise.then(() => store.messages.append('s', [user('later')]))
      })
      over.resolve()
      await later
      assert.deepEqual(texts(await readAll(store, 's')), ['later'])
    },
  },
  {
    id: 'TXN-38',
    group,
    title: 'close waits for the open transaction, whose scope works until it ends',
    needs,
    async run({ store }) {
      const ending = Promise.withResolvers<void>()
      const done = store.transact(async ({ sessions, messages }) => {
        await sessions.create({ id: 's' })
        await ending.promise
        return messages.append('s', [user('late')])
      })
      for (const _ of upTo(20)) await Promise.resolve()
      const closing = store.close()
      try {
        await rejects('closed', 'sessions.get', () => store.sessions.get('s'))
      } finally {
        ending.resolve()
      }
      const [{ firstSeq }] = await Promise.all([done, closing])
      assert.equal(firstSeq, 1)
    },
  },
  {
    id: 'TXN-39',
    group,
    title: 'what a transaction stored is there after opening again, what it took back is not',
    needs,
    needsHandle: ['reopen'],
    async run({ store, reopen }) {
      await store.transact(({ messages }) => messages.append('kept', turns(2), create))
      const gone = ({ messages }: StoreScope) => messages.append('gone', turns(1), create)
      await whileOpen(store, gone, async () => undefined, new Error('back'))
      const again = await reopen()
      assert.equal((await readAll(again, 'kept')).length, 4)
      assert.equal(await again.sessions.get('gone'), undefined)
    },
  },
  {
    id: 'TXN-40',
    group,
    title: 'a close from inside, which would wait for itself, is refused, and the store stays open',
    needs,
    async run({ store }) {
      await store.transact(async (scope) => {
        await scope.sessions.create({ id: 's' })
        await refusal(() => store.close())
        await scope.messages.append('s', [user('after')])
      })
      assert.deepEqual(texts(await readAll(store, 's')), ['after'])
    },
  },
]
