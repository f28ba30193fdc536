// The order of lists: by activity or creation, ties by order of creation in the store, pinned first.

import assert from 'node:assert/strict'
import { startTime } from '../clock.ts'
import { ids, listAll, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'lists'
const needs = ['sessions.list'] as const

export const listOrderSpecs: readonly Spec[] = [
  {
    id: 'LST-01',
    group,
    title: 'an empty store lists nothing and has no next page',
    needs,
    async run({ store }) {
      assert.deepEqual(await store.sessions.list(), { items: [] })
    },
  },
  {
    id: 'LST-02',
    group,
    title: 'a list gives sessions as get does',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      await store.messages.append('a', [user('q')], { createSession: { tags: ['x', 'y'], mode: 'm' } })
      await store.sessions.create({ id: 'b', metadata: { k: [1] }, modelConfig: { model: 'm' } })
      await store.sessions.update('b', { pinned: true })
      const { items } = await store.sessions.list({ order: 'asc' })
      assert.deepEqual(items, [await store.sessions.get('a'), await store.sessions.get('b')])
    },
  },
  {
    id: 'LST-03',
    group,
    title: 'newest activity comes first unless asked otherwise',
    needs,
    async run({ store, clock }) {
      for (const id of ['a', 'b', 'c']) {
        await store.sessions.create({ id })
        clock.advance(10)
      }
      await store.messages.append('a', [user('q')])
      assert.deepEqual(await listAll(store), ['a', 'c', 'b'])
      assert.deepEqual(await listAll(store, { sort: 'active', order: 'desc' }), ['a', 'c', 'b'])
      assert.deepEqual(await listAll(store, { order: 'asc' }), ['b', 'c', 'a'])
    },
  },
  {
    id: 'LST-04',
    group,
    title: 'sort created goes by creation, whatever was active since',
    needs,
    async run({ store, clock }) {
      await store.sessions.create({ id: 'now' })
      await store.sessions.create({ id: 'oldest', createdAt: startTime - 200 })
      await store.sessions.create({ id: 'old', createdAt: startTime - 100 })
      clock.advance(10)
      await store.messages.append('oldest', [user('q')])
      assert.deepEqual(await listAll(store, { sort: 'created' }), ['now', 'old', 'oldest'])
      assert.deepEqual(await listAll(store, { sort: 'created', order: 'asc' }), ['oldest', 'old', 'now'])
      assert.deepEqual(await listAll(store), ['oldest', 'now', 'old'])
    },
  },
  {
    id: 'LST-05',
    group,
    title: 'equal times stand in the order of creation in the store, so _10 after _9',
    needs,
    async run({ store }) {
      for (const _ of upTo(12)) await store.sessions.create()
      await store.sessions.create({ id: 'a-later-one' })
      const made = [...upTo(12).map((number) => `20260301_${number}`), 'a-later-one']
      for (const sort of ['active', 'created'] as const) {
        assert.deepEqual(await listAll(store, { sort, order: 'asc' }), made)
        assert.deepEqual(await listAll(store, { sort }), made.toReversed())
      }
    },
  },
  {
    id: 'LST-06',
    group,
    title: 'renaming and pinning do not move a session in a plain list',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store, clock }) {
      for (const id of ['a', 'b', 'c']) await store.sessions.create({ id })
      clock.advance(10)
      await store.sessions.update('a', { name: 'n', pinned: true })
      assert.deepEqual(await listAll(store), ['c', 'b', 'a'])
    },
  },
  {
    id: 'LST-07',
    group,
    title: 'pinned first puts pinned sessions before all others, both in the order asked for',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store, clock }) {
      for (const id of ['a', 'b', 'c', 'd']) {
        await store.sessions.create({ id })
        clock.advance(10)
      }
      for (const id of ['c', 'a']) await store.sessions.update(id, { pinned: true })
      assert.deepEqual(await listAll(store, { pinnedFirst: true }), ['c', 'a', 'd', 'b'])
      assert.deepEqual(await listAll(store, { pinnedFirst: true, order: 'asc' }), ['a', 'c', 'b', 'd'])
      assert.deepEqual(await listAll(store, { pinnedFirst: false }), ['d', 'c', 'b', 'a'])
    },
  },
  {
    id: 'LST-08',
    group,
    title: 'activity is the time of what is appended, not of appending',
    needs,
    async run({ store, clock }) {
      await store.sessions.create({ id: 'a', createdAt: startTime - 300 })
      await store.sessions.create({ id: 'b', createdAt: startTime - 200 })
      clock.advance(10)
      await store.messages.append('a', [user('q', { createdAt: startTime - 250 })])
      assert.deepEqual(await listAll(store), ['b', 'a'])
      await store.messages.append('a', [user('q', { createdAt: startTime - 150 })])
      assert.deepEqual(await listAll(store), ['a', 'b'])
    },
  },
  {
    id: 'LST-09',
    group,
    title: 'listing changes nothing',
    needs,
    async run({ store, clock }) {
      for (const id of ['a', 'b']) await store.sessions.create({ id })
      const before = await store.sessions.list()
      clock.advance(10)
      assert.deepEqual(ids(before.items), ['b', 'a'])
      assert.deepEqual(await store.sessions.list(), before)
    },
  },
]
