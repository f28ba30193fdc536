// What a list can be asked for beside kinds: owners, places, tags, metadata, names, ids, times. Filters take text as it
// is: no wildcard, no path, no other case than the name's folding allows.

import assert from 'node:assert/strict'
import type { SessionQuery, SessionStore } from '@sess/core'
import { rejects } from '../assertions.ts'
import { startTime } from '../clock.ts'
import { listAll, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'lists'
const needs = ['sessions.list'] as const

/** The ids of a list, oldest first. */
function found(store: SessionStore, query: SessionQuery): Promise<string[]> {
  return listAll(store, { order: 'asc', ...query })
}

export const listFilterSpecs: readonly Spec[] = [
  {
    id: 'LST-60',
    group,
    title: "an owner's list has that owner's sessions; the empty owner's has nobody's",
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 'ada', ownerId: 'ada' })
      await store.sessions.create({ id: 'nobody' })
      await store.sessions.create({ id: 'ADA', ownerId: 'ADA' })
      assert.deepEqual(await found(store, { ownerId: 'ada' }), ['ada'])
      assert.deepEqual(await found(store, { ownerId: '' }), ['nobody'])
      assert.deepEqual(await found(store, {}), ['ada', 'nobody', 'ADA'])
    },
  },
  {
    id: 'LST-61',
    group,
    title: 'working directory, channel and chat are compared whole',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 'a', workingDir: '/w', channelType: 'cli', channelKey: '1' })
      await store.sessions.create({ id: 'b', workingDir: '/w/x', channelType: 'cli', channelKey: '01' })
      await store.sessions.create({ id: 'c', workingDir: '/W', channelType: 'telegram', channelKey: '1' })
      await store.sessions.create({ id: 'none' })
      assert.deepEqual(await found(store, { workingDir: '/w' }), ['a'])
      assert.deepEqual(await found(store, { channelType: 'cli' }), ['a', 'b'])
      assert.deepEqual(await found(store, { channelKey: '1' }), ['a', 'c'])
      assert.deepEqual(await found(store, { channelType: 'cli', channelKey: '1' }), ['a'])
      assert.deepEqual(await found(store, { workingDir: '' }), [])
    },
  },
  {
    id: 'LST-62',
    group,
    title: 'all tags asked for must be there',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      await store.sessions.create({ id: 'a', tags: ['x', 'y', 'z'] })
      await store.sessions.create({ id: 'b', tags: ['x'] })
      await store.sessions.create({ id: 'c', tags: ['X', 'xy'] })
      assert.deepEqual(await found(store, { tags: ['x'] }), ['a', 'b'])
      assert.deepEqual(await found(store, { tags: ['y', 'x'] }), ['a'])
      assert.deepEqual(await found(store, { tags: ['x', 'x'] }), ['a', 'b'])
      assert.deepEqual(await found(store, { tags: [] }), ['a', 'b', 'c'])
      assert.deepEqual(await found(store, { tags: ['x', 'unknown'] }), [])
      await store.sessions.update('b', { tags: ['new'] })
      assert.deepEqual(await found(store, { tags: ['x'] }), ['a'])
      assert.deepEqual(await found(store, { tags: ['new'] }), ['b'])
    },
  },
  {
    id: 'LST-63',
    group,
    title: 'metadata is compared by value and kind: 1 is not true, nor "1", and null is a key that is there',
    needs,
    async run({ store }) {
      const values = {
        one: 1,
        true: true,
        text: '1',
        null: null,
        empty: '',
        list: [1],
        zero: 0,
        false: false,
      }
      for (const [id, k] of Object.entries(values)) await store.sessions.create({ id, metadata: { k } })
      await store.sessions.create({ id: 'absent', metadata: { other: 1 } })
      await store.sessions.create({ id: 'deep', metadata: { other: { k: 1 } } })
      for (const k of [1, true, '1', null, '', 0, false]) {
        const expected = Object.entries(values).flatMap(([id, value]) => (value === k ? [id] : []))
        assert.deepEqual(await found(store, { metadata: { k } }), expected, JSON.stringify(k))
      }
      assert.deepEqual(await found(store, { metadata: { k: '[1]' } }), [])
      assert.equal((await found(store, { metadata: {} })).length, 10)
    },
  },
  {
    id: 'LST-64',
    group,
    title: 'a metadata key is taken as it is, not as a path or a pattern',
    needs,
    async run({ store }) {
      const keys = ['a.b', 'a b', 'q"q', "it's", '$', '$.a', 'a[0]', '', '#', '%', '\\', 'ключ', '__proto__']
      for (const key of keys) {
        const metadata: unknown = JSON.parse(`{${JSON.stringify(key)}:"yes"}`)
        await store.sessions.create({ id: `key ${key}`, metadata: metadata as object })
      }
      await store.sessions.create({ id: 'nested', metadata: { a: { b: 'yes', 0: 'yes' } } })
      for (const key of keys) {
        const metadata: unknown = JSON.parse(`{${JSON.stringify(key)}:"yes"}`)
        assert.deepEqual(await found(store, { metadata } as SessionQuery), [`key ${key}`])
      }
    },
  },
  {
    id: 'LST-65',
    group,
    title: 'metadata conditions must all hold and follow an update',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      await store.sessions.create({ id: 'a', metadata: { x: 1, y: 'two' } })
      await store.sessions.create({ id: 'b', metadata: { x: 1 } })
      assert.deepEqual(await found(store, { metadata: { x: 1, y: 'two' } }), ['a'])
      await store.sessions.update('b', { metadata: { y: 'two', x: 1 } })
      assert.deepEqual(await found(store, { metadata: { x: 1, y: 'two' } }), ['a', 'b'])
    },
  },
  {
    id: 'LST-66',
    group,
    title: 'nameContains looks in the folded name, anywhere in it',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      await store.sessions.create({ id: 'street', name: 'Die STRASSE im Café' })
      await store.sessions.create({ id: 'plan', name: '旅行の計画' })
      const asked: [string, string[]][] = [
        ['straße', ['street']],
        ['cafe', ['street']],
        ['CAFÉ', ['street']],
        ['ﬁ', []],
        ['ｃａｆｅ', ['street']],
        ['im c', ['street']],
        ['計画', ['plan']],
        ['', ['street', 'plan']],
        ['other', []],
      ]
      for (const [nameContains, expected] of asked) {
        assert.deepEqual(await found(store, { nameContains }), expected, nameContains)
      }
      await store.sessions.update('plan', { name: 'Other' })
      assert.deepEqual(await found(store, { nameContains: '計画' }), [])
      assert.deepEqual(await found(store, { nameContains: 'OTHER' }), ['plan'])
    },
  },
  {
    id: 'LST-67',
    group,
    title: 'nameContains has no wildcards',
    needs,
    async run({ store }) {
      const names = ['50% off', '500 off', 'a_b', 'axb', 'a*b', 'back\\slash', "it's", 'q"q', '[a-z]']
      for (const name of names) await store.sessions.create({ id: name, name })
      for (const name of ['50%', 'a_b', 'a*b', '\\', "'", '"', '[a-z]']) {
        assert.deepEqual(
          await found(store, { nameContains: name }),
          names.filter((other) => other.includes(name)),
          name,
        )
      }
    },
  },
  {
    id: 'LST-68',
    group,
    title: 'idPrefix is compared by code unit and has no wildcards',
    needs,
    async run({ store }) {
      const ids = ['20260301_1', '20260301x1', 'A1', 'a1', 'a%', 'a*b', 'a[x]', '会话1', '会话']
      for (const id of ids) await store.sessions.create({ id })
      for (const idPrefix of ['20260301_', '2026', 'A', 'a', 'a%', 'a*', 'a[', '会话', '会话1', 'x', '']) {
        assert.deepEqual(
          await found(store, { idPrefix }),
          ids.filter((id) => id.startsWith(idPrefix)),
          idPrefix,
        )
      }
    },
  },
  {
    id: 'LST-69',
    group,
    title: 'since is included and until is not, of the time the list sorts by',
    needs,
    async run({ store, clock }) {
      for (const id of ['a', 'b', 'c']) {
        await store.sessions.create({ id })
        clock.advance(10)
      }
      clock.advance(70)
      await store.messages.append('a', [user('q')])
      const [t0, t1, t2, late] = [startTime, startTime + 10, startTime + 20, startTime + 100]
      assert.deepEqual(await found(store, { since: t1, until: t2 }), ['b'])
      assert.deepEqual(await found(store, { since: t1 }), ['b', 'c', 'a'])
      assert.deepEqual(await found(store, { since: late }), ['a'])
      assert.deepEqual(await found(store, { until: late }), ['b', 'c'])
      assert.deepEqual(await found(store, { sort: 'created', since: t0, until: t2 }), ['a', 'b'])
      assert.deepEqual(await found(store, { sort: 'created', until: t0 }), [])
      assert.deepEqual(await found(store, { since: t2, until: t1 }), [])
    },
  },
  {
    id: 'LST-70',
    group,
    title: 'an imported session is found by its source',
    needs: ['sessions.list', 'sessions.import'],
    async run({ store }) {
      for (const [agent, sessionId] of [
        ['goose', '1'],
        ['goose', '2'],
        ['codex', '1'],
      ] as const) {
        const source = { agent, sessionId, digest: '' }
        await store.sessions.import({ id: `${agent}-${sessionId}`, source }, [])
      }
      await store.sessions.create({ id: 'own' })
      assert.deepEqual(await found(store, { sourceAgent: 'goose' }), ['goose-1', 'goose-2'])
      assert.deepEqual(await found(store, { sourceSessionId: '1' }), ['goose-1', 'codex-1'])
      assert.deepEqual(await found(store, { sourceAgent: 'codex', sourceSessionId: '1' }), ['codex-1'])
    },
  },
  {
    id: 'LST-71',
    group,
    title: 'all conditions must hold together',
    needs,
    async run({ store }) {
      const match = { ownerId: 'o', tags: ['t'], metadata: { k: 1 }, name: 'Name', channelType: 'cli' }
      await store.sessions.create({ id: 'match', ...match })
      for (const [key, value] of Object.entries({ ownerId: 'x', tags: [], metadata: {}, name: 'x' })) {
        await store.sessions.create({ id: `not-${key}`, ...match, [key]: value })
      }
      const query = {
        ownerId: 'o',
        tags: ['t'],
        metadata: { k: 1 },
        nameContains: 'name',
        channelType: 'cli',
      }
      assert.deepEqual(await found(store, query), ['match'])
    },
  },
  {
    id: 'LST-72',
    group,
    title: 'a query that breaks a rule is invalid',
    needs,
    async run({ store }) {
      const wrong: object[] = [
        { types: ['robot'] },
        { types: 'user' },
        { sort: 'name' },
        { order: 'up' },
        { archived: 'yes' },
        { pinned: 1 },
        { metadata: { k: {} } },
        { metadata: { k: [1] } },
        { metadata: ['k'] },
        { since: 1.5 },
        { until: new Date(0) },
        { tags: 'x' },
        { colour: 'red' },
      ]
      for (const query of wrong) {
        await rejects('invalid', 'sessions.list', () => store.sessions.list(query as SessionQuery))
      }
    },
  },
]
