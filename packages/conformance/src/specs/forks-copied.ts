// What of a session a fork takes along, and what it does not.

import assert from 'node:assert/strict'
import type { NewSession, Session } from '@sess/core'
import { defined } from '../assertions.ts'
import { ids, readAll, texts, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'forks'
const create = { createSession: true } as const
const needs = ['sessions.fork'] as const

const full: NewSession = {
  id: 's',
  name: 'n',
  type: 'gateway',
  ownerId: 'ana',
  workingDir: '/work',
  channelType: 'telegram',
  channelKey: '42',
  parentSessionId: 'p',
  providerName: 'anthropic',
  modelConfig: { model: 'm', deep: [1] },
  mode: 'auto',
  extensionData: { todo: ['a'] },
  metadata: { z: 1, a: null },
  tags: ['b', 'a'],
}

export const forkCopySpecs: readonly Spec[] = [
  {
    id: 'FRK-20',
    group,
    title: 'a fork has the type, owner, place, channel, model, mode, data and tags of its source',
    needs,
    async run({ store, clock }) {
      await store.sessions.create(full)
      const now = clock.advance(10)
      const fork = await store.sessions.fork('s', { id: 'f' })
      const expected: Session = {
        id: 'f',
        name: 'n (copy)',
        nameSource: 'user',
        type: 'gateway',
        ownerId: 'ana',
        workingDir: '/work',
        channelType: 'telegram',
        forkedFrom: { sessionId: 's', seq: 0 },
        providerName: 'anthropic',
        modelConfig: { model: 'm', deep: [1] },
        mode: 'auto',
        extensionData: { todo: ['a'] },
        metadata: { z: 1, a: null },
        tags: ['a', 'b'],
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
        changeSeq: fork.changeSeq,
      }
      assert.deepEqual(fork, expected)
      assert.deepEqual(await store.sessions.get('f'), fork)
    },
  },
  {
    id: 'FRK-21',
    group,
    title: 'the chat, the parent, the pin and the archive of a session are not copied',
    needs: ['sessions.fork', 'sessions.update'],
    async run({ store }) {
      await store.sessions.create(full)
      await store.sessions.update('s', { pinned: true, archived: true })
      const fork = await store.sessions.fork('s')
      assert.equal(fork.pinned, false)
      for (const field of ['channelKey', 'parentSessionId', 'archivedAt', 'deletedAt']) {
        assert.equal(field in fork, false, field)
      }
    },
  },
  {
    id: 'FRK-22',
    group,
    title: 'the source of an imported session is not copied: it is imported again into that session alone',
    needs: ['sessions.fork', 'sessions.import'],
    async run({ store }) {
      const source = { agent: 'other', sessionId: 'o', digest: '' }
      const { session } = await store.sessions.import({ id: 's', source }, turns(1))
      const fork = await store.sessions.fork('s')
      assert.equal('source' in fork, false)
      const again = await store.sessions.import({ source: defined(session.source) }, turns(2))
      assert.deepEqual([again.session.id, again.outcome, again.added], ['s', 'updated', 2])
      assert.equal((await store.sessions.get(fork.id))?.messageCount, 2)
    },
  },
  {
    id: 'FRK-23',
    group,
    title: 'a fork of a sub-agent’s or hidden session is a user’s',
    needs,
    async run({ store }) {
      for (const type of ['sub_agent', 'hidden'] as const) {
        await store.sessions.create({ id: type, type, parentSessionId: 'p' })
        assert.equal((await store.sessions.fork(type)).type, 'user')
      }
      for (const type of ['user', 'scheduled', 'terminal', 'acp'] as const) {
        await store.sessions.create({ id: type, type })
        assert.equal((await store.sessions.fork(type)).type, type)
      }
    },
  },
  {
    id: 'FRK-24',
    group,
    title: 'the name of a fork is given and then the user’s, or that of its source with a suffix',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      await store.sessions.create({ id: 'named', name: '会话 1' })
      const names = async (id: string, name?: string) => {
        const fork = await store.sessions.fork(id, name === undefined ? {} : { name })
        return [fork.name, fork.nameSource]
      }
      assert.deepEqual(await names('s'), ['New session (copy)', 'default'])
      assert.deepEqual(await names('named'), ['会话 1 (copy)', 'user'])
      assert.deepEqual(await names('s', 'mine'), ['mine', 'user'])
      const fork = await store.sessions.fork('named')
      assert.deepEqual(await names(fork.id), ['会话 1 (copy) (copy)', 'user'])
    },
  },
  {
    id: 'FRK-25',
    group,
    title: 'the suffix follows the locale',
    needs,
    options: { locale: 'zh' },
    async run({ store }) {
      await store.sessions.create({ id: 's', name: 'n' })
      assert.equal((await store.sessions.fork('s')).name, 'n (副本)')
    },
  },
  {
    id: 'FRK-26',
    group,
    title: 'a long name is cut by code points so that the suffix has room in its 500',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's', name: '😀'.repeat(500) })
      const { name } = await store.sessions.fork('s')
      assert.equal(name, `${'😀'.repeat(493)} (copy)`)
      assert.equal([...name].length, 500)
    },
  },
  {
    id: 'FRK-27',
    group,
    title: 'a fork is a session like any other: listed, named, forked again',
    needs: ['sessions.fork', 'sessions.list', 'sessions.update'],
    async run({ store, clock }) {
      await store.messages.append('s', turns(1), create)
      clock.advance(10)
      await store.sessions.fork('s', { id: 'f' })
      clock.advance(10)
      await store.sessions.update('f', { name: 'mine' })
      const second = await store.sessions.fork('f', { id: 'g' })
      assert.deepEqual(second.forkedFrom, { sessionId: 'f', seq: 2 })
      assert.deepEqual(
        (await readAll(store, 'g')).map(({ id }) => id),
        ['g:1', 'g:2'],
      )
      assert.deepEqual(ids((await store.sessions.list()).items), ['g', 'f', 's'])
    },
  },
  {
    id: 'FRK-28',
    group,
    title: 'an operation of the source is unknown to its fork',
    needs,
    async run({ store }) {
      const options = { createSession: true, operationId: 'op' } as const
      await store.messages.append('s', [user('a')], options)
      await store.sessions.fork('s', { id: 'f' })
      const { firstSeq } = await store.messages.append('f', [user('b')], { operationId: 'op' })
      assert.equal(firstSeq, 2)
      assert.deepEqual(texts(await readAll(store, 'f')), ['a', 'b'])
    },
  },
  {
    id: 'FRK-29',
    group,
    title: 'a session in the trash can be forked: the copy is not there, and outlives it',
    needs: ['sessions.fork', 'sessions.remove'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      await store.sessions.remove('s')
      const fork = await store.sessions.fork('s')
      assert.equal('deletedAt' in fork, false)
      await store.sessions.remove('s', { purge: true })
      assert.deepEqual(
        (await readAll(store, fork.id)).map(({ seq }) => seq),
        upTo(4),
      )
      assert.deepEqual((await store.sessions.get(fork.id))?.forkedFrom, { sessionId: 's', seq: 4 })
    },
  },
]
