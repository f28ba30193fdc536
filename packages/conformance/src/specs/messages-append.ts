// Appending: what is stored, what the session becomes, and who creates it.

import assert from 'node:assert/strict'
import { defined, rejects } from '../assertions.ts'
import { startTime } from '../clock.ts'
import { assistant, readAll, seqs, text, texts, turns, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'messages'

export const messageAppendSpecs: readonly Spec[] = [
  {
    id: 'MSG-01',
    group,
    title: 'an append answers what it stored, and a read gives the same',
    async run({ store, clock }) {
      await store.sessions.create({ id: 's' })
      const now = clock.advance(10)
      const receipt = await store.messages.append('s', [
        user('hi'),
        assistant([text('hello')], { id: 'given', createdAt: 5, metadata: { model: 'm', mine: [1] } }),
        { role: 'system', content: [] },
      ])
      const rest = { sessionId: 's', metadata: {} }
      const stored = [
        { ...rest, id: 'm-1', seq: 1, role: 'user', content: [text('hi')], createdAt: now },
        {
          ...rest,
          id: 'given',
          seq: 2,
          role: 'assistant',
          content: [text('hello')],
          createdAt: 5,
          metadata: { model: 'm', mine: [1] },
        },
        { ...rest, id: 'm-2', seq: 3, role: 'system', content: [], createdAt: now },
      ]
      assert.deepEqual(receipt, { version: 2, firstSeq: 1, lastSeq: 3, messages: stored })
      assert.deepEqual(await store.messages.read('s'), { items: stored })
    },
  },
  {
    id: 'MSG-02',
    group,
    title: 'an append moves the session on and touches nothing else of it',
    async run({ store, clock }) {
      const fields = { id: 's', name: 'n', tags: ['t'], metadata: { a: 1 }, mode: 'm' }
      const before = await store.sessions.create(fields)
      const now = clock.advance(10)
      await store.messages.append('s', [user('first'), assistant('second')])
      const after = defined(await store.sessions.get('s'))
      assert.ok(after.changeSeq > before.changeSeq)
      assert.deepEqual(after, {
        ...before,
        version: 2,
        messageCount: 2,
        nextSeq: 3,
        preview: 'second',
        lastActiveAt: now,
        updatedAt: now,
        changeSeq: after.changeSeq,
      })
    },
  },
  {
    id: 'MSG-03',
    group,
    title: 'order is that of appending, whatever the times say',
    async run({ store, clock }) {
      await store.messages.append('s', [user('a', { createdAt: 900 }), user('b', { createdAt: 100 })], {
        createSession: true,
      })
      clock.set(startTime - 86_400_000)
      await store.messages.append('s', [user('c'), user('d', { createdAt: 500 })])
      const messages = await readAll(store, 's')
      assert.deepEqual(texts(messages), ['a', 'b', 'c', 'd'])
      assert.deepEqual(seqs(messages), [1, 2, 3, 4])
    },
  },
  {
    id: 'MSG-04',
    group,
    title: 'a batch with one bad message stores none of it',
    async run({ store }) {
      await store.messages.append('s', turns(1), { createSession: true })
      const before = await store.sessions.get('s')
      const bad = { role: 'robot', content: 'x' }
      const error = await rejects('invalid', 'messages.append', () =>
        store.messages.append('s', [user('q'), bad as never, user('r')]),
      )
      assert.match(error.message, /messages\[1\]\.role/)
      assert.deepEqual(await store.sessions.get('s'), before)
      assert.equal((await readAll(store, 's')).length, 2)
      const create = { createSession: true } as const
      await rejects('invalid', 'messages.append', () => store.messages.append('new', [bad as never], create))
      assert.equal(await store.sessions.get('new'), undefined)
    },
  },
  {
    id: 'MSG-05',
    group,
    title: 'createSession makes the session with its fields and the messages as one, at version 1',
    async run({ store, clock }) {
      const now = clock.advance(10)
      const fields = {
        name: 'n',
        type: 'gateway',
        channelType: 'web',
        metadata: { a: 1 },
        tags: ['t'],
      } as const
      const receipt = await store.messages.append('s', [user('q')], { createSession: fields })
      assert.deepEqual([receipt.version, receipt.firstSeq, receipt.lastSeq], [1, 1, 1])
      const session = defined(await store.sessions.get('s'))
      assert.deepEqual(session, {
        ...fields,
        id: 's',
        nameSource: 'user',
        ownerId: '',
        extensionData: {},
        tokenCounts: { last: {}, accumulated: {} },
        pinned: false,
        createdAt: now,
        updatedAt: now,
        lastActiveAt: now,
        messageCount: 1,
        nextSeq: 2,
        preview: 'q',
        context: { startSeq: 1 },
        version: 1,
        changeSeq: session.changeSeq,
      })
    },
  },
  {
    id: 'MSG-06',
    group,
    title: 'createSession leaves a session that exists as it is',
    async run({ store }) {
      const before = await store.sessions.create({ id: 's', name: 'mine', tags: ['t'] })
      const createSession = { name: 'other', tags: ['u'], type: 'acp' } as const
      const { version } = await store.messages.append('s', [user('q')], { createSession })
      const { name, tags, type } = defined(await store.sessions.get('s'))
      assert.deepEqual({ name, tags, type }, { name: 'mine', tags: ['t'], type: 'user' })
      assert.equal(version, before.version + 1)
    },
  },
  {
    id: 'MSG-07',
    group,
    title: 'an append to an unknown session is not-found and makes none',
    async run({ store }) {
      await rejects('not-found', 'messages.append', () => store.messages.append('s', [user('q')]))
      await rejects('not-found', 'messages.append', () => store.messages.append('s', []))
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'MSG-08',
    group,
    title: 'an empty batch changes nothing and never makes a session',
    async run({ store, clock }) {
      const create = { createSession: true } as const
      assert.deepEqual(await store.messages.append('new', [], create), { version: 0, messages: [] })
      assert.equal(await store.sessions.get('new'), undefined)
      await store.messages.append('s', turns(2), create)
      const before = defined(await store.sessions.get('s'))
      clock.advance(10)
      const { version } = before
      assert.deepEqual(await store.messages.append('s', []), { version, messages: [] })
      assert.deepEqual(await store.messages.append('s', [], create), { version, messages: [] })
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'MSG-09',
    group,
    title: 'createSession for another id than the one appended to is invalid',
    async run({ store }) {
      await rejects('invalid', 'messages.append', () =>
        store.messages.append('s', [user('q')], { createSession: { id: 'other' } }),
      )
      await store.messages.append('s', [user('q')], { createSession: { id: 's' } })
      assert.equal((await store.sessions.get('s'))?.id, 's')
      assert.equal(await store.sessions.get('other'), undefined)
    },
  },
  {
    id: 'MSG-10',
    group,
    title: 'last activity is the latest time that was appended and never goes back',
    async run({ store, clock }) {
      await store.sessions.create({ id: 's', createdAt: 1000 })
      const activity = async () => (await store.sessions.get('s'))?.lastActiveAt
      assert.equal(await activity(), 1000)
      await store.messages.append('s', [user('q', { createdAt: 3000 }), user('q', { createdAt: 2000 })])
      assert.equal(await activity(), 3000)
      await store.messages.append('s', [user('q', { createdAt: 500 })])
      assert.equal(await activity(), 3000)
      const later = clock.advance(10)
      await store.messages.append('s', [user('q')])
      assert.equal(await activity(), later)
    },
  },
  {
    id: 'MSG-11',
    group,
    title: 'a session that an append creates has the times it would have if it were created before',
    async run({ store }) {
      const times = async (id: string) => {
        const { createdAt, lastActiveAt } = defined(await store.sessions.get(id))
        return { createdAt, lastActiveAt }
      }
      const batch = [user('q', { createdAt: 1500 })]
      await store.sessions.create({ id: 'two-steps', createdAt: 1000 })
      await store.messages.append('two-steps', batch)
      await store.messages.append('one-step', batch, { createSession: { createdAt: 1000 } })
      assert.deepEqual(await times('two-steps'), { createdAt: 1000, lastActiveAt: 1500 })
      assert.deepEqual(await times('one-step'), { createdAt: 1000, lastActiveAt: 1500 })
    },
  },
  {
    id: 'MSG-12',
    group,
    title: 'each session has its own seqs and its own message ids',
    async run({ store }) {
      for (const id of ['a', 'b']) {
        const batch = [user(`of ${id}`, { id: 'same' })]
        const { messages } = await store.messages.append(id, batch, { createSession: true })
        assert.deepEqual(seqs(messages), [1])
      }
      await store.messages.append('a', [user('more')])
      assert.deepEqual(texts(await readAll(store, 'a')), ['of a', 'more'])
      assert.deepEqual(texts(await readAll(store, 'b')), ['of b'])
    },
  },
  {
    id: 'MSG-13',
    group,
    title: 'an option of append that is none is invalid and stores nothing',
    async run({ store }) {
      const wrong: object[] = [
        { expectedVersion: -1 },
        { expectedVersion: 1.5 },
        { expectedVersion: '1' },
        { operationId: '' },
        { operationId: 5 },
        { createSession: false },
        { createSession: { type: 'robot' } },
        { createSession: { colour: 'red' } },
        { ifVersion: 1 },
      ]
      for (const options of wrong) {
        await rejects('invalid', 'messages.append', () => store.messages.append('s', [user('q')], options))
      }
      for (const batch of ['hi', { 0: user('q'), length: 1 }, undefined, null]) {
        await rejects('invalid', 'messages.append', () => store.messages.append('s', batch as never))
      }
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'MSG-14',
    group,
    title: 'a message keeps its own channel and the session keeps that of its creation',
    async run({ store }) {
      const createSession = { channelType: 'web', channelKey: '1' }
      await store.messages.append('s', [user('q', { metadata: { channelType: 'telegram' } })], {
        createSession,
      })
      const [message] = await readAll(store, 's')
      assert.equal(message?.metadata.channelType, 'telegram')
      assert.equal((await store.sessions.get('s'))?.channelType, 'web')
    },
  },
]
