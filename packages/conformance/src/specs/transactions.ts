// Several operations as one: all are stored when the work resolves, none when it rejects; each is a savepoint.

import assert from 'node:assert/strict'
import { isStoreError, type SessionStore, type StoreScope } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { ids, listAll, readAll, seqs, texts, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'transactions'
const create = { createSession: true } as const
const needs = ['transact'] as const

/** Runs work that ends by throwing, and answers what came out. */
async function rolledBack(
  store: SessionStore,
  work: (scope: StoreScope) => Promise<unknown>,
): Promise<unknown> {
  const error = new Error('the caller’s own')
  const caught = await store
    .transact(async (scope) => {
      await work(scope)
      throw error
    })
    .catch((thrown: unknown) => thrown)
  assert.equal(caught, error, 'the error of the work comes out as another one')
  return caught
}

export const transactionSpecs: readonly Spec[] = [
  {
    id: 'TXN-01',
    group,
    title: 'work that resolves is stored whole, and its value is answered',
    needs,
    async run({ store }) {
      const answer = await store.transact(async (scope) => {
        const session = await scope.sessions.create({ id: 's' })
        const receipt = await scope.messages.append('s', turns(2))
        return { session, receipt }
      })
      assert.equal(answer.session.id, 's')
      assert.deepEqual(await readAll(store, 's'), answer.receipt.messages)
      assert.equal((await store.sessions.get('s'))?.version, 2)
      assert.equal(await store.transact(async () => undefined), undefined)
    },
  },
  {
    id: 'TXN-02',
    group,
    title: 'work that rejects leaves nothing, and its own error comes out as it is',
    needs: ['transact', 'sessions.list', 'sessions.update', 'sessions.remove'],
    async run({ store, clock }) {
      await store.messages.append('s', turns(1), create)
      await store.sessions.create({ id: 'gone' })
      const before = [await store.sessions.get('s'), await store.sessions.get('gone')]
      clock.advance(10)
      await rolledBack(store, async ({ sessions, messages }) => {
        await sessions.create({ id: 'new' })
        await messages.append('s', turns(1, 2))
        await messages.append('other', turns(1), create)
        await sessions.update('s', { name: 'n', tags: ['t'] })
        await sessions.remove('gone', { purge: true })
      })
      assert.deepEqual([await store.sessions.get('s'), await store.sessions.get('gone')], before)
      assert.deepEqual(await listAll(store), ['gone', 's'])
      assert.deepEqual(texts(await readAll(store, 's')), ['q1', 'a1'])
      assert.deepEqual(await readAll(store, 'other'), [])
      const { firstSeq, version } = await store.messages.append('s', [user('q')], { expectedVersion: 1 })
      assert.deepEqual([firstSeq, version], [3, 2])
    },
  },
  {
    id: 'TXN-03',
    group,
    title: 'the work sees what it has done so far',
    needs: ['transact', 'sessions.list', 'sessions.update', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      await store.transact(async ({ sessions, messages }) => {
        await messages.append('s', turns(1, 2), { expectedVersion: 1 })
        assert.deepEqual(seqs((await messages.read('s')).items), [1, 2, 3, 4])
        assert.deepEqual(seqs((await messages.recentTurns('s', { turns: 1 })).messages), [3, 4])
        const renamed = await sessions.update('s', { name: 'n' })
        assert.deepEqual(await sessions.get('s'), renamed)
        const made = await sessions.create()
        assert.deepEqual(ids((await sessions.list()).items), [made.id, 's'])
        await messages.append('s', turns(1, 3), { expectedVersion: 2 })
      })
      assert.equal((await readAll(store, 's')).length, 6)
    },
  },
  {
    id: 'TXN-04',
    group,
    title: 'an operation that rejects and is caught leaves nothing of itself, the others are stored',
    needs: ['transact', 'sessions.update'],
    async run({ store }) {
      await store.messages.append('s', [user('a', { id: 'a' })], create)
      await store.transact(async ({ sessions, messages }) => {
        await messages.append('s', [user('b')])
        await rejects('conflict', 'messages.append', () =>
          messages.append('s', [user('c'), user('not a', { id: 'a' })]),
        )
        await rejects('already-exists', 'sessions.create', () => sessions.create({ id: 's' }))
        await rejects('not-found', 'sessions.update', () => sessions.update('unknown', { name: 'n' }))
        await rejects('invalid', 'messages.append', () => messages.append('s', [{ role: 'user' } as never]))
        await messages.append('s', [user('d')])
      })
      const stored = await readAll(store, 's')
      assert.deepEqual(
        [texts(stored), seqs(stored)],
        [
          ['a', 'b', 'd'],
          [1, 2, 3],
        ],
      )
      assert.equal((await store.sessions.get('s'))?.version, 3)
    },
  },
  {
    id: 'TXN-05',
    group,
    title: 'an operation that rejects and is not caught takes everything back, and names itself',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      const before = await store.sessions.get('s')
      const error: unknown = await store
        .transact(async ({ messages }) => {
          await messages.append('s', [user('q')])
          await messages.append('unknown', [user('q')])
        })
        .catch((thrown: unknown) => thrown)
      assert.ok(isStoreError(error))
      assert.deepEqual([error.code, error.operation], ['not-found', 'messages.append'])
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'TXN-06',
    group,
    title: 'a scope ends with its transaction: from then on it is invalid to use it',
    needs: ['transact', 'threads.create'],
    async run({ store }) {
      const scopes: StoreScope[] = []
      await store.transact(async (scope) => {
        scopes.push(scope)
        await scope.sessions.create({ id: 's' })
      })
      await rolledBack(store, async (scope) => scopes.push(scope))
      for (const { sessions, messages, threads } of scopes) {
        await rejects('invalid', 'sessions.get', () => sessions.get('s'))
        await rejects('invalid', 'messages.append', () => messages.append('s', [user('late')]))
        await rejects('invalid', 'threads.create', () => threads.create({ name: 'late' }))
      }
      assert.equal((await store.sessions.get('s'))?.messageCount, 0)
    },
  },
  {
    id: 'TXN-07',
    group,
    title: 'operations at once within one transaction are all stored, each whole',
    needs,
    async run({ store }) {
      await store.transact(async ({ messages }) => {
        await Promise.all(upTo(10).map((number) => messages.append('s', [user(`${number}`)], create)))
      })
      const stored = await readAll(store, 's')
      assert.deepEqual(seqs(stored), upTo(10))
      assert.equal(new Set(texts(stored)).size, 10)
    },
  },
  {
    id: 'TXN-08',
    group,
    title: 'work that throws before it answers a promise is work that rejects',
    needs,
    async run({ store }) {
      const error = new Error('at once')
      const throwing = () => {
        throw error
      }
      const caught = await store.transact(throwing).catch((thrown: unknown) => thrown)
      assert.equal(caught, error)
      await store.transact(async ({ sessions }) => sessions.create({ id: 's' }))
      assert.equal((await store.sessions.get('s'))?.id, 's')
    },
  },
  {
    id: 'TXN-09',
    group,
    title: 'an import has no place in a transaction: it is unsupported there and leaves nothing',
    needs: ['transact', 'sessions.import'],
    async run({ store }) {
      await store.transact(async ({ sessions }) => {
        const error: unknown = await sessions.import({ id: 's' }, turns(1)).catch((thrown: unknown) => thrown)
        assert.equal(isStoreError(error) && error.code, 'unsupported')
      })
      assert.equal(await store.sessions.get('s'), undefined)
      assert.equal((await store.sessions.import({ id: 's' }, turns(1))).outcome, 'created')
    },
  },
  {
    id: 'TXN-10',
    group,
    title: 'forks, rewinds, edits, compactions, usage and threads are taken back like all else',
    needs: [
      'transact',
      'sessions.addUsage',
      'sessions.fork',
      'sessions.list',
      'sessions.remove',
      'sessions.rewind',
      'sessions.undelete',
      'messages.compact',
      'messages.remove',
      'messages.replace',
      'messages.update',
      'threads.attach',
      'threads.create',
      'threads.get',
      'threads.list',
    ],
    async run({ store }) {
      const batch = turns(3).map((message, index) => ({ ...message, id: `m${index + 1}` }))
      for (const id of ['s', 't']) await store.messages.append(id, batch, create)
      await store.sessions.create({ id: 'trashed' })
      await store.sessions.remove('trashed')
      await store.threads.create({ id: 'group', name: 'n' })
      const everything = async () => [
        (await store.sessions.list({ types: 'all', deleted: 'any' })).items,
        await readAll(store, 's'),
        await readAll(store, 't'),
        (await store.threads.list()).items,
        await store.threads.get('group'),
      ]
      const before = await everything()
      await rolledBack(store, async ({ sessions, messages, threads }) => {
        await sessions.fork('s', { id: 'f' })
        await messages.compact('s', { throughSeq: 2, summary: user('S') })
        await messages.update('s', 'm1', { content: 'x' })
        await messages.remove('s', ['m2'])
        await sessions.rewind('s', { toSeq: 4 })
        await messages.replace('t', [user('n', { id: 'm1' })])
        await sessions.addUsage('t', { input: 1 })
        await sessions.undelete('trashed')
        await threads.attach('group', 's')
        await threads.create({ id: 'other', name: 'n' })
      })
      assert.deepEqual(await everything(), before)
    },
  },
  {
    id: 'TXN-11',
    group,
    title: 'what was taken back was never there: its operation is unknown, its message ids are free',
    needs,
    async run({ store }) {
      const batch = [user('a', { id: 'a' })]
      await store.sessions.create({ id: 's' })
      await rolledBack(store, ({ messages }) => messages.append('s', batch, { operationId: 'op' }))
      const other = await store.messages.append('s', [user('b', { id: 'a' })], { operationId: 'op' })
      assert.deepEqual([other.firstSeq, other.version], [1, 2])
      await store.transact(({ messages }) => messages.append('s', [user('c')], { operationId: 'kept' }))
      const retry = await store.messages.append('s', [user('c')], { operationId: 'kept' })
      assert.deepEqual([retry.firstSeq, retry.version], [2, 3])
      assert.equal((await readAll(store, 's')).length, 2)
    },
  },
  {
    id: 'TXN-12',
    group,
    title: 'the feed has what was stored, and nothing of what was taken back',
    needs: ['transact', 'changes.since', 'sessions.remove'],
    async run({ store }) {
      for (const id of ['a', 'b']) await store.sessions.create({ id })
      const { token } = await store.changes.since()
      await rolledBack(store, async ({ sessions, messages }) => {
        await messages.append('a', [user('q')])
        await sessions.remove('b', { purge: true })
        await sessions.create({ id: 'c' })
      })
      assert.deepEqual((await store.changes.since(token)).changes, [])
      assert.equal((await store.changes.since('now')).token, token)
      await store.transact(async ({ messages }) => {
        await messages.append('b', [user('q')])
        await messages.append('a', [user('q')])
      })
      const { changes } = await store.changes.since(token)
      assert.deepEqual(
        changes.map(({ sessionId }) => sessionId),
        ['b', 'a'],
      )
      assert.equal(changes[1]?.changeSeq, defined(await store.sessions.get('a')).changeSeq)
    },
  },
]
