// Which sessions a list shows by their kind: type, parent, archive, trash, pin.

import assert from 'node:assert/strict'
import { type SessionQuery, type SessionStore, sessionTypes } from '@sess/core'
import { rejects } from '../assertions.ts'
import { ids, listAll } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'lists'
const needs = ['sessions.list'] as const

/** The ids of a list in alphabetical order. */
async function shown(store: SessionStore, query: SessionQuery = {}): Promise<string[]> {
  return (await listAll(store, query)).sort()
}

export const listShownSpecs: readonly Spec[] = [
  {
    id: 'LST-40',
    group,
    title: 'a plain list shows user, scheduled, terminal, gateway and acp',
    needs,
    async run({ store }) {
      for (const type of sessionTypes) await store.sessions.create({ id: type, type })
      assert.deepEqual(await shown(store), ['acp', 'gateway', 'scheduled', 'terminal', 'user'])
    },
  },
  {
    id: 'LST-41',
    group,
    title: 'types asked for are shown and no others, all of them for "all", none for none',
    needs,
    async run({ store }) {
      for (const type of sessionTypes) await store.sessions.create({ id: type, type })
      assert.deepEqual(await shown(store, { types: 'all' }), [...sessionTypes].sort())
      assert.deepEqual(await shown(store, { types: ['sub_agent', 'acp'] }), ['acp', 'sub_agent'])
      assert.deepEqual(await shown(store, { types: ['acp', 'acp'] }), ['acp'])
      for (const type of sessionTypes) assert.deepEqual(await shown(store, { types: [type] }), [type])
      assert.deepEqual(await shown(store, { types: [] }), [])
    },
  },
  {
    id: 'LST-42',
    group,
    title: 'a list under a parent shows its sub-agents and not its hidden sessions',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 'parent' })
      for (const type of sessionTypes) {
        await store.sessions.create({ id: `of-parent-${type}`, type, parentSessionId: 'parent' })
        await store.sessions.create({ id: `of-other-${type}`, type, parentSessionId: 'other' })
      }
      const visible = sessionTypes.filter((type) => type !== 'hidden').sort()
      assert.deepEqual(
        await shown(store, { parentSessionId: 'parent' }),
        visible.map((type) => `of-parent-${type}`),
      )
      const hidden: SessionQuery = { parentSessionId: 'parent', types: ['hidden'] }
      assert.deepEqual(await shown(store, hidden), ['of-parent-hidden'])
    },
  },
  {
    id: 'LST-43',
    group,
    title: 'a list of the branches of a session shows them',
    needs: ['sessions.list', 'sessions.import'],
    async run({ store }) {
      await store.sessions.create({ id: 'root' })
      await store.sessions.import({ id: 'branch', type: 'hidden', branchOf: 'root' }, [])
      await store.sessions.import({ id: 'other', type: 'hidden', branchOf: 'elsewhere' }, [])
      assert.deepEqual(await shown(store), ['root'])
      assert.deepEqual(await shown(store, { branchOf: 'root' }), ['branch'])
    },
  },
  {
    id: 'LST-44',
    group,
    title: 'archived sessions are shown when asked for, alone or beside the others',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      for (const id of ['a', 'b', 'c']) await store.sessions.create({ id })
      await store.sessions.update('b', { archived: true })
      assert.deepEqual(await shown(store), ['a', 'c'])
      assert.deepEqual(await shown(store, { archived: false }), ['a', 'c'])
      assert.deepEqual(await shown(store, { archived: true }), ['b'])
      assert.deepEqual(await shown(store, { archived: 'any' }), ['a', 'b', 'c'])
      await store.sessions.update('b', { archived: false })
      assert.deepEqual(await shown(store), ['a', 'b', 'c'])
    },
  },
  {
    id: 'LST-45',
    group,
    title: 'sessions in the trash are shown when asked for, alone or beside the others',
    needs: ['sessions.list', 'sessions.remove'],
    async run({ store }) {
      for (const id of ['a', 'b', 'c']) await store.sessions.create({ id })
      await store.sessions.remove('b')
      assert.deepEqual(await shown(store), ['a', 'c'])
      assert.deepEqual(await shown(store, { deleted: false }), ['a', 'c'])
      assert.deepEqual(await shown(store, { deleted: true }), ['b'])
      assert.deepEqual(await shown(store, { deleted: 'any' }), ['a', 'b', 'c'])
      await store.sessions.remove('b', { purge: true })
      assert.deepEqual(await shown(store, { deleted: 'any' }), ['a', 'c'])
    },
  },
  {
    id: 'LST-46',
    group,
    title: 'archive and trash are asked for apart: an archived session in the trash needs both',
    needs: ['sessions.list', 'sessions.remove', 'sessions.update'],
    async run({ store }) {
      await store.sessions.create({ id: 'both' })
      await store.sessions.update('both', { archived: true })
      await store.sessions.remove('both')
      assert.deepEqual(await shown(store, { archived: true }), [])
      assert.deepEqual(await shown(store, { deleted: true }), [])
      assert.deepEqual(await shown(store, { archived: true, deleted: true }), ['both'])
      assert.deepEqual(await shown(store, { archived: 'any', deleted: 'any' }), ['both'])
    },
  },
  {
    id: 'LST-47',
    group,
    title: 'pinned takes pinned sessions or all others',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      for (const id of ['a', 'b']) await store.sessions.create({ id })
      await store.sessions.update('b', { pinned: true })
      assert.deepEqual(await shown(store, { pinned: true }), ['b'])
      assert.deepEqual(await shown(store, { pinned: false }), ['a'])
      await store.sessions.update('b', { pinned: false })
      assert.deepEqual(await shown(store, { pinned: true }), [])
    },
  },
  {
    id: 'LST-48',
    group,
    title: 'a session that becomes hidden leaves plain lists and can still be read by its id',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      for (const id of ['a', 'b']) await store.sessions.create({ id })
      const hidden = await store.sessions.update('b', { type: 'hidden' })
      assert.deepEqual(await shown(store), ['a'])
      assert.deepEqual(await store.sessions.get('b'), hidden)
    },
  },
  {
    id: 'LST-49',
    group,
    title: 'withMessages takes sessions that have messages, or those that have none',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 'empty' })
      await store.messages.append('full', [{ role: 'user', content: 'q' }], { createSession: true })
      assert.deepEqual(await shown(store, { withMessages: true }), ['full'])
      assert.deepEqual(await shown(store, { withMessages: false }), ['empty'])
      assert.deepEqual(await shown(store), ['empty', 'full'])
    },
  },
  {
    id: 'LST-50',
    group,
    title:
      'half of a surrogate pair is no text to look for, and more tags than a session has are not looked for',
    needs,
    async run({ store }) {
      const replaced = '\ufffd'
      await store.sessions.create({
        id: replaced,
        name: replaced,
        ownerId: replaced,
        workingDir: replaced,
        tags: [replaced],
        metadata: { [replaced]: replaced },
      })
      const half = '\ud800'
      const wrong: SessionQuery[] = [
        { ownerId: half },
        { workingDir: half },
        { tags: [half] },
        { idPrefix: half },
        { nameContains: half },
        { threadId: half },
        { metadata: { [half]: replaced } },
        { metadata: { [replaced]: half } },
        { tags: Array.from({ length: 1200 }, (_, index) => `${index}`) },
        { metadata: Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`${index}`, 1])) },
      ]
      for (const query of wrong) {
        const error = await rejects('invalid', 'sessions.list', () => store.sessions.list(query))
        assert.ok(error.message.startsWith(`query.${Object.keys(query)[0]}`), error.message)
      }
      const many = Array.from({ length: 100 }, (_, index) => `${index}`)
      const metadata = Object.fromEntries(many.map((key) => [key, key]))
      await store.sessions.create({ id: 'many', tags: many, metadata })
      const query = { types: 'all', archived: 'any', tags: many, metadata } as const
      assert.deepEqual(ids((await store.sessions.list(query)).items), ['many'])
    },
  },
]
