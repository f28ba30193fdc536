// Cursors of lists: nothing is lost or repeated, equal times or not, whatever is written between pages.

import assert from 'node:assert/strict'
import type { SessionQuery, SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { startTime } from '../clock.ts'
import { ids, listAll, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'lists'
const needs = ['sessions.list'] as const
const name = (number: number) => `s${String(number).padStart(2, '0')}`

/** Forty sessions `s01` to `s40`; every third is pinned, fourteen in all, which is two pages of seven. */
async function createForty(store: SessionStore, timeOf: (number: number) => number): Promise<void> {
  for (const number of upTo(40)) {
    await store.sessions.create({ id: name(number), createdAt: timeOf(number) })
    if (number % 3 === 1) await store.sessions.update(name(number), { pinned: true })
  }
}

/** What a list of them must be: by time, then by creation, pinned ones first if asked. */
function expected(query: SessionQuery, timeOf: (number: number) => number): string[] {
  const direction = query.order === 'asc' ? 1 : -1
  const ordered = upTo(40).sort((a, b) => direction * (timeOf(a) - timeOf(b) || a - b))
  const pinned = (number: number) => number % 3 === 1
  const placed = query.pinnedFirst
    ? [...ordered.filter(pinned), ...ordered.filter((number) => !pinned(number))]
    : ordered
  return placed.map(name)
}

const everyOrder: readonly SessionQuery[] = (['active', 'created'] as const).flatMap((sort) =>
  (['desc', 'asc'] as const).flatMap((order) =>
    [false, true].map((pinnedFirst) => ({ sort, order, pinnedFirst })),
  ),
)

export const listPagingSpecs: readonly Spec[] = [
  {
    id: 'LST-20',
    group,
    title: 'forty sessions of one millisecond are paged without loss or repeat in every order',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      const timeOf = () => startTime
      await createForty(store, timeOf)
      for (const query of everyOrder) {
        for (const limit of [1, 7, 13, 39, 40]) {
          assert.deepEqual(await listAll(store, { ...query, limit }), expected(query, timeOf))
        }
      }
    },
  },
  {
    id: 'LST-21',
    group,
    title: 'groups of equal times out of order of creation are paged without loss or repeat',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      const timeOf = (number: number) => startTime - (number % 4) * 1000
      await createForty(store, timeOf)
      for (const query of everyOrder) {
        assert.deepEqual(await listAll(store, { ...query, limit: 7 }), expected(query, timeOf))
      }
    },
  },
  {
    id: 'LST-22',
    group,
    title: 'several types at once and the archive beside the rest are paged in one order',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      const types = ['user', 'hidden', 'sub_agent', 'acp'] as const
      for (const number of upTo(40)) {
        await store.sessions.create({ id: name(number), type: types[number % 4] ?? 'user' })
        if (number % 5 === 0) await store.sessions.update(name(number), { archived: true })
      }
      const all: SessionQuery = { types: 'all', archived: 'any', limit: 7 }
      assert.deepEqual(await listAll(store, all), upTo(40).map(name).reverse())
      assert.deepEqual(await listAll(store, { ...all, order: 'asc' }), upTo(40).map(name))
      const two = await listAll(store, { types: ['acp', 'hidden'], limit: 3, order: 'asc' })
      assert.deepEqual(
        two,
        upTo(40)
          .filter((number) => number % 2 === 1 && number % 5 !== 0)
          .map(name),
      )
    },
  },
  {
    id: 'LST-23',
    group,
    title: 'creations and purges between pages neither lose nor repeat a session that stays',
    needs: ['sessions.list', 'sessions.remove', 'sessions.update'],
    async run({ another }) {
      for (const query of everyOrder) {
        const store = await another()
        await createForty(store, () => startTime)
        const doomed = new Set<string>()
        const seen = await listAll(store, { ...query, limit: 7 }, async (soFar) => {
          const round = soFar.length
          await store.sessions.create({ id: `new-${round}` })
          // The very row the cursor stands on, and one that was not seen yet.
          const unseen = upTo(40)
            .map(name)
            .find((id) => !soFar.includes(id) && !doomed.has(id))
          for (const id of [soFar.at(-1), unseen]) {
            if (id === undefined) continue
            doomed.add(id)
            await store.sessions.remove(id, { purge: true })
          }
        })
        assert.equal(new Set(seen).size, seen.length, 'a session is repeated')
        const stayed = (id: string) => !doomed.has(id) && !id.startsWith('new-')
        const whole = expected(query, () => startTime)
        assert.deepEqual(seen.filter(stayed), whole.filter(stayed), 'a session is lost or out of order')
      }
    },
  },
  {
    id: 'LST-24',
    group,
    title: 'the last page has no next one, also when it is full',
    needs,
    async run({ store }) {
      for (const number of upTo(14)) await store.sessions.create({ id: name(number) })
      const first = await store.sessions.list({ limit: 7 })
      const second = await store.sessions.list({ limit: 7, cursor: defined(first.nextCursor) })
      assert.equal(second.items.length, 7)
      assert.equal('nextCursor' in second, false)
      assert.equal('nextCursor' in (await store.sessions.list({ limit: 14 })), false)
    },
  },
  {
    id: 'LST-25',
    group,
    title: 'a page holds 50 unless asked for 1 to 1,000; any other limit is invalid',
    needs,
    async run({ store }) {
      for (const number of upTo(52)) await store.sessions.create({ id: `n${number}` })
      assert.equal((await store.sessions.list()).items.length, 50)
      assert.equal((await store.sessions.list({ limit: 1 })).items.length, 1)
      assert.equal((await store.sessions.list({ limit: 1000 })).items.length, 52)
      for (const limit of [0, -1, 1001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5' as never]) {
        await rejects('invalid', 'sessions.list', () => store.sessions.list({ limit }))
      }
    },
  },
  {
    id: 'LST-26',
    group,
    title: 'a cursor of another query is invalid-cursor',
    needs,
    async run({ store }) {
      for (const number of upTo(10)) await store.sessions.create({ id: name(number), tags: ['t'] })
      const query: SessionQuery = { limit: 3, tags: ['t'] }
      const cursor = defined((await store.sessions.list(query)).nextCursor)
      const others: SessionQuery[] = [
        { limit: 3 },
        { ...query, tags: ['t', 'u'] },
        { ...query, order: 'asc' },
        { ...query, sort: 'created' },
        { ...query, pinnedFirst: true },
        { ...query, types: 'all' },
        { ...query, archived: 'any' },
        { ...query, ownerId: '' },
        { ...query, nameContains: 'n' },
        { ...query, since: 0 },
      ]
      for (const other of others) {
        await rejects('invalid-cursor', 'sessions.list', () => store.sessions.list({ ...other, cursor }))
      }
      assert.deepEqual(ids((await store.sessions.list({ ...query, cursor })).items), ['s07', 's06', 's05'])
    },
  },
  {
    id: 'LST-27',
    group,
    title: 'text that is no cursor, and a cursor of another method, are invalid-cursor',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('a'), user('b')], { createSession: true })
      await store.sessions.create()
      const cursor = defined((await store.sessions.list({ limit: 1 })).nextCursor)
      const foreign = defined((await store.messages.read('s', { limit: 1 })).nextCursor)
      const broken = [cursor.slice(0, -3), cursor.slice(3), `${cursor}${cursor}`]
      for (const text of ['', 'x', '0', 'null', 'e30', '%%%', '会话', foreign, ...broken]) {
        await rejects('invalid-cursor', 'sessions.list', () => store.sessions.list({ cursor: text }))
      }
      await rejects('invalid', 'sessions.list', () => store.sessions.list({ cursor: 5 as never }))
    },
  },
  {
    id: 'LST-28',
    group,
    title: 'a cursor goes on with another limit',
    needs,
    async run({ store }) {
      for (const number of upTo(10)) await store.sessions.create({ id: name(number) })
      const cursor = defined((await store.sessions.list({ limit: 3 })).nextCursor)
      const { items } = await store.sessions.list({ limit: 5, cursor })
      assert.deepEqual(ids(items), ['s07', 's06', 's05', 's04', 's03'])
    },
  },
  {
    id: 'LST-29',
    group,
    title: 'a cursor can be used again and gives the same page',
    needs,
    async run({ store }) {
      for (const number of upTo(9)) await store.sessions.create({ id: name(number) })
      const cursor = defined((await store.sessions.list({ limit: 3 })).nextCursor)
      const page = await store.sessions.list({ limit: 3, cursor })
      assert.deepEqual(await store.sessions.list({ limit: 3, cursor }), page)
    },
  },
]
