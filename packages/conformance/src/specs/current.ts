// The session a chat of a channel talks to: found, or made, the same for all who ask.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'current'
const needs = ['sessions.current'] as const
const key = { channelType: 'telegram', channelKey: '42' } as const

async function currentId(
  store: SessionStore,
  asked: Parameters<SessionStore['sessions']['current']>[0] = key,
) {
  return (await store.sessions.current(asked))?.id
}

export const currentSpecs: readonly Spec[] = [
  {
    id: 'CUR-01',
    group,
    title: 'the current session of a chat is the last active one, of equally active ones the newest',
    needs,
    async run({ store, clock }) {
      assert.equal(await currentId(store), undefined)
      for (const id of ['a', 'b', 'c']) await store.sessions.create({ id, ...key })
      assert.equal(await currentId(store), 'c')
      clock.advance(10)
      await store.messages.append('a', [user('q')])
      assert.equal(await currentId(store), 'a')
      assert.deepEqual(await store.sessions.current(key), await store.sessions.get('a'))
    },
  },
  {
    id: 'CUR-02',
    group,
    title: 'a chat is channel, key and owner together, compared exactly',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 'mine', ...key })
      await store.sessions.create({ id: 'of ana', ...key, ownerId: 'ana' })
      await store.sessions.create({ id: 'other key', ...key, channelKey: '421' })
      await store.sessions.create({ id: 'other channel', ...key, channelType: 'Telegram' })
      await store.sessions.create({ id: 'no key', channelType: 'telegram' })
      assert.equal(await currentId(store), 'mine')
      assert.equal(await currentId(store, { ...key, ownerId: '' }), 'mine')
      assert.equal(await currentId(store, { ...key, ownerId: 'ana' }), 'of ana')
      assert.equal(await currentId(store, { ...key, ownerId: 'Ana' }), undefined)
      assert.equal(await currentId(store, { ...key, channelKey: '4' }), undefined)
    },
  },
  {
    id: 'CUR-03',
    group,
    title: 'archived, trashed, sub-agent and hidden sessions never serve, all other types do',
    needs: ['sessions.current', 'sessions.update', 'sessions.remove'],
    async run({ store, clock }) {
      for (const type of ['user', 'scheduled', 'terminal', 'gateway', 'acp'] as const) {
        await store.sessions.create({ id: type, type, ...key })
        assert.equal(await currentId(store), type)
        clock.advance(10)
      }
      for (const type of ['sub_agent', 'hidden'] as const) {
        await store.sessions.create({ id: type, type, parentSessionId: 'p', ...key })
        clock.advance(10)
      }
      assert.equal(await currentId(store), 'acp')
      await store.sessions.update('acp', { archived: true })
      assert.equal(await currentId(store), 'gateway')
      await store.sessions.remove('gateway')
      assert.equal(await currentId(store), 'terminal')
      await store.sessions.update('acp', { archived: false })
      assert.equal(await currentId(store), 'acp')
    },
  },
  {
    id: 'CUR-04',
    group,
    title: 'where none serves, create makes one of that chat with its fields',
    needs,
    async run({ store, clock }) {
      assert.equal(await store.sessions.current(key, {}), undefined)
      const now = clock.advance(10)
      const create = { name: 'n', type: 'gateway', tags: ['t'], metadata: { a: 1 } } as const
      const session = defined(await store.sessions.current({ ...key, ownerId: 'ana' }, { create }))
      assert.deepEqual(session, {
        id: '20260301_1',
        ...create,
        ...key,
        nameSource: 'user',
        ownerId: 'ana',
        extensionData: {},
        tokenCounts: { last: {}, accumulated: {} },
        pinned: false,
        createdAt: now,
        updatedAt: now,
        lastActiveAt: now,
        messageCount: 0,
        nextSeq: 1,
        preview: '',
        context: { startSeq: 1 },
        version: 1,
        changeSeq: session.changeSeq,
      })
      assert.deepEqual(await store.sessions.get(session.id), session)
    },
  },
  {
    id: 'CUR-05',
    group,
    title: 'a session that serves is answered as it is, whatever create says, and nothing is written',
    needs: ['sessions.current', 'sessions.list'],
    async run({ store, clock }) {
      await store.messages.append('s', turns(1), { createSession: { ...key, name: 'n' } })
      const before = await store.sessions.get('s')
      clock.advance(10)
      assert.deepEqual(await store.sessions.current(key, { create: { name: 'other' } }), before)
      assert.deepEqual(await store.sessions.current(key, { create: { id: 'other' }, idleMs: 11 }), before)
      assert.deepEqual(await store.sessions.get('s'), before)
      assert.equal((await store.sessions.list()).items.length, 1)
    },
  },
  {
    id: 'CUR-06',
    group,
    title: 'a session that was silent for idleMs serves no more: a new one where create is given, else none',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', [user('q')], { createSession: key })
      clock.advance(1000)
      const idle = async (idleMs: number) => (await store.sessions.current(key, { idleMs }))?.id
      assert.equal(await idle(1001), 's')
      assert.equal(await idle(1000), undefined)
      assert.equal(await idle(0), undefined)
      assert.equal(await currentId(store), 's')
      const fresh = defined(await store.sessions.current(key, { idleMs: 1000, create: {} }))
      assert.equal(fresh.id, '20260301_1')
      assert.equal((await store.sessions.current(key, { idleMs: 1000, create: {} }))?.id, fresh.id)
      clock.advance(999)
      await store.messages.append('s', [user('r')])
      clock.advance(1)
      assert.equal((await store.sessions.current(key, { idleMs: 1000, create: {} }))?.id, 's')
    },
  },
  {
    id: 'CUR-07',
    group,
    title: 'of many who ask at once all get the same session, and one is made',
    needs: ['sessions.current', 'sessions.list'],
    async run({ store }) {
      const answers = await Promise.all(upTo(10).map(() => store.sessions.current(key, { create: {} })))
      assert.deepEqual(new Set(answers.map((session) => session?.id)), new Set(['20260301_1']))
      assert.equal((await store.sessions.list()).items.length, 1)
    },
  },
  {
    id: 'CUR-08',
    group,
    title: 'create may give an id, which must be free, and no other chat or owner',
    needs: ['sessions.current', 'sessions.list'],
    async run({ store }) {
      await store.sessions.create({ id: 'taken' })
      const current = (create: object) => store.sessions.current(key, { create })
      await rejects('already-exists', 'sessions.current', () => current({ id: 'taken' }))
      for (const create of [{ channelType: 'web' }, { channelKey: '1' }, { ownerId: 'ana' }, { id: '' }]) {
        await rejects('invalid', 'sessions.current', () => current(create))
      }
      assert.equal((await store.sessions.list()).items.length, 1)
      assert.equal((await current({ id: 'free', ...key, ownerId: '' }))?.id, 'free')
    },
  },
  {
    id: 'CUR-09',
    group,
    title: 'a key or an option that is none is invalid and makes nothing',
    needs: ['sessions.current', 'sessions.list'],
    async run({ store }) {
      const wrong: [unknown, unknown?][] = [
        [undefined],
        [{ channelType: 'telegram' }],
        [{ ...key, channelKey: '' }],
        [{ ...key, channelType: 'a\u0000' }],
        [{ ...key, ownerId: 5 }],
        [{ ...key, chat: 1 }],
        [key, { idleMs: -1 }],
        [key, { idleMs: '1' }],
        [key, { create: { colour: 'red' } }],
        [key, { make: {} }],
      ]
      for (const [asked, options = { create: {} }] of wrong) {
        await rejects('invalid', 'sessions.current', () =>
          store.sessions.current(asked as typeof key, options as object),
        )
      }
      assert.deepEqual((await store.sessions.list()).items, [])
    },
  },
  {
    id: 'CUR-10',
    group,
    title: 'a fork and a branch do not take a chat over',
    needs: ['sessions.current', 'sessions.fork', 'sessions.rewind'],
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), { createSession: key })
      clock.advance(10)
      await store.sessions.fork('s')
      await store.sessions.rewind('s', { toSeq: 2 })
      assert.equal(await currentId(store), 's')
    },
  },
]
