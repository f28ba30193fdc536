// Two handles that change the same at once: whoever comes first, nothing is lost, made twice or seen half.

import assert from 'node:assert/strict'
import { isStoreError } from '@sess/core'
import { defined } from '../assertions.ts'
import { readAll, seqs, texts, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'lifecycle'
const create = { createSession: true } as const
const needsHandle = ['peer'] as const

export const peerRaceSpecs: readonly Spec[] = [
  {
    id: 'LIF-40',
    group,
    title: 'both handles ask at once for the current session of a chat and get the same one',
    needs: ['sessions.current', 'sessions.list'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      const key = { channelType: 'telegram', channelKey: '42' }
      const answers = await Promise.all(
        upTo(6).map((n) => (n % 2 ? store : other).sessions.current(key, { create: {} })),
      )
      const { id } = defined(answers[0])
      assert.deepEqual(new Set(answers.map((session) => session?.id)), new Set([id]))
      await store.messages.append(id, [user('q')])
      assert.equal((await other.sessions.current(key))?.messageCount, 1)
      assert.equal((await other.sessions.list()).items.length, 1)
    },
  },
  {
    id: 'LIF-41',
    group,
    title: 'a fork by one handle while the other appends is a beginning of the session, and loses none of it',
    needs: ['sessions.fork'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.messages.append('s', turns(2), create)
      const [forks] = await Promise.all([
        Promise.all(upTo(5).map(() => other.sessions.fork('s'))),
        Promise.all(upTo(5).map((number) => store.messages.append('s', [user(`${number}`), user('-')]))),
      ])
      const whole = await readAll(store, 's')
      assert.deepEqual(seqs(whole), upTo(14))
      for (const { id, nextSeq, forkedFrom } of forks) {
        const copied = await readAll(other, id)
        assert.deepEqual(texts(copied), texts(whole).slice(0, copied.length))
        assert.equal(copied.length % 2, 0, 'a batch was copied by half')
        assert.deepEqual([nextSeq, forkedFrom?.seq], [copied.length + 1, copied.length])
      }
    },
  },
  {
    id: 'LIF-42',
    group,
    title: 'a rewind by one handle while the other appends loses no message',
    needs: ['sessions.rewind'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.messages.append('s', turns(2), create)
      const [{ branch }] = await Promise.all([
        other.sessions.rewind('s', { toSeq: 2 }),
        ...upTo(4).map((number) => store.messages.append('s', [user(`${number}`)])),
      ])
      const kept = await readAll(store, 's')
      const moved = await readAll(store, defined(branch).id)
      assert.deepEqual(
        [...seqs(kept), ...seqs(moved)].sort((a, b) => a - b),
        upTo(8),
      )
      assert.deepEqual(seqs(kept).slice(0, 2), [1, 2])
      assert.deepEqual(seqs(moved).slice(0, 2), [3, 4])
    },
  },
  {
    id: 'LIF-43',
    group,
    title:
      'of compactions, replacements and appends by both handles at once on one version exactly one succeeds',
    needs: ['messages.compact', 'messages.replace'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.messages.append('s', turns(2), create)
      const results = await Promise.allSettled(
        [store, other].flatMap(({ messages }) => [
          messages.compact('s', { throughSeq: 2, summary: user('S'), expectedVersion: 1 }),
          messages.replace('s', [user('n')], { expectedVersion: 1 }),
          messages.append('s', [user('q')], { expectedVersion: 1 }),
        ]),
      )
      const lost = results.filter((result) => result.status === 'rejected')
      for (const { reason } of lost) assert.equal(isStoreError(reason) && reason.code, 'conflict')
      assert.equal(lost.length, 5)
      assert.equal((await other.sessions.get('s'))?.version, 2)
    },
  },
  {
    id: 'LIF-44',
    group,
    title: 'usage that both handles add at once is all counted',
    needs: ['sessions.addUsage'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.sessions.create({ id: 's' })
      await Promise.all(upTo(10).map((n) => (n % 2 ? store : other).sessions.addUsage('s', { input: n })))
      assert.deepEqual((await other.sessions.get('s'))?.tokenCounts.accumulated, { input: 55 })
    },
  },
  {
    id: 'LIF-45',
    group,
    title: 'a write of one handle during a transaction of the other comes after it and stands on it',
    needs: ['transact'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.messages.append('s', [user('first')], create)
      const opened = Promise.withResolvers<void>()
      const ending = Promise.withResolvers<void>()
      const done = store.transact(async ({ messages }) => {
        await messages.append('s', [user('inside')])
        opened.resolve()
        await ending.promise
        await messages.append('s', [user('inside, too')])
      })
      await Promise.race([opened.promise, done])
      const outside = other.messages.append('s', [user('outside')])
      const reading = other.messages.read('s')
      ending.resolve()
      const [{ firstSeq }, { items }] = await Promise.all([outside, reading, done])
      assert.equal(firstSeq, 4)
      assert.ok([1, 3, 4].includes(items.length), 'half of a transaction was seen')
      assert.deepEqual(texts(await readAll(store, 's')), ['first', 'inside', 'inside, too', 'outside'])
    },
  },
  {
    id: 'LIF-46',
    group,
    title: 'transactions of both handles at once lose nothing of each other',
    needs: ['transact', 'sessions.update'],
    needsHandle,
    async run({ store, peer }) {
      const other = await peer()
      await store.sessions.create({ id: 's', metadata: { count: 0 } })
      await Promise.all(
        upTo(6).map((number) =>
          (number % 2 ? store : other).transact(async ({ sessions }) => {
            const { count } = defined(await sessions.get('s')).metadata as { count: number }
            await sessions.update('s', { metadata: { count: count + 1 } })
          }),
        ),
      )
      assert.deepEqual((await other.sessions.get('s'))?.metadata, { count: 6 })
    },
  },
]
