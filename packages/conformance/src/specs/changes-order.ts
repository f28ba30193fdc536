// Following the feed: pages, tokens that are none, two handles, and opening again.

import assert from 'node:assert/strict'
import type { SessionChange, SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'changes'
const create = { createSession: true } as const
const needs = ['changes.since'] as const

/** Follows the feed from a token (or the beginning) until nothing is left. */
async function follow(
  store: SessionStore,
  limit: number,
  between?: () => Promise<unknown>,
  from?: string,
): Promise<{ readonly changes: SessionChange[]; readonly token: string }> {
  const found: SessionChange[] = []
  let token = from
  for (;;) {
    const page = await store.changes.since(token, limit)
    assert.ok(page.changes.length <= limit, 'a page is longer than its limit')
    found.push(...page.changes)
    token = page.token
    if (page.changes.length === 0) return { changes: found, token }
    await between?.()
  }
}

function assertGrowing(changes: readonly SessionChange[]): void {
  const numbers = changes.map(({ changeSeq }) => changeSeq)
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((a, b) => a - b),
  )
}

export const changeOrderSpecs: readonly Spec[] = [
  {
    id: 'CHG-20',
    group,
    title: 'pages follow each other by their tokens without loss or repeat, removals among them',
    needs: ['changes.since', 'sessions.remove'],
    async run({ store }) {
      for (const number of upTo(12)) await store.sessions.create({ id: `s${number}` })
      for (const number of [2, 5, 11]) await store.sessions.remove(`s${number}`, { purge: true })
      await store.messages.append('s1', [user('q')])
      const whole = (await store.changes.since(undefined, 1000)).changes
      assert.equal(whole.length, 12)
      assert.deepEqual(
        whole.slice(-4).map(({ sessionId, removed }) => [sessionId, removed]),
        [
          ['s2', true],
          ['s5', true],
          ['s11', true],
          ['s1', false],
        ],
      )
      for (const limit of [1, 5, 12]) {
        const { changes } = await follow(store, limit)
        assert.deepEqual(changes, whole)
        assertGrowing(changes)
      }
    },
  },
  {
    id: 'CHG-21',
    group,
    title: 'a session that changes between pages comes once more, later, and none is lost',
    needs,
    async run({ store }) {
      for (const number of upTo(8)) await store.sessions.create({ id: `s${number}` })
      const touched = ['s1', 's8', 'new']
      const { changes, token } = await follow(store, 3, async () => {
        const id = touched.shift()
        if (id !== undefined) await store.messages.append(id, [user('q')], create)
      })
      assertGrowing(changes)
      const latest = new Map(changes.map((change) => [change.sessionId, change]))
      assert.equal(latest.size, 9)
      for (const [id, { changeSeq, version }] of latest) {
        const session = defined(await store.sessions.get(id))
        assert.deepEqual([changeSeq, version], [session.changeSeq, session.version], id)
      }
      assert.deepEqual((await store.changes.since(token)).changes, [])
    },
  },
  {
    id: 'CHG-22',
    group,
    title: 'a page holds 50 unless asked for 1 to 1,000',
    needs,
    async run({ store }) {
      for (const number of upTo(51)) await store.sessions.create({ id: `s${number}` })
      const { changes, token } = await store.changes.since()
      assert.equal(changes.length, 50)
      assert.deepEqual(
        (await store.changes.since(token)).changes.map(({ sessionId }) => sessionId),
        ['s51'],
      )
      assert.equal((await store.changes.since(undefined, 1000)).changes.length, 51)
      for (const limit of [0, 1001, 1.5, -1, '1']) {
        await rejects('invalid', 'changes.since', () => store.changes.since(undefined, limit as number))
      }
    },
  },
  {
    id: 'CHG-23',
    group,
    title: 'reading the feed changes nothing, and one token can be used again',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(1), create)
      const before = await store.sessions.get('s')
      clock.advance(10)
      const { token } = await store.changes.since('now')
      await store.messages.append('t', turns(1), create)
      const first = await store.changes.since(token)
      assert.deepEqual(await store.changes.since(token), first)
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'CHG-24',
    group,
    title: 'a token that is none, a page’s cursor or ahead of the store is invalid-cursor',
    needs: ['changes.since', 'sessions.list'],
    async run({ store, another }) {
      for (const id of ['a', 'b']) await store.sessions.create({ id })
      const foreign = defined((await store.sessions.list({ limit: 1 })).nextCursor)
      const { token } = await store.changes.since()
      const damaged = [...token].reverse().join('')
      for (const wrong of ['x', '', 'NOW', foreign, damaged, token.slice(1)]) {
        await rejects('invalid-cursor', 'changes.since', () => store.changes.since(wrong))
      }
      const other = await another()
      await other.sessions.create({ id: 'a' })
      await rejects('invalid-cursor', 'changes.since', () => other.changes.since(token))
      await rejects('invalid', 'changes.since', () => store.changes.since(5 as never))
    },
  },
  {
    id: 'CHG-25',
    group,
    title: 'what one handle changes is in the feed of the other',
    needs: ['changes.since', 'sessions.remove'],
    needsHandle: ['peer'],
    async run({ store, peer }) {
      const other = await peer()
      await store.messages.append('a', turns(1), create)
      const { changes, token } = await other.changes.since()
      assert.deepEqual(
        changes.map(({ sessionId }) => sessionId),
        ['a'],
      )
      await store.sessions.create({ id: 'b' })
      await other.sessions.create({ id: 'c' })
      await store.sessions.remove('a', { purge: true })
      for (const handle of [store, other]) {
        const seen = (await handle.changes.since(token)).changes
        assert.deepEqual(
          seen.map(({ sessionId, removed }) => [sessionId, removed]),
          [
            ['b', false],
            ['c', false],
            ['a', true],
          ],
        )
      }
    },
  },
  {
    id: 'CHG-26',
    group,
    title: 'while both handles write, a reader of the feed misses nothing',
    needs,
    needsHandle: ['peer'],
    async run({ store, peer }) {
      const other = await peer()
      for (const number of upTo(10)) await store.sessions.create({ id: `s${number}` })
      const writes = Promise.all(
        upTo(10).map((number) => (number % 2 ? store : other).messages.append(`s${number}`, [user('q')])),
      )
      const [first] = await Promise.all([follow(other, 3), writes])
      const rest = await follow(other, 3, undefined, first.token)
      const latest = new Map([...first.changes, ...rest.changes].map((change) => [change.sessionId, change]))
      assert.equal(latest.size, 10)
      for (const { lastSeq, version } of latest.values()) assert.deepEqual([lastSeq, version], [1, 2])
    },
  },
]
