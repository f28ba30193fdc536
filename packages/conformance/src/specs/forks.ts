// Forks: how much of a session they copy, under which ids, and what is refused.

import assert from 'node:assert/strict'
import type { Message } from '@sess/core'
import { defined, rejects, sameValue } from '../assertions.ts'
import {
  assistant,
  image,
  readAll,
  seqs,
  text,
  texts,
  toolResult,
  toolUse,
  turns,
  upTo,
  user,
} from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'forks'
const create = { createSession: true } as const
const needs = ['sessions.fork'] as const

/** What a copy of messages keeps: all but whose they are. */
function kept(messages: readonly Message[]) {
  return messages.map(({ id: _, sessionId: __, ...rest }) => rest)
}

export const forkSpecs: readonly Spec[] = [
  {
    id: 'FRK-01',
    group,
    title: 'a fork has every message under its own ids, with the same seqs, times and values',
    needs,
    async run({ store, clock }) {
      const batch = [
        user('q', { id: 'mine', createdAt: 5, metadata: { model: 'm', deep: [1, { a: null }] } }),
        assistant([text('wait'), toolUse('t')]),
        user([toolResult('t'), text('steering'), image()], { metadata: { agentVisible: false } }),
        assistant([{ type: 'x_other', z: 1, a: [] }]),
      ]
      await store.messages.append('s', batch, create)
      clock.advance(10)
      const fork = await store.sessions.fork('s')
      assert.equal(fork.id, '20260301_1')
      const [before, after] = [await readAll(store, 's'), await readAll(store, fork.id)]
      sameValue(kept(after), kept(before), 'the copy')
      assert.deepEqual(
        after.map(({ id, sessionId }) => [id, sessionId]),
        upTo(4).map((seq) => [`20260301_1:${seq}`, '20260301_1']),
      )
    },
  },
  {
    id: 'FRK-02',
    group,
    title: 'a fork begins with version 1, counts what it holds, and says where it comes from',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(1), create)
      await store.messages.append('s', turns(1, 2))
      const now = clock.advance(10)
      const fork = await store.sessions.fork('s', { id: 'copy' })
      const { version, messageCount, nextSeq, preview, forkedFrom, context } = fork
      assert.deepEqual(
        { version, messageCount, nextSeq, preview, forkedFrom, context },
        {
          version: 1,
          messageCount: 4,
          nextSeq: 5,
          preview: 'a2',
          forkedFrom: { sessionId: 's', seq: 4 },
          context: { startSeq: 1 },
        },
      )
      assert.deepEqual([fork.createdAt, fork.updatedAt, fork.lastActiveAt], [now, now, now])
      assert.deepEqual(await store.sessions.get('copy'), fork)
    },
  },
  {
    id: 'FRK-03',
    group,
    title: 'a fork at a message or at a seq copies through it',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(3), create)
      const [, , third] = await readAll(store, 's')
      const { id: atMessageId } = defined(third)
      for (const at of [{ atMessageId }, { atSeq: 3 }]) {
        const fork = await store.sessions.fork('s', at)
        assert.deepEqual(texts(await readAll(store, fork.id)), ['q1', 'a1', 'q2'])
        assert.deepEqual(fork.forkedFrom, { sessionId: 's', seq: 3 })
        assert.deepEqual([fork.nextSeq, fork.messageCount, fork.preview], [4, 3, 'q2'])
      }
    },
  },
  {
    id: 'FRK-04',
    group,
    title: 'a fork at seq 0 is empty, one beyond the end is whole',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      const empty = await store.sessions.fork('s', { atSeq: 0 })
      assert.deepEqual(await readAll(store, empty.id), [])
      assert.deepEqual(
        [empty.messageCount, empty.nextSeq, empty.preview, empty.forkedFrom?.seq],
        [0, 1, '', 0],
      )
      const whole = await store.sessions.fork('s', { atSeq: 1000 })
      assert.deepEqual([whole.messageCount, whole.nextSeq, whole.forkedFrom?.seq], [4, 5, 4])
    },
  },
  {
    id: 'FRK-05',
    group,
    title: 'a session without messages can be forked',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's', name: 'n' })
      const fork = await store.sessions.fork('s')
      assert.deepEqual([fork.messageCount, fork.nextSeq, fork.forkedFrom], [0, 1, { sessionId: 's', seq: 0 }])
      assert.equal((await store.messages.append(fork.id, [user('q')])).firstSeq, 1)
    },
  },
  {
    id: 'FRK-06',
    group,
    title: 'gaps between seqs stay gaps, and a seq within one names what lies before it',
    needs: ['sessions.fork', 'messages.remove'],
    async run({ store }) {
      const batch = turns(3).map((message, index) => ({ ...message, id: `id-${index + 1}` }))
      await store.messages.append('s', batch, create)
      await store.messages.remove('s', ['id-2', 'id-4', 'id-6'])
      const fork = await store.sessions.fork('s', { atSeq: 4 })
      const copied = await readAll(store, fork.id)
      assert.deepEqual(seqs(copied), [1, 3])
      assert.deepEqual(
        copied.map(({ id }) => id),
        [`${fork.id}:1`, `${fork.id}:3`],
      )
      assert.equal((await store.messages.append(fork.id, [user('q')])).firstSeq, 5)
      const whole = await store.sessions.fork('s')
      assert.equal((await store.messages.append(whole.id, [user('q')])).firstSeq, 7)
    },
  },
  {
    id: 'FRK-07',
    group,
    title: 'a fork takes nothing from its source and changes nothing there',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), create)
      const before = [await store.sessions.get('s'), await readAll(store, 's')]
      clock.advance(10)
      const fork = await store.sessions.fork('s', { atSeq: 2 })
      await store.messages.append(fork.id, [user('other')])
      assert.deepEqual([await store.sessions.get('s'), await readAll(store, 's')], before)
      const copy = await readAll(store, fork.id)
      assert.deepEqual(
        [seqs(copy), texts(copy)],
        [
          [1, 2, 3],
          ['q1', 'a1', 'other'],
        ],
      )
      await store.messages.append('s', [user('more')])
      assert.deepEqual(await readAll(store, fork.id), copy)
    },
  },
  {
    id: 'FRK-08',
    group,
    title: 'a given id is taken as it is, and one that is taken is already-exists',
    needs: ['sessions.fork', 'sessions.remove'],
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      const id = '字'.repeat(256)
      assert.equal((await store.sessions.fork('s', { id })).id, id)
      assert.equal((await readAll(store, id))[1]?.id, `${id}:2`)
      await store.sessions.create({ id: 'trashed' })
      await store.sessions.remove('trashed')
      for (const taken of ['s', 'trashed', id]) {
        await rejects('already-exists', 'sessions.fork', () => store.sessions.fork('s', { id: taken }))
      }
      await store.sessions.fork('s', { id: '20260301_7' })
      assert.equal((await store.sessions.fork('s')).id, '20260301_8')
    },
  },
  {
    id: 'FRK-09',
    group,
    title: 'a fork of an unknown session or at an unknown message is not-found and makes nothing',
    needs: ['sessions.fork', 'sessions.list'],
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      await store.messages.append('other', [user('q', { id: 'of other' })], create)
      await rejects('not-found', 'sessions.fork', () => store.sessions.fork('unknown'))
      await rejects('not-found', 'sessions.fork', () => store.sessions.fork('unknown', { atSeq: 1 }))
      for (const atMessageId of ['unknown', 'of other']) {
        await rejects('not-found', 'sessions.fork', () => store.sessions.fork('s', { atMessageId }))
      }
      assert.equal((await store.sessions.list()).items.length, 2)
      assert.equal((await store.sessions.create()).id, '20260301_1')
    },
  },
  {
    id: 'FRK-10',
    group,
    title: 'an option of fork that is none is invalid and makes nothing',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('q', { id: 'm' })], create)
      const wrong: object[] = [
        { atMessageId: 'm', atSeq: 1 },
        { atMessageId: '' },
        { atMessageId: '..' },
        { atSeq: -1 },
        { atSeq: 1.5 },
        { atSeq: '1' },
        { id: '' },
        { id: '.' },
        { name: '' },
        { name: 'x'.repeat(501) },
        { atseq: 1 },
      ]
      for (const options of wrong) {
        await rejects('invalid', 'sessions.fork', () => store.sessions.fork('s', { id: 'f', ...options }))
      }
      await rejects('invalid', 'sessions.fork', () => store.sessions.fork(''))
      assert.equal(await store.sessions.get('f'), undefined)
    },
  },
  {
    id: 'FRK-11',
    group,
    title: 'a long session is copied whole',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(700), create)
      const fork = await store.sessions.fork('s')
      const copied = await readAll(store, fork.id, { limit: 1000 })
      assert.deepEqual(seqs(copied), upTo(1400))
      assert.equal(new Set(copied.map(({ id }) => id)).size, 1400)
      sameValue(kept(copied), kept(await readAll(store, 's', { limit: 1000 })), 'the copy')
      assert.deepEqual([fork.messageCount, fork.nextSeq], [1400, 1401])
    },
  },
  {
    id: 'FRK-12',
    group,
    title: 'several forks of one session at once are each whole',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(3), create)
      const forks = await Promise.all(upTo(6).map(() => store.sessions.fork('s')))
      assert.deepEqual(
        new Set(forks.map(({ id }) => id)),
        new Set(upTo(6).map((number) => `20260301_${number}`)),
      )
      for (const { id } of forks) assert.deepEqual(seqs(await readAll(store, id)), upTo(6))
    },
  },
  {
    id: 'FRK-13',
    group,
    title: 'of several forks at once to one id exactly one succeeds',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      const results = await Promise.allSettled(upTo(4).map(() => store.sessions.fork('s', { id: 'f' })))
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.deepEqual(seqs(await readAll(store, 'f')), [1, 2])
    },
  },
  {
    id: 'FRK-14',
    group,
    title: 'a damaged row does not keep a session from being forked',
    needs,
    needsHandle: ['damage'],
    async run({ store, damage }) {
      await store.messages.append(
        's',
        ['a', 'b', 'c'].map((id) => user(id, { id })),
        create,
      )
      await damage({ sessionId: 's', messageId: 'b' })
      const fork = await store.sessions.fork('s')
      const readable = (await readAll(store, fork.id)).filter(({ seq }) => seq !== 2)
      assert.deepEqual(texts(readable), ['a', 'c'])
      assert.deepEqual([fork.messageCount, fork.nextSeq, fork.preview], [3, 4, 'c'])
    },
  },
]
