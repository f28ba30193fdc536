// What calls of models cost: the last one and the sum of all, per session.

import assert from 'node:assert/strict'
import { defined, rejects } from '../assertions.ts'
import { turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'usage'
const create = { createSession: true } as const
const needs = ['sessions.addUsage'] as const

export const usageSpecs: readonly Spec[] = [
  {
    id: 'USG-01',
    group,
    title: 'usage is the last call’s, and is added to what all calls together cost, count by count',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const first = { input: 10, output: 5, total: 15, cacheRead: 3, cacheWrite: 2, cost: 0.25 }
      const { tokenCounts } = await store.sessions.addUsage('s', first)
      assert.deepEqual(tokenCounts, { last: first, accumulated: first })
      const second = await store.sessions.addUsage('s', { input: 1, output: 0, cost: 0.5 })
      assert.deepEqual(second.tokenCounts, {
        last: { input: 1, output: 0, cost: 0.5 },
        accumulated: { input: 11, output: 5, total: 15, cacheRead: 3, cacheWrite: 2, cost: 0.75 },
      })
      assert.deepEqual(await store.sessions.get('s'), second)
    },
  },
  {
    id: 'USG-02',
    group,
    title: 'a count that no call gave is not there',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      await store.sessions.addUsage('s', { input: 1 })
      const { tokenCounts } = await store.sessions.addUsage('s', { output: 2 })
      assert.deepEqual(tokenCounts, { last: { output: 2 }, accumulated: { input: 1, output: 2 } })
      const none = await store.sessions.addUsage('s', {})
      assert.deepEqual(none.tokenCounts, { last: {}, accumulated: { input: 1, output: 2 } })
    },
  },
  {
    id: 'USG-03',
    group,
    title: 'usage touches neither version nor activity, and a compare-and-append goes on',
    needs,
    async run({ store, clock }) {
      const { version } = await store.messages.append('s', turns(1), create)
      const before = defined(await store.sessions.get('s'))
      const now = clock.advance(10)
      const after = await store.sessions.addUsage('s', { input: 1 })
      assert.ok(after.changeSeq > before.changeSeq)
      const tokenCounts = { last: { input: 1 }, accumulated: { input: 1 } }
      assert.deepEqual(after, { ...before, tokenCounts, updatedAt: now, changeSeq: after.changeSeq })
      await store.messages.append('s', [user('q')], { expectedVersion: version })
    },
  },
  {
    id: 'USG-04',
    group,
    title: 'who was called, when and for which message is no count',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const event = { provider: 'p', model: 'm', messageId: 'x', at: 5, kind: 'naming' }
      const { tokenCounts } = await store.sessions.addUsage('s', { input: 1, ...event })
      assert.deepEqual(tokenCounts, { last: { input: 1 }, accumulated: { input: 1 } })
    },
  },
  {
    id: 'USG-05',
    group,
    title: 'a usage that is none is invalid and adds nothing',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const before = await store.sessions.addUsage('s', { input: 1 })
      const wrong: unknown[] = [
        undefined,
        5,
        { input: -1 },
        { input: '1' },
        { output: Number.NaN },
        { total: Number.POSITIVE_INFINITY },
        { cacheRead: null },
        { input: 1, at: 'now' },
        { input: 1, model: 5 },
      ]
      for (const usage of wrong) {
        await rejects('invalid', 'sessions.addUsage', () => store.sessions.addUsage('s', usage as object))
      }
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'USG-06',
    group,
    title: 'twenty calls at once are all counted',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      await Promise.all(upTo(20).map((input) => store.sessions.addUsage('s', { input, output: 1 })))
      const { accumulated } = defined(await store.sessions.get('s')).tokenCounts
      assert.deepEqual(accumulated, { input: 210, output: 20 })
    },
  },
  {
    id: 'USG-07',
    group,
    title: 'a fork and a branch begin at zero, so that nothing is counted twice',
    needs: ['sessions.addUsage', 'sessions.fork', 'sessions.rewind'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      const { tokenCounts } = await store.sessions.addUsage('s', { input: 1 })
      const zero = { last: {}, accumulated: {} }
      assert.deepEqual((await store.sessions.fork('s')).tokenCounts, zero)
      const { session, branch } = await store.sessions.rewind('s', { toSeq: 2 })
      assert.deepEqual([session.tokenCounts, branch?.tokenCounts], [tokenCounts, zero])
    },
  },
  {
    id: 'USG-08',
    group,
    title: 'what an import brings along is added to',
    needs: ['sessions.addUsage', 'sessions.import'],
    async run({ store }) {
      const tokenCounts = { last: { input: 2 }, accumulated: { input: 40, cost: 1.5 } }
      await store.sessions.import({ id: 's', tokenCounts }, turns(1))
      const after = await store.sessions.addUsage('s', { input: 1, output: 3 })
      assert.deepEqual(after.tokenCounts, {
        last: { input: 1, output: 3 },
        accumulated: { input: 41, cost: 1.5, output: 3 },
      })
    },
  },
  {
    id: 'USG-09',
    group,
    title: 'usage outlives the messages it was for',
    needs: ['sessions.addUsage', 'messages.clear', 'messages.replace'],
    async run({ store }) {
      const { messages } = await store.messages.append('s', turns(1), create)
      const messageId = defined(messages[1]).id
      const { tokenCounts } = await store.sessions.addUsage('s', { input: 1, messageId })
      await store.messages.clear('s')
      assert.deepEqual((await store.sessions.get('s'))?.tokenCounts, tokenCounts)
      await store.messages.replace('s', turns(1))
      assert.deepEqual((await store.sessions.get('s'))?.tokenCounts, tokenCounts)
    },
  },
  {
    id: 'USG-10',
    group,
    title: 'what a source has used takes the place of what it had, and what was used here stays on top',
    needs: ['sessions.addUsage', 'sessions.import'],
    async run({ store }) {
      const source = { agent: 'a', sessionId: '1', digest: '' }
      const given = (input: number, cost: number) => ({
        source,
        tokenCounts: { last: { input: 2 }, accumulated: { input, cost } },
      })
      const { session } = await store.sessions.import(given(40, 1.5), turns(1))
      await store.sessions.addUsage(session.id, { input: 1, output: 3, cost: 0.25 })
      const again = await store.sessions.import(given(60, 2), turns(2))
      assert.deepEqual(again.session.tokenCounts, {
        last: { input: 2 },
        accumulated: { input: 61, output: 3, cost: 2.25 },
      })
      await store.sessions.addUsage(session.id, { input: 5 })
      const silent = await store.sessions.import({ source }, turns(3))
      const tokenCounts = { last: { input: 5 }, accumulated: { input: 66, output: 3, cost: 2.25 } }
      assert.deepEqual(silent.session.tokenCounts, tokenCounts)
      const third = await store.sessions.import(given(100, 2), turns(4))
      assert.deepEqual(third.session.tokenCounts.accumulated, { input: 106, output: 3, cost: 2.25 })
    },
  },
  {
    id: 'USG-11',
    group,
    title: 'counts that no number holds exactly are invalid, alone or all together, and nothing is counted',
    needs: ['sessions.addUsage', 'sessions.import'],
    async run({ store }) {
      const largest = Number.MAX_SAFE_INTEGER
      await store.sessions.create({ id: 's' })
      const before = await store.sessions.addUsage('s', { input: largest, cost: 1 })
      for (const usage of [{ input: 1 }, { output: largest + 1 }, { cost: 1e308 }, { cost: -1e308 }]) {
        const [name = ''] = Object.keys(usage)
        const error = await rejects('invalid', 'sessions.addUsage', () => store.sessions.addUsage('s', usage))
        assert.ok(error.message.includes(`usage.${name}`), error.message)
      }
      assert.deepEqual(await store.sessions.get('s'), before)
      for (const input of [1e308, 1n as never]) {
        const tokenCounts = { last: {}, accumulated: { input } }
        await rejects('invalid', 'sessions.import', () => store.sessions.import({ tokenCounts }, []))
      }
    },
  },
]
