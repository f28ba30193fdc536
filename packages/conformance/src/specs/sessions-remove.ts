// The trash and what purging takes along.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { startTime } from '../clock.ts'
import { readAll, turns, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'sessions'
const needs = ['sessions.remove'] as const

async function timeInTrash(store: SessionStore, id: string): Promise<number | undefined> {
  return defined(await store.sessions.get(id), id).deletedAt
}

export const sessionRemoveSpecs: readonly Spec[] = [
  {
    id: 'SES-60',
    group,
    title: 'remove moves a session to the trash: it has a time there and is otherwise as before',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), { createSession: { name: 'n', tags: ['t'] } })
      const before = defined(await store.sessions.get('s'))
      const now = clock.advance(10)
      assert.equal(await store.sessions.remove('s'), true)
      const after = defined(await store.sessions.get('s'))
      assert.deepEqual(after, { ...before, deletedAt: now, updatedAt: now, changeSeq: after.changeSeq })
      assert.ok(after.changeSeq > before.changeSeq)
    },
  },
  {
    id: 'SES-61',
    group,
    title: 'removing again answers false and keeps the first time',
    needs,
    async run({ store, clock }) {
      await store.sessions.create({ id: 's' })
      await store.sessions.remove('s')
      const trashed = await store.sessions.get('s')
      clock.advance(10)
      assert.equal(await store.sessions.remove('s'), false)
      assert.equal(await store.sessions.remove('s', { purge: false }), false)
      assert.deepEqual(await store.sessions.get('s'), trashed)
    },
  },
  {
    id: 'SES-62',
    group,
    title: 'removing or purging an unknown session answers false',
    needs,
    async run({ store }) {
      assert.equal(await store.sessions.remove('unknown'), false)
      assert.equal(await store.sessions.remove('unknown', { purge: true }), false)
    },
  },
  {
    id: 'SES-63',
    group,
    title: 'a session in the trash is read as before',
    needs: ['sessions.remove', 'messages.get', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', turns(3), { createSession: true })
      const page = await store.messages.read('s', { limit: 2 })
      const message = defined(page.items[1])
      const window = await store.messages.recentTurns('s', { turns: 2 })
      await store.sessions.remove('s')
      const next = { limit: 2, cursor: defined(page.nextCursor) }
      assert.deepEqual(await store.messages.read('s', { limit: 2 }), page)
      assert.equal((await store.messages.read('s', next)).items.length, 2)
      assert.deepEqual(await store.messages.get('s', message.id), message)
      const { session, ...after } = await store.messages.recentTurns('s', { turns: 2 })
      const { session: _, ...before } = window
      assert.deepEqual(after, before)
      assert.equal(session?.deletedAt, startTime)
    },
  },
  {
    id: 'SES-64',
    group,
    title: 'a write to a session in the trash is not-found, and creating it is already-exists',
    needs: ['sessions.remove', 'sessions.update'],
    async run({ store }) {
      await store.messages.append('s', turns(1), { createSession: true })
      await store.sessions.remove('s')
      const trashed = await store.sessions.get('s')
      await rejects('not-found', 'sessions.update', () => store.sessions.update('s', { name: 'n' }))
      await rejects('not-found', 'messages.append', () => store.messages.append('s', [user('q')]))
      await rejects('not-found', 'messages.append', () => store.messages.append('s', []))
      await rejects('already-exists', 'sessions.create', () => store.sessions.create({ id: 's' }))
      for (const batch of [[user('q')], []]) {
        await rejects('already-exists', 'messages.append', () =>
          store.messages.append('s', batch, { createSession: true }),
        )
      }
      assert.deepEqual(await store.sessions.get('s'), trashed)
      assert.equal((await readAll(store, 's')).length, 2)
    },
  },
  {
    id: 'SES-65',
    group,
    title: 'purging deletes a session and its messages, from the trash too',
    needs: ['sessions.remove', 'messages.get', 'messages.recentTurns'],
    async run({ store }) {
      for (const id of ['live', 'trashed']) {
        await store.messages.append(id, [user('q', { id: 'm' })], { createSession: { tags: ['t'] } })
      }
      await store.sessions.remove('trashed')
      for (const id of ['live', 'trashed']) {
        assert.equal(await store.sessions.remove(id, { purge: true }), true)
        assert.equal(await store.sessions.get(id), undefined)
        assert.deepEqual(await store.messages.read(id), { items: [] })
        assert.equal(await store.messages.get(id, 'm'), undefined)
        assert.equal((await store.messages.recentTurns(id, { turns: 1 })).session, undefined)
        assert.equal(await store.sessions.remove(id, { purge: true }), false)
      }
    },
  },
  {
    id: 'SES-66',
    group,
    title: 'the id of a purged session is free, and the session made of it has nothing of the old one',
    needs,
    async run({ store }) {
      const operationId = 'op'
      const old = { name: 'old', tags: ['t'], metadata: { a: 1 } }
      await store.messages.append('s', [user('old', { id: 'm' })], { createSession: old, operationId })
      await store.sessions.remove('s', { purge: true })
      const created = await store.sessions.create({ id: 's' })
      assert.deepEqual([created.version, created.nextSeq, created.messageCount], [1, 1, 0])
      assert.deepEqual([created.tags, created.metadata, created.preview], [[], {}, ''])
      const receipt = await store.messages.append('s', [user('new', { id: 'm' })], { operationId })
      assert.deepEqual([receipt.firstSeq, receipt.lastSeq, receipt.version], [1, 1, 2])
      assert.deepEqual(await readAll(store, 's'), receipt.messages)
    },
  },
  {
    id: 'SES-67',
    group,
    title: 'purging takes the messages of that session and of no other',
    needs,
    async run({ store }) {
      for (const id of ['a', 'b']) {
        await store.messages.append(id, [user(`of ${id}`, { id: 'same' })], { createSession: true })
      }
      const kept = await store.sessions.get('b')
      await store.sessions.remove('a', { purge: true })
      assert.deepEqual(await store.sessions.get('b'), kept)
      assert.deepEqual(
        (await readAll(store, 'b')).map(({ content }) => content),
        [[{ type: 'text', text: 'of b' }]],
      )
    },
  },
  {
    id: 'SES-68',
    group,
    title: 'changeSeq does not go back when the newest session is purged',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 'a' })
      const newest = await store.sessions.create({ id: 'b' })
      await store.sessions.remove('b', { purge: true })
      const next = await store.sessions.create({ id: 'b' })
      assert.ok(next.changeSeq > newest.changeSeq)
    },
  },
  {
    id: 'SES-69',
    group,
    title: 'an option of remove that is none is invalid and removes nothing',
    needs,
    async run({ store }) {
      const session = await store.sessions.create({ id: 's' })
      for (const options of [{ purge: 'yes' }, { hard: true }]) {
        await rejects('invalid', 'sessions.remove', () => store.sessions.remove('s', options as object))
      }
      assert.deepEqual(await store.sessions.get('s'), session)
    },
  },
  {
    id: 'SES-70',
    group,
    title: 'sub-agents and hidden sessions below go to the trash along, all with one time',
    needs,
    async run({ store, clock }) {
      await store.sessions.create({ id: 'root' })
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'root' })
      await store.sessions.create({ id: 'hidden', type: 'hidden', parentSessionId: 'root' })
      await store.sessions.create({ id: 'deep', type: 'sub_agent', parentSessionId: 'agent' })
      await store.sessions.create({ id: 'other', type: 'sub_agent', parentSessionId: 'elsewhere' })
      clock.tick()
      await store.sessions.remove('root')
      const time = defined(await timeInTrash(store, 'root'))
      for (const id of ['agent', 'hidden', 'deep']) assert.equal(await timeInTrash(store, id), time, id)
      assert.equal(await timeInTrash(store, 'other'), undefined)
      assert.equal((await store.sessions.get('agent'))?.parentSessionId, 'root')
    },
  },
  {
    id: 'SES-71',
    group,
    title: 'branches go to the trash with the session they are of',
    needs: ['sessions.remove', 'sessions.import'],
    async run({ store }) {
      await store.sessions.create({ id: 'root' })
      await store.sessions.import({ id: 'branch', type: 'hidden', branchOf: 'root' }, [])
      await store.sessions.import({ id: 'twig', type: 'hidden', branchOf: 'branch' }, [])
      await store.sessions.remove('root')
      for (const id of ['root', 'branch', 'twig']) assert.equal(await timeInTrash(store, id), startTime, id)
      await store.sessions.remove('root', { purge: true })
      for (const id of ['root', 'branch', 'twig']) assert.equal(await store.sessions.get(id), undefined, id)
    },
  },
  {
    id: 'SES-72',
    group,
    title: 'other children stay where they are, with all that hangs on them, and keep their parent',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 'root' })
      await store.sessions.create({ id: 'child', type: 'user', parentSessionId: 'root' })
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'child' })
      const before = [await store.sessions.get('child'), await store.sessions.get('agent')]
      await store.sessions.remove('root')
      assert.deepEqual([await store.sessions.get('child'), await store.sessions.get('agent')], before)
    },
  },
  {
    id: 'SES-73',
    group,
    title: 'purging deletes sub-agents and hidden sessions below, and other children lose their parent',
    needs,
    async run({ store, clock }) {
      await store.sessions.create({ id: 'root' })
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'root' })
      await store.messages.append('deep', turns(1), {
        createSession: { type: 'hidden', parentSessionId: 'agent' },
      })
      const child = await store.sessions.create({ id: 'child', parentSessionId: 'root' })
      const grandchild = await store.sessions.create({ id: 'grandchild', parentSessionId: 'agent' })
      const sibling = await store.sessions.create({ id: 'sibling', parentSessionId: 'elsewhere' })
      await store.sessions.remove('agent')
      clock.advance(10)
      await store.sessions.remove('root', { purge: true })
      for (const id of ['root', 'agent', 'deep']) assert.equal(await store.sessions.get(id), undefined, id)
      assert.deepEqual(await store.messages.read('deep'), { items: [] })
      for (const { parentSessionId, ...before } of [child, grandchild]) {
        const after = defined(await store.sessions.get(before.id))
        assert.ok(after.changeSeq > before.changeSeq, 'the change shows in changeSeq')
        const { updatedAt, changeSeq } = after
        assert.deepEqual(after, { ...before, updatedAt, changeSeq })
      }
      assert.deepEqual(await store.sessions.get('sibling'), sibling)
    },
  },
  {
    id: 'SES-74',
    group,
    title: 'a sub-agent that is in the trash already keeps its own time there',
    needs,
    async run({ store, clock }) {
      await store.sessions.create({ id: 'root' })
      await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'root' })
      await store.sessions.remove('agent')
      assert.equal(await timeInTrash(store, 'root'), undefined)
      const later = clock.advance(10)
      await store.sessions.remove('root')
      assert.deepEqual(
        [await timeInTrash(store, 'agent'), await timeInTrash(store, 'root')],
        [startTime, later],
      )
    },
  },
  {
    id: 'SES-75',
    group,
    title: 'sessions that are each other’s parents are removed once, and a long line of sub-agents whole',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 'a', type: 'sub_agent', parentSessionId: 'b' })
      await store.sessions.create({ id: 'b', type: 'sub_agent', parentSessionId: 'a' })
      assert.equal(await store.sessions.remove('a'), true)
      assert.equal(await timeInTrash(store, 'b'), startTime)
      assert.equal(await store.sessions.remove('b', { purge: true }), true)
      assert.equal(await store.sessions.get('a'), undefined)
      for (let depth = 0; depth <= 40; depth++) {
        await store.sessions.create({ id: `${depth}`, type: 'sub_agent', parentSessionId: `${depth - 1}` })
      }
      await store.sessions.remove('0')
      assert.equal(await timeInTrash(store, '40'), startTime)
    },
  },
]
