// Back from the trash: a session, and what went there together with it.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { listAll, readAll, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'forks'
const create = { createSession: true } as const
const needs = ['sessions.remove', 'sessions.undelete'] as const

/** Those of some sessions that are in the trash. */
async function trashed(store: SessionStore, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const id of ids) {
    if (defined(await store.sessions.get(id), id).deletedAt !== undefined) found.push(id)
  }
  return found
}

export const undeleteSpecs: readonly Spec[] = [
  {
    id: 'FRK-60',
    group,
    title: 'undelete brings a session back as it was, with its messages',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), { createSession: { name: 'n', tags: ['t'] } })
      const [before, messages] = [defined(await store.sessions.get('s')), await readAll(store, 's')]
      clock.advance(10)
      await store.sessions.remove('s')
      const removed = defined(await store.sessions.get('s'))
      const now = clock.advance(10)
      const session = await store.sessions.undelete('s')
      assert.deepEqual(session, { ...before, updatedAt: now, changeSeq: session.changeSeq })
      assert.ok(session.changeSeq > removed.changeSeq)
      assert.deepEqual(await store.sessions.get('s'), session)
      assert.deepEqual(await readAll(store, 's'), messages)
    },
  },
  {
    id: 'FRK-61',
    group,
    title: 'a session that is back is listed and written to again',
    needs: ['sessions.remove', 'sessions.undelete', 'sessions.list', 'sessions.update'],
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      await store.sessions.remove('s')
      assert.deepEqual(await listAll(store), [])
      await store.sessions.undelete('s')
      assert.deepEqual(await listAll(store), ['s'])
      assert.deepEqual(await listAll(store, { deleted: true }), [])
      assert.equal((await store.messages.append('s', [user('q')], { expectedVersion: 1 })).firstSeq, 3)
      await store.sessions.update('s', { name: 'n' })
      await rejects('already-exists', 'sessions.create', () => store.sessions.create({ id: 's' }))
    },
  },
  {
    id: 'FRK-62',
    group,
    title: 'undelete of a session that is not in the trash changes nothing',
    needs: ['sessions.undelete'],
    async run({ store, clock }) {
      const before = await store.sessions.create({ id: 's' })
      clock.advance(10)
      assert.deepEqual(await store.sessions.undelete('s'), before)
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'FRK-63',
    group,
    title: 'undelete of a session that is unknown or purged is not-found',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      await store.sessions.remove('s')
      await store.sessions.remove('s', { purge: true })
      for (const id of ['s', 'unknown']) {
        await rejects('not-found', 'sessions.undelete', () => store.sessions.undelete(id))
      }
      await rejects('invalid', 'sessions.undelete', () => store.sessions.undelete('..'))
    },
  },
  {
    id: 'FRK-64',
    group,
    title: 'what went to the trash together comes back together, what was there before stays',
    needs,
    async run({ store, clock }) {
      const all = ['root', 'agent', 'deep', 'early', 'under-early', 'child']
      await store.sessions.create({ id: 'root' })
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'root' })
      await store.sessions.create({ id: 'deep', type: 'hidden', parentSessionId: 'agent' })
      await store.sessions.create({ id: 'early', type: 'sub_agent', parentSessionId: 'root' })
      await store.sessions.create({ id: 'under-early', type: 'sub_agent', parentSessionId: 'early' })
      await store.sessions.create({ id: 'child', parentSessionId: 'root' })
      await store.sessions.remove('early')
      clock.advance(10)
      await store.sessions.remove('child')
      clock.advance(10)
      await store.sessions.remove('root')
      assert.deepEqual(await trashed(store, all), all)
      clock.advance(10)
      await store.sessions.undelete('root')
      assert.deepEqual(await trashed(store, all), ['early', 'under-early', 'child'])
    },
  },
  {
    id: 'FRK-65',
    group,
    title: 'undelete of a sub-agent brings back it and what hangs on it, not its parent',
    needs,
    async run({ store }) {
      const all = ['root', 'agent', 'deep', 'other']
      await store.sessions.create({ id: 'root' })
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'root' })
      await store.sessions.create({ id: 'deep', type: 'sub_agent', parentSessionId: 'agent' })
      await store.sessions.create({ id: 'other', type: 'sub_agent', parentSessionId: 'root' })
      await store.sessions.remove('root')
      await store.sessions.undelete('agent')
      assert.deepEqual(await trashed(store, all), ['root', 'other'])
      assert.equal((await store.sessions.get('agent'))?.parentSessionId, 'root')
    },
  },
  {
    id: 'FRK-66',
    group,
    title: 'the branches of a session go to the trash and come back with it',
    needs: ['sessions.rewind', 'sessions.remove', 'sessions.undelete'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      const { id } = defined((await store.sessions.rewind('s', { toSeq: 2 })).branch)
      const messages = await readAll(store, id)
      await store.sessions.remove('s')
      assert.deepEqual(await trashed(store, ['s', id]), ['s', id])
      await store.sessions.undelete('s')
      assert.deepEqual(await trashed(store, ['s', id]), [])
      assert.deepEqual(await readAll(store, id), messages)
      await store.sessions.remove('s', { purge: true })
      assert.equal(await store.sessions.get(id), undefined)
    },
  },
  {
    id: 'FRK-67',
    group,
    title: 'what went to the trash alone stays there, also where it went in the same millisecond',
    needs,
    async run({ store }) {
      const all = ['root', 'early', 'late']
      await store.sessions.create({ id: 'root' })
      for (const id of ['early', 'late']) {
        await store.sessions.create({ id, type: 'sub_agent', parentSessionId: 'root' })
      }
      await store.sessions.remove('early')
      await store.sessions.remove('root')
      await store.sessions.undelete('root')
      assert.deepEqual(await trashed(store, all), ['early'])
    },
  },
  {
    id: 'FRK-68',
    group,
    title: 'a large family goes to the trash, comes back and is purged in the order it was made',
    needs: [...needs, 'changes.since'],
    async run({ store }) {
      await store.sessions.create({ id: 'root' })
      const agents = upTo(40).map((number) => `agent-${number}`)
      const apart = upTo(3).map((number) => `apart-${number}`)
      for (const id of agents) {
        await store.sessions.create({ id, type: 'sub_agent', parentSessionId: 'root' })
      }
      for (const id of apart) await store.sessions.create({ id, parentSessionId: 'root' })
      const all = ['root', ...agents]
      /** Ids and change numbers, counted from the first, since a token. */
      const changed = async (token: string) => {
        const { changes } = await store.changes.since(token, 1000)
        const first = changes[0]?.changeSeq ?? 0
        return changes.map(({ sessionId, changeSeq, removed }) => [sessionId, changeSeq - first, removed])
      }
      const expected = (ids: readonly string[], removed: boolean, first = 0) =>
        ids.map((id, index) => [id, first + index, removed])
      const steps = [
        [() => store.sessions.remove('root'), expected(all, false)],
        [() => store.sessions.undelete('root'), expected(all, false)],
        [
          () => store.sessions.remove('root', { purge: true }),
          [...expected(all, true), ...expected(apart, false, all.length)],
        ],
      ] as const
      for (const [step, changes] of steps) {
        const { token } = await store.changes.since('now')
        await step()
        assert.deepEqual(await changed(token), changes)
      }
      for (const id of apart) assert.equal(defined(await store.sessions.get(id)).parentSessionId, undefined)
    },
  },
]
