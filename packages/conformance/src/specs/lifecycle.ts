// Closing a store, and opening its data again.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { assistant, ids, listAll, readAll, seqs, texts, turns, upTo, user } from '../data.ts'
import { allValues } from '../fixtures/values.ts'
import { portMethods, sampleCalls } from '../methods.ts'
import type { Spec } from '../spec.ts'

const group = 'lifecycle'
const create = { createSession: true } as const
const needsHandle = ['reopen'] as const

/** Everything plain methods can read of a store. */
async function everything(store: SessionStore) {
  const query = { types: 'all', archived: 'any', deleted: 'any', order: 'asc' } as const
  const sessions = (await store.sessions.list({ ...query, limit: 1000 })).items
  const messages = await Promise.all(sessions.map(({ id }) => readAll(store, id)))
  return { sessions, messages }
}

export const lifecycleSpecs: readonly Spec[] = [
  {
    id: 'LIF-01',
    group,
    title: 'after close every method rejects with closed',
    async run({ store }) {
      await store.messages.append('s', [user('q', { id: 'm' })], create)
      await store.close()
      for (const method of portMethods) {
        if (store.capabilities.missing.includes(method)) continue
        await rejects('closed', method, () => sampleCalls[method](store))
      }
    },
  },
  {
    id: 'LIF-02',
    group,
    title: 'a second close does nothing, and await using closes',
    async run({ store, another }) {
      await store.close()
      await store.close()
      const inner = await another()
      {
        await using used = inner
        await used.sessions.create({ id: 's' })
      }
      await rejects('closed', 'sessions.get', () => inner.sessions.get('s'))
      await inner[Symbol.asyncDispose]()
    },
  },
  {
    id: 'LIF-03',
    group,
    title: 'close waits for what is under way',
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      let answered = 0
      const underWay = upTo(5).map(async (number) => {
        const receipt = await store.messages.append('s', [user(`${number}`)])
        answered++
        return receipt
      })
      const closing = store.close()
      await rejects('closed', 'sessions.get', () => store.sessions.get('s'))
      await closing
      const receipts = await Promise.all(underWay)
      assert.deepEqual([answered, receipts.length], [5, 5])
      assert.deepEqual(
        receipts.map(({ firstSeq }) => firstSeq),
        upTo(5),
      )
    },
  },
  {
    id: 'LIF-04',
    group,
    title: 'two stores share nothing, and closing one leaves the other',
    needs: ['sessions.list'],
    async run({ store, another }) {
      const other = await another()
      await store.messages.append('s', [user('of one')], create)
      assert.equal(await other.sessions.get('s'), undefined)
      await other.messages.append('s', [user('of the other')], create)
      assert.equal((await store.sessions.create()).id, '20260301_1')
      assert.equal((await other.sessions.create()).id, '20260301_1')
      await store.close()
      assert.deepEqual(texts(await readAll(other, 's')), ['of the other'])
      assert.deepEqual(ids((await other.sessions.list()).items), ['20260301_1', 's'])
    },
  },
  {
    id: 'LIF-05',
    group,
    title:
      'a close from the messages of an import, which would wait for itself, is refused, and the import goes on',
    needs: ['sessions.import'],
    async run({ store }) {
      await store.messages.append('s', [user('q')], create)
      async function* closing() {
        yield* (await store.messages.read('s')).items
        await rejects('invalid', 'close', () => store.close())
        yield assistant('a')
      }
      const { added } = await store.sessions.import({ id: 'copy' }, closing())
      assert.equal(added, 2)
      assert.deepEqual(texts(await readAll(store, 'copy')), ['q', 'a'])
    },
  },
  {
    id: 'LIF-06',
    group,
    title:
      'close waits for an import that reads its messages, which is stored whole; a second close waits, too',
    needs: ['sessions.import'],
    async run({ store }) {
      const ending = Promise.withResolvers<void>()
      async function* slow() {
        yield user('q')
        await ending.promise
        yield assistant('a')
      }
      const events: string[] = []
      const importing = store.sessions.import({ id: 's' }, slow()).then(() => events.push('stored'))
      const closing = [store.close(), store.close()].map((close) => close.then(() => events.push('closed')))
      const ended = Promise.allSettled([importing, ...closing])
      try {
        await rejects('closed', 'sessions.get', () => store.sessions.get('s'))
        assert.deepEqual(events, [])
      } finally {
        ending.resolve()
        await ended
      }
      assert.deepEqual(events, ['stored', 'closed', 'closed'])
    },
  },
  {
    id: 'LIF-10',
    group,
    title: 'a store opened again gives every session and message as before',
    needs: ['sessions.list', 'sessions.update', 'sessions.remove'],
    needsHandle,
    async run({ store, reopen, clock }) {
      const fields = { name: 'n', tags: ['a', 'b'], metadata: { deep: [1, { a: null }] }, mode: 'm' }
      await store.messages.append('full', turns(3), {
        createSession: { ...fields, modelConfig: { model: 'm' } },
      })
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'full' })
      await store.sessions.create()
      clock.advance(10)
      await store.sessions.update('full', { pinned: true, archived: true })
      await store.messages.append('trashed', turns(1), create)
      await store.sessions.remove('trashed')
      await store.sessions.create({ id: 'purged' })
      await store.sessions.remove('purged', { purge: true })
      const before = await everything(store)
      assert.deepEqual(ids(before.sessions), ['full', 'agent', '20260301_1', 'trashed'])
      clock.advance(10)
      const again = await reopen()
      assert.deepEqual(await everything(again), before)
      assert.deepEqual(again.capabilities, store.capabilities)
      await rejects('closed', 'sessions.get', () => store.sessions.get('full'))
    },
  },
  {
    id: 'LIF-11',
    group,
    title: 'every value of the corpus is the same after opening again',
    needsHandle,
    async run({ store, reopen }) {
      const batch = allValues.map((v) => assistant([{ type: 'x', v }], { metadata: { v } }))
      const { messages } = await store.messages.append('s', batch, create)
      const found = await readAll(await reopen(), 's')
      assert.deepEqual(found, messages)
      assert.equal(JSON.stringify(found), JSON.stringify(messages))
    },
  },
  {
    id: 'LIF-12',
    group,
    title: 'counters go on after opening again: ids, seqs, versions and changeSeq',
    needs: ['sessions.remove'],
    needsHandle,
    async run({ store, reopen }) {
      await store.sessions.create()
      await store.messages.append('s', turns(1), create)
      const { id, changeSeq } = await store.sessions.create()
      await store.sessions.remove(id, { purge: true })
      const again = await reopen()
      const next = await again.sessions.create()
      assert.equal(next.id, '20260301_3')
      assert.ok(next.changeSeq > changeSeq)
      const { firstSeq, version } = await again.messages.append('s', [user('q')], { expectedVersion: 1 })
      assert.deepEqual([firstSeq, version], [3, 2])
    },
  },
  {
    id: 'LIF-13',
    group,
    title: 'a retry is recognised after opening again',
    needsHandle,
    async run({ store, reopen }) {
      const options = { createSession: true, operationId: 'op' } as const
      const batch = [user('a'), assistant('b', { id: 'b' })]
      const first = await store.messages.append('s', batch, options)
      await store.messages.append('s', turns(1))
      const again = await reopen()
      assert.deepEqual(await again.messages.append('s', batch, options), first)
      await rejects('conflict', 'messages.append', () => again.messages.append('s', [user('x')], options))
      assert.equal((await readAll(again, 's')).length, 4)
    },
  },
  {
    id: 'LIF-14',
    group,
    title: 'a cursor goes on after opening again',
    needs: ['sessions.list'],
    needsHandle,
    async run({ store, reopen }) {
      for (const number of upTo(5)) await store.messages.append(`s${number}`, turns(3), create)
      const sessions = defined((await store.sessions.list({ limit: 2 })).nextCursor)
      const messages = defined((await store.messages.read('s1', { limit: 2 })).nextCursor)
      const again = await reopen()
      const listed = await again.sessions.list({ limit: 2, cursor: sessions })
      assert.deepEqual(ids(listed.items), ['s3', 's2'])
      const read = await again.messages.read('s1', { limit: 2, cursor: messages })
      assert.deepEqual(seqs(read.items), [3, 4])
    },
  },
  {
    id: 'LIF-15',
    group,
    title: 'a store can be opened again and again',
    needs: ['sessions.list'],
    needsHandle,
    async run({ reopen }) {
      for (const number of upTo(4)) {
        const again = await reopen()
        assert.deepEqual(
          await listAll(again, { order: 'asc' }),
          upTo(number - 1).map((made) => `20260301_${made}`),
        )
        await again.sessions.create()
      }
    },
  },
]
