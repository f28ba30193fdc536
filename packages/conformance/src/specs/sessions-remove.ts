// The trash: what is still read there, what is refused, and what a purge leaves.

import assert from 'node:assert/strict'
import { defined, rejects } from '../assertions.ts'
import { startTime } from '../clock.ts'
import { readAll, turns, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'sessions'
const needs = ['sessions.remove'] as const

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
]
