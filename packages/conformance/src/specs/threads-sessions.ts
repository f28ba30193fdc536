// Which sessions are in a thread, and what becomes of that.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { rejects } from '../assertions.ts'
import { ids, listAll, turns, upTo } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'threads'
const needs = ['threads.create', 'threads.attach', 'threads.sessions'] as const

/** Sessions `s1`, `s2`, ... and threads `t` and `u`. */
async function prepare(store: SessionStore, count: number): Promise<void> {
  for (const number of upTo(count)) await store.sessions.create({ id: `s${number}` })
  for (const id of ['t', 'u']) await store.threads.create({ id, name: id })
}

async function sessionIds(store: SessionStore, thread = 't'): Promise<string[]> {
  return ids((await store.threads.sessions(thread)).items)
}

export const threadSessionSpecs: readonly Spec[] = [
  {
    id: 'THR-20',
    group,
    title: 'sessions stand in a thread in the order they were attached, each once',
    needs: [...needs, 'threads.get'],
    async run({ store, clock }) {
      await prepare(store, 3)
      for (const id of ['s2', 's3', 's1']) await store.threads.attach('t', id)
      const before = await store.threads.get('t')
      clock.advance(10)
      await store.threads.attach('t', 's3')
      assert.deepEqual(await sessionIds(store), ['s2', 's3', 's1'])
      assert.deepEqual(await store.threads.get('t'), before)
      assert.equal(before?.sessionCount, 3)
    },
  },
  {
    id: 'THR-21',
    group,
    title: 'a thread gives its sessions as they are, and attaching changes nothing of them',
    needs,
    async run({ store, clock }) {
      await prepare(store, 1)
      await store.messages.append('s1', turns(1))
      const session = await store.sessions.get('s1')
      clock.advance(10)
      await store.threads.attach('t', 's1')
      assert.deepEqual(await store.sessions.get('s1'), session)
      assert.deepEqual(await store.threads.sessions('t'), { items: [session] })
    },
  },
  {
    id: 'THR-22',
    group,
    title: 'a session may be in several threads, and lists find it by each',
    needs: ['threads.create', 'threads.attach', 'threads.list', 'sessions.list'],
    async run({ store, clock }) {
      await prepare(store, 2)
      clock.advance(10)
      await store.threads.attach('t', 's1')
      clock.advance(10)
      await store.threads.attach('u', 's1')
      await store.threads.attach('u', 's2')
      assert.deepEqual(await listAll(store, { threadId: 't' }), ['s1'])
      assert.deepEqual(await listAll(store, { threadId: 'u' }), ['s2', 's1'])
      assert.deepEqual(
        (await store.threads.list({ sessionId: 's1' })).items.map(({ id }) => id),
        ['u', 't'],
      )
    },
  },
  {
    id: 'THR-23',
    group,
    title: 'detach answers whether the session was there; attached again, it stands at the end',
    needs: [...needs, 'threads.detach', 'threads.get'],
    async run({ store, clock }) {
      await prepare(store, 3)
      for (const id of ['s1', 's2', 's3']) await store.threads.attach('t', id)
      const now = clock.advance(10)
      assert.equal(await store.threads.detach('t', 's1'), true)
      const after = await store.threads.get('t')
      assert.deepEqual([after?.sessionCount, after?.updatedAt], [2, now])
      clock.advance(10)
      assert.equal(await store.threads.detach('t', 's1'), false)
      assert.equal(await store.threads.detach('u', 's2'), false)
      assert.equal(await store.threads.detach('unknown', 's2'), false)
      assert.equal(await store.threads.detach('t', 'unknown'), false)
      assert.deepEqual(await store.threads.get('t'), after)
      await store.threads.attach('t', 's1')
      assert.deepEqual(await sessionIds(store), ['s2', 's3', 's1'])
      await rejects('invalid', 'threads.detach', () => store.threads.detach('', 's1'))
      await rejects('invalid', 'threads.detach', () => store.threads.detach('t', ''))
    },
  },
  {
    id: 'THR-24',
    group,
    title: 'attaching to an unknown thread, or a session that is unknown or in the trash, is not-found',
    needs: [...needs, 'threads.get', 'sessions.remove'],
    async run({ store }) {
      await prepare(store, 2)
      await store.sessions.remove('s2')
      const before = await store.threads.get('t')
      for (const [thread, session] of [
        ['unknown', 's1'],
        ['t', 'unknown'],
        ['t', 's2'],
      ] as const) {
        await rejects('not-found', 'threads.attach', () => store.threads.attach(thread, session))
      }
      await rejects('invalid', 'threads.attach', () => store.threads.attach('t', ''))
      await rejects('invalid', 'threads.attach', () => store.threads.attach('..', 's1'))
      assert.deepEqual(await store.threads.get('t'), before)
      assert.deepEqual(await sessionIds(store), [])
    },
  },
  {
    id: 'THR-25',
    group,
    title:
      'a session in the trash is out of its thread, neither given nor counted, and comes back to its place',
    needs: [...needs, 'threads.get', 'sessions.remove', 'sessions.undelete'],
    async run({ store }) {
      await prepare(store, 3)
      for (const id of ['s1', 's2', 's3']) await store.threads.attach('t', id)
      await store.sessions.remove('s2')
      assert.deepEqual(await sessionIds(store), ['s1', 's3'])
      assert.equal((await store.threads.get('t'))?.sessionCount, 2)
      await store.sessions.undelete('s2')
      assert.deepEqual(await sessionIds(store), ['s1', 's2', 's3'])
      assert.equal((await store.threads.get('t'))?.sessionCount, 3)
    },
  },
  {
    id: 'THR-26',
    group,
    title: 'a purged session is out of its threads, and a new one of its id is in none',
    needs: [...needs, 'threads.get', 'threads.list', 'sessions.remove'],
    async run({ store }) {
      await prepare(store, 2)
      for (const id of ['s1', 's2']) await store.threads.attach('t', id)
      await store.sessions.remove('s1', { purge: true })
      assert.deepEqual(await sessionIds(store), ['s2'])
      await store.sessions.create({ id: 's1' })
      assert.deepEqual(await sessionIds(store), ['s2'])
      assert.equal((await store.threads.get('t'))?.sessionCount, 1)
      assert.deepEqual((await store.threads.list({ sessionId: 's1' })).items, [])
    },
  },
  {
    id: 'THR-27',
    group,
    title:
      'sub-agents, hidden and archived sessions are in a thread like any other; forks and branches are in none',
    needs: [...needs, 'sessions.update', 'sessions.fork', 'sessions.rewind', 'threads.list'],
    async run({ store }) {
      await prepare(store, 0)
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'p' })
      await store.sessions.create({ id: 'hidden', type: 'hidden' })
      await store.messages.append('archived', turns(2), { createSession: true })
      await store.sessions.update('archived', { archived: true })
      for (const id of ['agent', 'hidden', 'archived']) await store.threads.attach('t', id)
      const fork = await store.sessions.fork('archived')
      const { branch } = await store.sessions.rewind('archived', { toSeq: 2 })
      assert.deepEqual(await sessionIds(store), ['agent', 'hidden', 'archived'])
      for (const id of [fork.id, branch?.id ?? '']) {
        assert.deepEqual((await store.threads.list({ sessionId: id })).items, [])
      }
    },
  },
  {
    id: 'THR-28',
    group,
    title: 'sessions attached at once have a place each, and one attached several times at once has one',
    needs: [...needs, 'threads.get'],
    async run({ store }) {
      await prepare(store, 8)
      await Promise.all(upTo(8).map((number) => store.threads.attach('t', `s${number}`)))
      assert.deepEqual(new Set(await sessionIds(store)), new Set(upTo(8).map((number) => `s${number}`)))
      await Promise.all(upTo(4).map(() => store.threads.attach('u', 's1')))
      assert.deepEqual(await sessionIds(store, 'u'), ['s1'])
      assert.equal((await store.threads.get('u'))?.sessionCount, 1)
    },
  },
]
