// Two handles on the same data: each sees what the other wrote, and together they keep every promise of one.

import assert from 'node:assert/strict'
import { isStoreError } from '@sess/core'
import { rejects } from '../assertions.ts'
import { ids, listAll, readAll, seqs, texts, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'lifecycle'
const create = { createSession: true } as const
const needsHandle = ['peer'] as const

export const peerSpecs: readonly Spec[] = [
  {
    id: 'LIF-30',
    group,
    title: 'each handle sees at once what the other wrote',
    needs: ['sessions.list', 'sessions.update', 'sessions.remove', 'messages.recentTurns'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.messages.append('s', turns(1), create)
      assert.deepEqual(await other.sessions.get('s'), await store.sessions.get('s'))
      assert.deepEqual(await readAll(other, 's'), await readAll(store, 's'))
      const { firstSeq, version } = await other.messages.append('s', turns(1, 2), { expectedVersion: 1 })
      assert.deepEqual([firstSeq, version], [3, 2])
      assert.deepEqual(texts(await readAll(store, 's')), ['q1', 'a1', 'q2', 'a2'])
      assert.equal((await store.messages.recentTurns('s', { turns: 1 })).turns[0]?.seq, 3)
      const renamed = await store.sessions.update('s', { name: 'n' })
      assert.deepEqual((await other.sessions.list({ nameContains: 'n' })).items, [renamed])
      await other.sessions.remove('s')
      await rejects('not-found', 'messages.append', () => store.messages.append('s', [user('q')]))
      await store.sessions.remove('s', { purge: true })
      assert.equal(await other.sessions.get('s'), undefined)
    },
  },
  {
    id: 'LIF-31',
    group,
    title: 'a version or a change the other handle made is a conflict here',
    needs: ['sessions.update'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      const { version } = await store.messages.append('s', [user('q')], create)
      const before = await store.sessions.get('s')
      await other.messages.append('s', [user('r')])
      await rejects('conflict', 'messages.append', () =>
        store.messages.append('s', [user('late')], { expectedVersion: version }),
      )
      await rejects('conflict', 'sessions.update', () =>
        store.sessions.update('s', { name: 'n', ifChangeSeq: before?.changeSeq ?? 0 }),
      )
      await rejects('already-exists', 'sessions.create', () => other.sessions.create({ id: 's' }))
    },
  },
  {
    id: 'LIF-32',
    group,
    title: 'both handles create at once and no id is made twice',
    needs: ['sessions.list'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      const created = await Promise.all(upTo(20).map((n) => (n % 2 ? store : other).sessions.create()))
      const expected = new Set(upTo(20).map((number) => `20260301_${number}`))
      assert.deepEqual(new Set(ids(created)), expected)
      assert.equal(new Set(created.map(({ changeSeq }) => changeSeq)).size, 20)
      assert.equal((await listAll(other)).length, 20)
    },
  },
  {
    id: 'LIF-33',
    group,
    title: 'both handles append at once to one session and seqs have neither gap nor repeat',
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.sessions.create({ id: 's' })
      await Promise.all(
        upTo(20).map((n) => (n % 2 ? store : other).messages.append('s', [user(`${n}`, { id: `id-${n}` })])),
      )
      for (const handle of [store, other]) {
        const messages = await readAll(handle, 's')
        assert.deepEqual(seqs(messages), upTo(20))
        assert.equal(new Set(texts(messages)).size, 20)
      }
      assert.equal((await other.sessions.get('s'))?.version, 21)
    },
  },
  {
    id: 'LIF-34',
    group,
    title: 'of appends at once by both handles on the same version exactly one succeeds',
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.messages.append('s', [user('q')], create)
      const results = await Promise.allSettled(
        upTo(6).map((n) =>
          (n % 2 ? store : other).messages.append('s', [user(`${n}`, { id: `id-${n}` })], {
            expectedVersion: 1,
          }),
        ),
      )
      const lost = results.filter((result) => result.status === 'rejected')
      for (const { reason } of lost) assert.equal(isStoreError(reason) && reason.code, 'conflict')
      assert.equal(lost.length, 5)
      assert.equal((await readAll(other, 's')).length, 2)
    },
  },
  {
    id: 'LIF-35',
    group,
    title: 'an operation one handle ran is a retry for the other',
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      const options = { createSession: true, operationId: 'op' } as const
      const first = await store.messages.append('s', [user('q')], options)
      assert.deepEqual(await other.messages.append('s', [user('q')], options), first)
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'LIF-36',
    group,
    title: 'closing one handle leaves the other working',
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.messages.append('s', turns(1), create)
      await store.close()
      await rejects('closed', 'sessions.get', () => store.sessions.get('s'))
      assert.equal((await other.messages.append('s', [user('q')])).firstSeq, 3)
    },
  },
  {
    id: 'LIF-37',
    group,
    title: 'pages of a list go on while the other handle creates and purges',
    needs: ['sessions.list', 'sessions.remove'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      for (const number of upTo(20)) await store.sessions.create({ id: `s${number}` })
      const seen = await listAll(store, { limit: 4 }, async (soFar) => {
        await other.sessions.create({ id: `new-a-${soFar.length}` })
        await other.sessions.create({ id: `new-b-${soFar.length}` })
        assert.equal(await other.sessions.remove(soFar.at(-1) ?? '', { purge: true }), true)
      })
      assert.deepEqual(
        seen.filter((id) => !id.startsWith('new-')),
        upTo(20)
          .map((number) => `s${number}`)
          .reverse(),
      )
    },
  },
]
