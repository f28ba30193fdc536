// Threads themselves: named groups, listed newest update first.

import assert from 'node:assert/strict'
import { defined, rejects, sameValue } from '../assertions.ts'
import { upTo } from '../data.ts'
import { allValues } from '../fixtures/values.ts'
import type { Spec } from '../spec.ts'

const group = 'threads'

export const threadSpecs: readonly Spec[] = [
  {
    id: 'THR-01',
    group,
    title: 'a thread has its fields, an id from the generator unless given, and no sessions',
    needs: ['threads.create', 'threads.get'],
    async run({ store, clock }) {
      const now = clock.advance(10)
      const plain = await store.threads.create({ name: 'n' })
      const base = { metadata: {}, createdAt: now, updatedAt: now, sessionCount: 0 }
      assert.deepEqual(plain, { id: 'm-1', ownerId: '', name: 'n', ...base })
      assert.deepEqual(await store.threads.get('m-1'), plain)
      const fields = { id: '旅行', ownerId: 'ana', name: '旅行', metadata: { a: [1] } }
      const full = await store.threads.create(fields)
      assert.deepEqual(full, { ...base, ...fields })
      assert.deepEqual(await store.threads.get('旅行'), full)
    },
  },
  {
    id: 'THR-02',
    group,
    title: 'an id that is taken is already-exists, and a field that breaks its rule is invalid',
    needs: ['threads.create', 'threads.get', 'threads.list'],
    async run({ store }) {
      const thread = await store.threads.create({ id: 't', name: 'n' })
      await rejects('already-exists', 'threads.create', () => store.threads.create({ id: 't', name: 'o' }))
      const wrong: unknown[] = [
        undefined,
        {},
        { name: '' },
        { name: 'x'.repeat(501) },
        { name: 'n', id: '' },
        { name: 'n', id: '..' },
        { name: 'n', ownerId: 5 },
        { name: 'n', metadata: [] },
        { name: 'n', metadata: { v: 1n } },
        { name: 'n', tags: [] },
      ]
      for (const input of wrong) {
        await rejects('invalid', 'threads.create', () => store.threads.create(input as { name: string }))
      }
      assert.deepEqual(await store.threads.get('t'), thread)
      assert.deepEqual((await store.threads.list()).items, [thread])
    },
  },
  {
    id: 'THR-03',
    group,
    title: 'get answers undefined for an unknown thread and for an id no thread can have',
    needs: ['threads.create', 'threads.get'],
    async run({ store }) {
      await store.threads.create({ id: 't', name: 'n' })
      await store.sessions.create({ id: 's' })
      for (const id of ['unknown', 's', 'T', '', '..', 'a\u0000']) {
        assert.equal(await store.threads.get(id), undefined, JSON.stringify(id))
      }
      await rejects('invalid', 'threads.get', () => store.threads.get(5 as never))
    },
  },
  {
    id: 'THR-04',
    group,
    title: 'an update changes name or metadata and the time, one that names nothing changes nothing',
    needs: ['threads.create', 'threads.get', 'threads.update'],
    async run({ store, clock }) {
      const before = await store.threads.create({ id: 't', name: 'n', metadata: { a: 1 } })
      const first = clock.advance(10)
      const named = await store.threads.update('t', { name: 'o' })
      assert.deepEqual(named, { ...before, name: 'o', updatedAt: first })
      const second = clock.advance(10)
      const changed = await store.threads.update('t', { metadata: { b: null } })
      assert.deepEqual(changed, { ...named, metadata: { b: null }, updatedAt: second })
      clock.advance(10)
      assert.deepEqual(await store.threads.update('t', {}), changed)
      assert.deepEqual(await store.threads.get('t'), changed)
    },
  },
  {
    id: 'THR-05',
    group,
    title: 'an update of an unknown thread is not-found, one that breaks a rule invalid',
    needs: ['threads.create', 'threads.get', 'threads.update'],
    async run({ store }) {
      const before = await store.threads.create({ id: 't', name: 'n' })
      await rejects('not-found', 'threads.update', () => store.threads.update('unknown', { name: 'o' }))
      await rejects('not-found', 'threads.update', () => store.threads.update('unknown', {}))
      await rejects('invalid', 'threads.update', () => store.threads.update('', { name: 'o' }))
      for (const patch of [{ name: '' }, { metadata: null }, { ownerId: 'ana' }, { id: 'u' }]) {
        await rejects('invalid', 'threads.update', () => store.threads.update('t', patch as object))
      }
      assert.deepEqual(await store.threads.get('t'), before)
    },
  },
  {
    id: 'THR-06',
    group,
    title: 'every value comes back from the metadata of a thread',
    needs: ['threads.create', 'threads.get', 'threads.update'],
    async run({ store }) {
      for (const [index, v] of allValues.entries()) {
        const metadata = { v }
        const created = await store.threads.create({ id: `t${index}`, name: 'n', metadata })
        const patched = await store.threads.update(`t${index}`, { metadata })
        for (const thread of [created, patched, await store.threads.get(`t${index}`)]) {
          sameValue(thread?.metadata, metadata, `value ${index}`)
        }
      }
    },
  },
  {
    id: 'THR-07',
    group,
    title: 'removing a thread answers whether there was one, and its sessions stay',
    needs: ['threads.create', 'threads.get', 'threads.attach', 'threads.remove', 'sessions.list'],
    async run({ store }) {
      const session = await store.sessions.create({ id: 's' })
      await store.threads.create({ id: 't', name: 'n' })
      await store.threads.attach('t', 's')
      assert.equal(await store.threads.remove('t'), true)
      assert.equal(await store.threads.get('t'), undefined)
      assert.equal(await store.threads.remove('t'), false)
      assert.deepEqual(await store.sessions.get('s'), session)
      assert.deepEqual((await store.sessions.list({ threadId: 't' })).items, [])
      const again = await store.threads.create({ id: 't', name: 'again' })
      assert.equal(again.sessionCount, 0)
    },
  },
  {
    id: 'THR-08',
    group,
    title: 'threads are listed newest update first',
    needs: ['threads.create', 'threads.list', 'threads.update', 'threads.attach', 'threads.detach'],
    async run({ store, clock }) {
      await store.sessions.create({ id: 's' })
      const listed = async () => (await store.threads.list()).items.map(({ id }) => id)
      assert.deepEqual(await listed(), [])
      for (const id of ['a', 'b', 'c']) {
        clock.advance(10)
        await store.threads.create({ id, name: id })
      }
      assert.deepEqual(await listed(), ['c', 'b', 'a'])
      clock.advance(10)
      await store.threads.update('a', { name: 'n' })
      assert.deepEqual(await listed(), ['a', 'c', 'b'])
      clock.advance(10)
      await store.threads.attach('b', 's')
      assert.deepEqual(await listed(), ['b', 'a', 'c'])
      clock.advance(10)
      await store.threads.attach('c', 's')
      clock.advance(10)
      await store.threads.detach('b', 's')
      assert.deepEqual(await listed(), ['b', 'c', 'a'])
    },
  },
  {
    id: 'THR-09',
    group,
    title: 'a list of threads can be asked for by owner and by session',
    needs: ['threads.create', 'threads.list', 'threads.attach'],
    async run({ store, clock }) {
      await store.sessions.create({ id: 's' })
      for (const [id, ownerId] of [
        ['a', ''],
        ['b', 'ana'],
        ['c', 'ana'],
      ] as const) {
        clock.advance(10)
        await store.threads.create({ id, name: id, ownerId })
      }
      clock.advance(10)
      for (const id of ['a', 'b']) await store.threads.attach(id, 's')
      type Query = Parameters<typeof store.threads.list>[0]
      const listed = async (query: Query) =>
        (await store.threads.list(query)).items.map(({ id }) => id).sort()
      assert.deepEqual(await listed({ ownerId: 'ana' }), ['b', 'c'])
      assert.deepEqual(await listed({ ownerId: '' }), ['a'])
      assert.deepEqual(await listed({ sessionId: 's' }), ['a', 'b'])
      assert.deepEqual(await listed({ ownerId: 'ana', sessionId: 's' }), ['b'])
      assert.deepEqual(await listed({ sessionId: 'unknown' }), [])
    },
  },
  {
    id: 'THR-10',
    group,
    title: 'pages of threads neither lose nor repeat one, also where times are equal',
    needs: ['threads.create', 'threads.list'],
    async run({ store, clock }) {
      for (const number of upTo(9)) {
        if (number % 4 === 0) clock.advance(10)
        await store.threads.create({ id: `t${number}`, name: 'n' })
      }
      const whole = (await store.threads.list()).items
      assert.equal(whole.length, 9)
      for (const limit of [1, 2, 4, 9]) {
        const seen: (typeof whole)[number][] = []
        let cursor: string | undefined
        do {
          const page = await store.threads.list({ limit, ...(cursor === undefined ? {} : { cursor }) })
          seen.push(...page.items)
          cursor = page.nextCursor
        } while (cursor !== undefined)
        assert.deepEqual(seen, whole, `limit ${limit}`)
      }
    },
  },
  {
    id: 'THR-11',
    group,
    title:
      'a page of threads holds 50 unless asked for 1 to 1,000, and a cursor of another list is invalid-cursor',
    needs: ['threads.create', 'threads.list'],
    async run({ store }) {
      for (const number of upTo(51)) await store.threads.create({ id: `t${number}`, name: 'n' })
      const page = await store.threads.list()
      assert.equal(page.items.length, 50)
      assert.equal('nextCursor' in (await store.threads.list({ limit: 51 })), false)
      const cursor = defined(page.nextCursor)
      for (const query of [{ ownerId: '', cursor }, { cursor: 'x' }, { cursor: '' }]) {
        await rejects('invalid-cursor', 'threads.list', () => store.threads.list(query))
      }
      for (const query of [{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { name: 'n' }]) {
        await rejects('invalid', 'threads.list', () => store.threads.list(query as object))
      }
    },
  },
]
