// What the second slice keeps beside sessions and messages, after the data was opened again.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { listAll, readAll, turns, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'lifecycle'
const create = { createSession: true } as const
const needsHandle = ['reopen'] as const

export const reopenSpecs: readonly Spec[] = [
  {
    id: 'LIF-20',
    group,
    title: 'forks, branches, contexts and usage are as before after opening again',
    needs: [
      'sessions.addUsage',
      'sessions.fork',
      'sessions.list',
      'sessions.rewind',
      'messages.compact',
      'messages.recentTurns',
    ],
    needsHandle,
    async run({ store, reopen }) {
      await store.messages.append('s', turns(3), create)
      await store.messages.compact('s', { throughSeq: 2, summary: user('S1') })
      await store.sessions.addUsage('s', { input: 1, cost: 0.5 })
      const fork = await store.sessions.fork('s')
      const branch = defined((await store.sessions.rewind('s', { toSeq: 4 })).branch)
      const everything = async ({ sessions, messages }: SessionStore) => [
        (await sessions.list({ types: 'all' })).items,
        ...(await Promise.all(['s', fork.id, branch.id].map((id) => messages.read(id)))),
        await messages.recentTurns(fork.id, { turns: 5, mode: 'text' }),
      ]
      const before = await everything(store)
      const again = await reopen()
      assert.deepEqual(await everything(again), before)
      const { messages } = await again.messages.compact(fork.id, { throughSeq: 4, summary: user('S2') })
      assert.deepEqual(messages[0]?.metadata.summary, { fromSeq: 1, throughSeq: 4, line: [7] })
    },
  },
  {
    id: 'LIF-21',
    group,
    title: 'threads are as before after opening again',
    needs: ['threads.create', 'threads.attach', 'threads.list', 'threads.sessions', 'threads.timeline'],
    needsHandle,
    async run({ store, reopen }) {
      for (const id of ['a', 'b', 'c']) await store.messages.append(id, turns(1), create)
      await store.threads.create({ id: 't', name: 'n', metadata: { a: [1] } })
      for (const id of ['b', 'a']) await store.threads.attach('t', id)
      const everything = async ({ threads }: SessionStore) => [
        await threads.list(),
        await threads.sessions('t'),
        await threads.timeline('t'),
      ]
      const before = await everything(store)
      const cursor = defined((await store.threads.timeline('t', { limit: 3 })).nextCursor)
      const again = await reopen()
      assert.deepEqual(await everything(again), before)
      assert.equal((await again.threads.timeline('t', { limit: 3, cursor })).items.length, 1)
      await again.threads.attach('t', 'c')
      assert.deepEqual(
        (await again.threads.sessions('t')).items.map(({ id }) => id),
        ['b', 'a', 'c'],
      )
    },
  },
  {
    id: 'LIF-22',
    group,
    title: 'the feed goes on from its token after opening again, removals among what it tells',
    needs: ['changes.since', 'sessions.remove'],
    needsHandle,
    async run({ store, reopen }) {
      for (const id of ['a', 'b', 'c']) await store.sessions.create({ id })
      const { token } = await store.changes.since()
      await store.sessions.remove('b', { purge: true })
      await store.messages.append('a', [user('q')])
      const before = await store.changes.since(token)
      assert.deepEqual(
        before.changes.map(({ sessionId, removed }) => [sessionId, removed]),
        [
          ['b', true],
          ['a', false],
        ],
      )
      const again = await reopen()
      assert.deepEqual(await again.changes.since(token), before)
      await again.sessions.create({ id: 'd' })
      const { changes } = await again.changes.since(before.token)
      assert.deepEqual(
        changes.map(({ sessionId }) => sessionId),
        ['d'],
      )
    },
  },
  {
    id: 'LIF-23',
    group,
    title: 'a session is brought back with what went along after opening again',
    needs: ['sessions.remove', 'sessions.undelete', 'sessions.list'],
    needsHandle,
    async run({ store, reopen }) {
      await store.messages.append('root', turns(1), create)
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'root' })
      await store.sessions.remove('root')
      const again = await reopen()
      assert.deepEqual(await listAll(again, { types: 'all' }), [])
      await again.sessions.undelete('root')
      assert.deepEqual(await listAll(again, { types: 'all' }), ['agent', 'root'])
      assert.equal((await readAll(again, 'root')).length, 2)
    },
  },
  {
    id: 'LIF-24',
    group,
    title: 'a retry of a replacement or a compaction is recognised after opening again',
    needs: ['messages.replace', 'messages.compact'],
    needsHandle,
    async run({ store, reopen }) {
      await store.messages.append('s', turns(2), create)
      const batch = turns(1)
      const replaced = await store.messages.replace('s', batch, { operationId: 'r' })
      const options = { throughSeq: 5, summary: user('S'), operationId: 'c' }
      const compacted = await store.messages.compact('s', options)
      const again = await reopen()
      assert.deepEqual(await again.messages.replace('s', batch, { operationId: 'r' }), replaced)
      assert.deepEqual(await again.messages.compact('s', options), compacted)
      await rejects('conflict', 'messages.compact', () =>
        again.messages.compact('s', { ...options, throughSeq: 6 }),
      )
      assert.equal((await readAll(again, 's')).length, 3)
    },
  },
]
