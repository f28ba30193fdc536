// What hangs on a session that is removed: sub-agents, hidden sessions and branches go along, other children stay.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { defined } from '../assertions.ts'
import { startTime } from '../clock.ts'
import { turns } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'sessions'
const needs = ['sessions.remove'] as const

async function timeInTrash(store: SessionStore, id: string): Promise<number | undefined> {
  return defined(await store.sessions.get(id), id).deletedAt
}

export const sessionFamilySpecs: readonly Spec[] = [
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
      for (const id of ['agent', 'live']) {
        await store.sessions.create({ id, type: 'sub_agent', parentSessionId: 'root' })
      }
      await store.messages.append('deep', turns(1), {
        createSession: { type: 'hidden', parentSessionId: 'agent' },
      })
      const child = await store.sessions.create({ id: 'child', parentSessionId: 'root' })
      const grandchild = await store.sessions.create({ id: 'grandchild', parentSessionId: 'agent' })
      const sibling = await store.sessions.create({ id: 'sibling', parentSessionId: 'elsewhere' })
      await store.sessions.remove('agent')
      clock.advance(10)
      await store.sessions.remove('root', { purge: true })
      for (const id of ['root', 'agent', 'live', 'deep']) {
        assert.equal(await store.sessions.get(id), undefined, id)
      }
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
  {
    id: 'SES-76',
    group,
    title: 'sub-agents of another owner never go along and stay as they are, those of nobody do',
    needs,
    async run({ store }) {
      const child = { type: 'sub_agent', parentSessionId: 'root' } as const
      const before = await store.sessions.create({ id: 'older', ...child })
      await store.sessions.create({ id: 'root', ownerId: 'ana' })
      await store.sessions.create({ id: 'hers', ownerId: 'ana', ...child })
      await store.sessions.create({ id: 'nobody’s', ...child })
      const his = await store.sessions.create({ id: 'his', ownerId: 'ben', ...child })
      await store.sessions.remove('root')
      for (const id of ['hers', 'nobody’s']) assert.equal(await timeInTrash(store, id), startTime, id)
      assert.deepEqual(await store.sessions.get('his'), his)
      await store.sessions.remove('root', { purge: true })
      assert.equal(await store.sessions.get('hers'), undefined)
      // Nobody’s belongs to a session that was there before it.
      assert.deepEqual(await store.sessions.get('older'), before)
      assert.deepEqual(await store.sessions.get('his'), his)
    },
  },
]
