// The change feed: state, not a log. Each session that changed or was purged, once, in the order of the changes.

import assert from 'node:assert/strict'
import type { SessionChange, SessionStore } from '@sess/core'
import { defined } from '../assertions.ts'
import { turns, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'changes'
const create = { createSession: true } as const
const needs = ['changes.since'] as const

/** The ids of what changed since a token, purged ones with a minus. */
async function changedSince(store: SessionStore, token?: string): Promise<string[]> {
  const { changes } = await store.changes.since(token)
  return changes.map(({ sessionId, removed }) => (removed ? `-${sessionId}` : sessionId))
}

/** The token of now. */
async function tokenOf(store: SessionStore): Promise<string> {
  return (await store.changes.since('now')).token
}

async function changeOf(store: SessionStore, id: string): Promise<SessionChange> {
  const { ownerId, changeSeq, version, nextSeq } = defined(await store.sessions.get(id))
  return { sessionId: id, ownerId, changeSeq, removed: false, version, lastSeq: nextSeq - 1 }
}

export const changeFeedSpecs: readonly Spec[] = [
  {
    id: 'CHG-01',
    group,
    title: 'from the beginning the feed holds every session once, in the order of their last changes',
    needs: ['changes.since', 'sessions.update'],
    async run({ store }) {
      await store.sessions.create({ id: 'a', ownerId: 'ana' })
      await store.messages.append('b', turns(2), create)
      await store.sessions.create({ id: 'c', type: 'hidden' })
      await store.sessions.update('a', { name: 'n' })
      const { changes } = await store.changes.since()
      assert.deepEqual(changes, [
        await changeOf(store, 'b'),
        await changeOf(store, 'c'),
        await changeOf(store, 'a'),
      ])
    },
  },
  {
    id: 'CHG-02',
    group,
    title: 'since a token there is only what changed after it, each session once however often it changed',
    needs,
    async run({ store }) {
      for (const id of ['a', 'b', 'c']) await store.sessions.create({ id })
      const { token } = await store.changes.since()
      assert.deepEqual(await changedSince(store, token), [])
      for (const id of ['b', 'a', 'b']) await store.messages.append(id, [user('q')])
      assert.deepEqual(await changedSince(store, token), ['a', 'b'])
      const later = (await store.changes.since(token)).token
      assert.deepEqual(await changedSince(store, later), [])
      await store.messages.append('a', [user('q')])
      assert.deepEqual((await store.changes.since(later)).changes, [await changeOf(store, 'a')])
      assert.deepEqual(await changedSince(store, token), ['b', 'a'])
    },
  },
  {
    id: 'CHG-03',
    group,
    title: 'now is an empty answer and the present token',
    needs,
    async run({ store }) {
      const empty = await store.changes.since('now')
      assert.deepEqual(empty.changes, [])
      await store.sessions.create({ id: 'a' })
      const { changes, token } = await store.changes.since('now')
      assert.deepEqual(changes, [])
      assert.deepEqual(await changedSince(store, token), [])
      await store.sessions.create({ id: 'b' })
      assert.deepEqual(await changedSince(store, token), ['b'])
      assert.deepEqual(await changedSince(store, empty.token), ['a', 'b'])
    },
  },
  {
    id: 'CHG-04',
    group,
    title: 'a store without sessions has an empty feed whose token goes on',
    needs,
    async run({ store }) {
      const { changes, token } = await store.changes.since()
      assert.deepEqual(changes, [])
      assert.deepEqual(await changedSince(store, token), [])
      await store.sessions.create({ id: 'a' })
      assert.deepEqual(await changedSince(store, token), ['a'])
    },
  },
  {
    id: 'CHG-05',
    group,
    title: 'the trash is a change, also of what goes there along, and so is coming back',
    needs: ['changes.since', 'sessions.remove', 'sessions.undelete'],
    async run({ store }) {
      await store.sessions.create({ id: 'root' })
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'root' })
      await store.sessions.create({ id: 'other' })
      const token = await tokenOf(store)
      await store.sessions.remove('root')
      const { changes, token: trashed } = await store.changes.since(token)
      assert.deepEqual(new Set(changes.map(({ sessionId }) => sessionId)), new Set(['root', 'agent']))
      for (const change of changes) assert.deepEqual(change, await changeOf(store, change.sessionId))
      await store.sessions.undelete('root')
      assert.deepEqual(new Set(await changedSince(store, trashed)), new Set(['root', 'agent']))
    },
  },
  {
    id: 'CHG-06',
    group,
    title: 'a purged session is a removal, which knows its owner and no version',
    needs: ['changes.since', 'sessions.remove'],
    async run({ store }) {
      await store.messages.append('a', turns(1), { createSession: { ownerId: 'ana' } })
      const { changeSeq } = await store.sessions.create({ id: 'b' })
      const token = await tokenOf(store)
      await store.sessions.remove('a', { purge: true })
      const { changes } = await store.changes.since(token)
      assert.equal(changes.length, 1)
      const [removal] = changes
      assert.ok((removal?.changeSeq ?? 0) > changeSeq)
      assert.deepEqual(removal, {
        sessionId: 'a',
        ownerId: 'ana',
        changeSeq: removal?.changeSeq,
        removed: true,
      })
      assert.deepEqual(await changedSince(store), ['b', '-a'])
    },
  },
  {
    id: 'CHG-07',
    group,
    title: 'a purge removes each that goes along and changes the children that lose their parent',
    needs: ['changes.since', 'sessions.remove'],
    async run({ store }) {
      await store.sessions.create({ id: 'root' })
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'root' })
      await store.sessions.create({ id: 'child', parentSessionId: 'root' })
      await store.sessions.create({ id: 'other' })
      const token = await tokenOf(store)
      await store.sessions.remove('root', { purge: true })
      assert.deepEqual((await changedSince(store, token)).sort(), ['-agent', '-root', 'child'])
    },
  },
  {
    id: 'CHG-08',
    group,
    title: 'a session made anew under a purged id is in the feed once, and not as removed',
    needs: ['changes.since', 'sessions.remove'],
    async run({ store }) {
      await store.sessions.create({ id: 'a' })
      const token = await tokenOf(store)
      await store.sessions.remove('a', { purge: true })
      await store.sessions.create({ id: 'a' })
      const { changes } = await store.changes.since(token)
      assert.deepEqual(changes, [await changeOf(store, 'a')])
      await store.sessions.remove('a', { purge: true })
      assert.deepEqual(await changedSince(store, token), ['-a'])
      assert.deepEqual(await changedSince(store), ['-a'])
    },
  },
  {
    id: 'CHG-09',
    group,
    title: 'every write of a session is in the feed; threads are not',
    needs: [
      'changes.since',
      'sessions.update',
      'sessions.addUsage',
      'sessions.current',
      'sessions.resetContext',
      'sessions.fork',
      'sessions.import',
      'sessions.rewind',
      'messages.update',
      'messages.remove',
      'messages.replace',
      'messages.compact',
      'messages.truncate',
      'messages.clear',
      'threads.create',
      'threads.attach',
    ],
    async run({ store }) {
      const { sessions, messages, threads } = store
      const key = { channelType: 'web', channelKey: '1' }
      const batch = turns(3).map((message, index) => ({ ...message, id: `m${index + 1}` }))
      const writes: [() => Promise<unknown>, ...string[]][] = [
        [() => sessions.create({ id: 's' }), 's'],
        [() => messages.append('s', batch), 's'],
        [() => sessions.update('s', { pinned: true }), 's'],
        [() => sessions.addUsage('s', { input: 1 }), 's'],
        [() => messages.update('s', 'm1', { content: 'x' }), 's'],
        [() => messages.remove('s', ['m1']), 's'],
        [() => messages.compact('s', { throughSeq: 2, summary: user('S') }), 's'],
        [() => sessions.fork('s', { id: 'f' }), 'f'],
        [() => sessions.rewind('s', { toSeq: 5 }), '20260301_1', 's'],
        [() => messages.truncate('s', { fromSeq: 5 }), 's'],
        [() => sessions.resetContext('s'), 's'],
        [() => messages.replace('s', turns(1)), 's'],
        [() => messages.clear('s'), 's'],
        [() => sessions.import({ id: 'i' }, turns(1)), 'i'],
        [() => sessions.current(key, { create: { id: 'c' } }), 'c'],
        [() => sessions.current(key, { create: { id: 'd' } })],
        [() => messages.append('s', [])],
        [() => threads.create({ id: 't', name: 'n' })],
        [() => threads.attach('t', 's')],
      ]
      for (const [index, [write, ...expected]] of writes.entries()) {
        const token = await tokenOf(store)
        await write()
        assert.deepEqual((await changedSince(store, token)).sort(), expected, `write ${index}`)
      }
    },
  },
]
