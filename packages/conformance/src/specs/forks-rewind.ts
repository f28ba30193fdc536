// Rewinds: what is kept, and the hidden branch that holds the rest, so that edit-and-resend and regenerate lose nothing.

import assert from 'node:assert/strict'
import { restoreConversation } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { ids, listAll, readAll, seqs, texts, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'forks'
const create = { createSession: true } as const
const needs = ['sessions.rewind'] as const

export const rewindSpecs: readonly Spec[] = [
  {
    id: 'FRK-40',
    group,
    title: 'a rewind keeps everything through the message and moves the rest, ids and seqs kept, to a branch',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(3), create)
      const before = await readAll(store, 's')
      clock.advance(10)
      const { session, branch } = await store.sessions.rewind('s', { toMessageId: defined(before[1]).id })
      assert.deepEqual(await readAll(store, 's'), before.slice(0, 2))
      const { id, branchOf, type } = defined(branch)
      assert.deepEqual([session.id, branchOf, type], ['s', 's', 'hidden'])
      assert.deepEqual(
        await readAll(store, id),
        before.slice(2).map((message) => ({ ...message, sessionId: id })),
      )
      assert.deepEqual(await store.sessions.get('s'), session)
      assert.deepEqual(await store.sessions.get(id), branch)
    },
  },
  {
    id: 'FRK-41',
    group,
    title: 'a rewind is one change of the session, whose seqs go on and whose activity stays',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), { createSession: { name: 'n', tags: ['t'] } })
      const before = defined(await store.sessions.get('s'))
      const now = clock.advance(10)
      const { session } = await store.sessions.rewind('s', { toSeq: 1 })
      assert.ok(session.changeSeq > before.changeSeq)
      assert.deepEqual(session, {
        ...before,
        version: before.version + 1,
        messageCount: 1,
        preview: 'q1',
        updatedAt: now,
        changeSeq: session.changeSeq,
      })
      await rejects('conflict', 'messages.append', () =>
        store.messages.append('s', [user('late')], { expectedVersion: before.version }),
      )
      assert.equal((await store.messages.append('s', [user('edited')])).firstSeq, 5)
    },
  },
  {
    id: 'FRK-42',
    group,
    title:
      'a branch has the name, owner and data of its session, counts its own messages and begins at version 1',
    needs: ['sessions.rewind', 'sessions.update'],
    async run({ store, clock }) {
      const fields = {
        name: 'n',
        ownerId: 'ana',
        channelType: 'web',
        channelKey: '1',
        parentSessionId: 'p',
        metadata: { a: 1 },
        tags: ['t'],
      }
      await store.messages.append('s', turns(2), { createSession: fields })
      await store.sessions.update('s', { pinned: true, archived: true })
      const now = clock.advance(10)
      const branch = defined((await store.sessions.rewind('s', { toSeq: 1 })).branch)
      assert.deepEqual(branch, {
        id: '20260301_1',
        name: 'n',
        nameSource: 'user',
        type: 'hidden',
        ownerId: 'ana',
        channelType: 'web',
        branchOf: 's',
        extensionData: {},
        metadata: { a: 1 },
        tags: ['t'],
        tokenCounts: { last: {}, accumulated: {} },
        pinned: false,
        createdAt: now,
        updatedAt: now,
        lastActiveAt: now,
        messageCount: 3,
        nextSeq: 5,
        preview: 'a2',
        context: { startSeq: 1 },
        version: 1,
        changeSeq: branch.changeSeq,
      })
    },
  },
  {
    id: 'FRK-43',
    group,
    title: 'a rewind to seq 0 keeps nothing, and what comes next goes on in the same session',
    needs: ['sessions.rewind', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      const { session, branch } = await store.sessions.rewind('s', { toSeq: 0 })
      assert.deepEqual([session.messageCount, session.preview, session.nextSeq], [0, '', 5])
      assert.deepEqual(seqs(await readAll(store, defined(branch).id)), upTo(4))
      await store.messages.append('s', [user('again')])
      assert.deepEqual(seqs(await readAll(store, 's')), [5])
      const { messages } = await restoreConversation(store, 's')
      assert.deepEqual(texts(messages), ['again'])
    },
  },
  {
    id: 'FRK-44',
    group,
    title: 'a rewind with nothing behind it changes nothing and has no branch',
    needs: ['sessions.rewind', 'sessions.list'],
    async run({ store, clock }) {
      await store.messages.append('s', turns(1), create)
      await store.sessions.create({ id: 'empty' })
      clock.advance(10)
      for (const [id, toSeq] of [
        ['s', 2],
        ['s', 1000],
        ['empty', 0],
      ] as const) {
        const before = await store.sessions.get(id)
        assert.deepEqual(await store.sessions.rewind(id, { toSeq }), { session: before })
        assert.deepEqual(await store.sessions.get(id), before)
      }
      assert.deepEqual(await listAll(store, { types: 'all' }), ['empty', 's'])
    },
  },
  {
    id: 'FRK-45',
    group,
    title: 'edit and resend: the agent gets the edited question, the old way is in the branch',
    needs: ['sessions.rewind', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', turns(3), create)
      const [, last] = await readAll(store, 's')
      const { branch } = await store.sessions.rewind('s', { toMessageId: defined(last).id })
      await store.messages.append('s', [user('q2 edited')])
      const restored = await restoreConversation(store, 's')
      assert.deepEqual(texts(restored.messages), ['q1', 'a1', 'q2 edited'])
      const old = await restoreConversation(store, defined(branch).id)
      assert.deepEqual(texts(old.messages), ['q2', 'a2', 'q3', 'a3'])
      assert.equal((await store.sessions.get('s'))?.preview, 'q2 edited')
    },
  },
  {
    id: 'FRK-46',
    group,
    title: 'each rewind makes a branch of its own, which only those see who ask for it',
    needs: ['sessions.rewind', 'sessions.list'],
    async run({ store, clock }) {
      await store.messages.append('s', turns(3), create)
      for (const toSeq of [4, 2]) {
        clock.advance(10)
        await store.sessions.rewind('s', { toSeq })
      }
      assert.deepEqual(await listAll(store), ['s'])
      assert.deepEqual(await listAll(store, { branchOf: 's' }), ['20260301_2', '20260301_1'])
      assert.deepEqual(await listAll(store, { types: ['hidden'] }), ['20260301_2', '20260301_1'])
      assert.deepEqual(seqs(await readAll(store, '20260301_1')), [5, 6])
      assert.deepEqual(seqs(await readAll(store, '20260301_2')), [3, 4])
    },
  },
  {
    id: 'FRK-47',
    group,
    title: 'a branch is written to, rewound and forked like any session',
    needs: ['sessions.rewind', 'sessions.fork', 'sessions.list'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      const { id } = defined((await store.sessions.rewind('s', { toSeq: 2 })).branch)
      assert.equal((await store.messages.append(id, [user('more')])).firstSeq, 5)
      const { branch } = await store.sessions.rewind(id, { toSeq: 4 })
      assert.deepEqual([branch?.branchOf, seqs(await readAll(store, branch?.id ?? ''))], [id, [5]])
      const fork = await store.sessions.fork(id, { id: 'f' })
      assert.deepEqual([fork.type, 'branchOf' in fork, fork.forkedFrom?.sessionId], ['user', false, id])
      assert.deepEqual(texts(await readAll(store, 'f')), ['q2', 'a2'])
      assert.deepEqual(new Set(ids((await store.sessions.list()).items)), new Set(['s', 'f']))
    },
  },
  {
    id: 'FRK-48',
    group,
    title: 'the ids of messages that moved are free, and a retry of their operation stores nothing',
    needs: ['sessions.rewind', 'messages.get'],
    async run({ store }) {
      const batch = [user('a', { id: 'a' }), user('b', { id: 'b' })]
      const options = { createSession: true, operationId: 'op' } as const
      const first = await store.messages.append('s', batch, options)
      const branch = defined((await store.sessions.rewind('s', { toMessageId: 'a' })).branch)
      assert.equal(await store.messages.get('s', 'b'), undefined)
      assert.equal((await store.messages.get(branch.id, 'b'))?.seq, 2)
      assert.deepEqual(await store.messages.append('s', batch, options), {
        ...first,
        messages: first.messages.slice(0, 1),
      })
      const { firstSeq } = await store.messages.append('s', [user('other', { id: 'b' })])
      assert.equal(firstSeq, 3)
      assert.deepEqual(texts(await readAll(store, branch.id)), ['b'])
    },
  },
  {
    id: 'FRK-49',
    group,
    title: 'a rewind to a message the session has not is not-found and moves nothing',
    needs: ['sessions.rewind', 'sessions.remove'],
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      await store.messages.append('other', [user('q', { id: 'of other' })], create)
      const before = await store.sessions.get('s')
      for (const toMessageId of ['unknown', 'of other']) {
        await rejects('not-found', 'sessions.rewind', () => store.sessions.rewind('s', { toMessageId }))
      }
      await rejects('not-found', 'sessions.rewind', () => store.sessions.rewind('unknown', { toSeq: 0 }))
      assert.deepEqual(await store.sessions.get('s'), before)
      await store.sessions.remove('s')
      await rejects('not-found', 'sessions.rewind', () => store.sessions.rewind('s', { toSeq: 0 }))
      assert.equal((await store.sessions.create()).id, '20260301_1')
    },
  },
  {
    id: 'FRK-50',
    group,
    title: 'an option of rewind that is none is invalid and moves nothing',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('q', { id: 'm' }), user('r')], create)
      const before = await store.sessions.get('s')
      const wrong: object[] = [
        {},
        { toSeq: 1, toMessageId: 'm' },
        { toSeq: -1 },
        { toSeq: 0.5 },
        { toSeq: null },
        { toMessageId: '' },
        { toMessageId: '.' },
        { toSeq: 1, id: 'branch' },
      ]
      for (const options of wrong) {
        await rejects('invalid', 'sessions.rewind', () => store.sessions.rewind('s', options))
      }
      await rejects('invalid', 'sessions.rewind', () => store.sessions.rewind('s', undefined as never))
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'FRK-51',
    group,
    title: 'of several rewinds at once to one place one makes the branch, the others find nothing to move',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      const results = await Promise.all(upTo(4).map(() => store.sessions.rewind('s', { toSeq: 2 })))
      assert.equal(results.filter(({ branch }) => branch !== undefined).length, 1)
      assert.deepEqual(seqs(await readAll(store, 's')), [1, 2])
      assert.equal((await store.sessions.get('s'))?.version, 2)
    },
  },
]
