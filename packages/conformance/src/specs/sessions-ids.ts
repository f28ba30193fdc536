// Date ids: `YYYYMMDD_N`, numbered within the day of the store's time zone, never used twice.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { rejects } from '../assertions.ts'
import { startTime } from '../clock.ts'
import { upTo } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'sessions'
const hour = 3_600_000

async function newId(store: SessionStore): Promise<string> {
  return (await store.sessions.create()).id
}

export const sessionIdSpecs: readonly Spec[] = [
  {
    id: 'SES-20',
    group,
    title: 'ids count from 1 within a day, past 9, and begin again the next day',
    async run({ store, clock }) {
      for (const number of upTo(11)) assert.equal(await newId(store), `20260301_${number}`)
      clock.advance(12 * hour - 1)
      assert.equal(await newId(store), '20260301_12')
      clock.advance(1)
      assert.equal(await newId(store), '20260302_1')
      clock.set(startTime)
      assert.equal(await newId(store), '20260301_13')
    },
  },
  {
    id: 'SES-21',
    group,
    title: 'a number is never used again, not even that of a purged session',
    needs: ['sessions.remove'],
    async run({ store }) {
      assert.equal(await newId(store), '20260301_1')
      assert.equal(await newId(store), '20260301_2')
      await store.sessions.remove('20260301_2', { purge: true })
      await store.sessions.remove('20260301_1')
      assert.equal(await newId(store), '20260301_3')
      await store.sessions.remove('20260301_1', { purge: true })
      await store.sessions.remove('20260301_3', { purge: true })
      assert.equal(await newId(store), '20260301_4')
    },
  },
  {
    id: 'SES-22',
    group,
    title: 'the day is that of the time zone',
    options: { timeZone: 'Asia/Shanghai' },
    async run({ store, clock }) {
      clock.set(Date.UTC(2026, 2, 1, 15, 59, 59, 999))
      assert.equal(await newId(store), '20260301_1')
      clock.advance(1)
      assert.equal(await newId(store), '20260302_1')
    },
  },
  {
    id: 'SES-23',
    group,
    title: 'a prefix stands before the day and has numbers of its own',
    options: { idPrefix: 'laptop' },
    async run({ store }) {
      await store.sessions.create({ id: '20260301_7' })
      await store.sessions.create({ id: 'desktop-20260301_8' })
      assert.equal(await newId(store), 'laptop-20260301_1')
      await store.sessions.create({ id: 'laptop-20260301_5' })
      assert.equal(await newId(store), 'laptop-20260301_6')
    },
  },
  {
    id: 'SES-24',
    group,
    title: 'a given id of the date shape raises the counter of its day',
    async run({ store, clock }) {
      await store.sessions.create({ id: '20260301_7' })
      assert.equal(await newId(store), '20260301_8')
      await store.sessions.create({ id: '20260301_3' })
      await store.sessions.create({ id: '20260302_4' })
      assert.equal(await newId(store), '20260301_9')
      clock.advance(24 * hour)
      assert.equal(await newId(store), '20260302_5')
    },
  },
  {
    id: 'SES-25',
    group,
    title: 'a session that an append creates raises the counter, too',
    async run({ store }) {
      await store.messages.append('20260301_4', [{ role: 'user', content: 'hi' }], { createSession: true })
      assert.equal(await newId(store), '20260301_5')
    },
  },
  {
    id: 'SES-26',
    group,
    title: 'ids that only look like date ids leave the counter alone',
    async run({ store }) {
      for (const id of [
        '20260301_07',
        '20260301_x',
        '20260301-9',
        'x20260301_9',
        '20260301_9_1',
        '2026031_9',
      ]) {
        await store.sessions.create({ id })
      }
      assert.equal(await newId(store), '20260301_1')
    },
  },
  {
    id: 'SES-27',
    group,
    title: 'a legacy id whose number is a time does not raise the counter',
    async run({ store, clock }) {
      clock.set(Date.UTC(2025, 9, 1, 12))
      await store.sessions.create({ id: '20251001_94012' })
      assert.equal(await newId(store), '20251001_1')
      assert.equal((await store.sessions.get('20251001_94012'))?.id, '20251001_94012')
    },
  },
  {
    id: 'SES-28',
    group,
    title: 'a given id raises the counter by 10,000 at most, and a number that is taken is skipped',
    async run({ store, clock }) {
      await store.sessions.create({ id: '20260301_10001' })
      assert.equal(await newId(store), '20260301_1')
      await store.sessions.create({ id: '20260301_10000' })
      assert.equal(await newId(store), '20260301_10002')
      clock.advance(24 * hour)
      await store.sessions.create({ id: '20260302_10000' })
      assert.equal(await newId(store), '20260302_10001')
    },
  },
  {
    id: 'SES-29',
    group,
    title: 'session ids come from the generator where it makes them',
    options: { ids: { message: () => 'm', session: (now) => `made-at-${now}` } },
    async run({ store, clock }) {
      assert.equal(await newId(store), `made-at-${startTime}`)
      clock.advance(1)
      assert.equal(await newId(store), `made-at-${startTime + 1}`)
    },
  },
  {
    id: 'SES-30',
    group,
    title: 'twenty sessions created at once have twenty ids without a gap',
    async run({ store }) {
      const created = await Promise.all(upTo(20).map(() => newId(store)))
      assert.deepEqual(new Set(created), new Set(upTo(20).map((number) => `20260301_${number}`)))
    },
  },
  {
    id: 'SES-31',
    group,
    title: 'of several creates of one id at once exactly one succeeds',
    async run({ store }) {
      const tries = upTo(5).map((number) => () => store.sessions.create({ id: 'one', name: `${number}` }))
      const results = await Promise.allSettled(tries.map((create) => create()))
      const won = results.filter((result) => result.status === 'fulfilled')
      assert.equal(won.length, 1)
      for (const result of results) {
        if (result.status === 'rejected') {
          await rejects('already-exists', 'sessions.create', () => Promise.reject(result.reason))
        }
      }
      assert.deepEqual(await store.sessions.get('one'), won[0]?.value)
    },
  },
  {
    id: 'SES-32',
    group,
    title: 'a create that is refused uses no number',
    async run({ store }) {
      await store.sessions.create({ id: 'taken' })
      await rejects('already-exists', 'sessions.create', () => store.sessions.create({ id: 'taken' }))
      await rejects('invalid', 'sessions.create', () => store.sessions.create({ name: '' }))
      assert.equal(await newId(store), '20260301_1')
    },
  },
]
