// Calls at once on one handle: each is atomic, and of several that exclude each other exactly one succeeds.

import assert from 'node:assert/strict'
import { isStoreError } from '@sess/core'
import { readAll, seqs, texts, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'messages'
const create = { createSession: true } as const

/** The codes of those that were rejected. */
function codes(results: readonly PromiseSettledResult<unknown>[]): string[] {
  return results.flatMap((result) =>
    result.status === 'fulfilled' ? [] : [isStoreError(result.reason) ? result.reason.code : 'no StoreError'],
  )
}

export const messageConcurrentSpecs: readonly Spec[] = [
  {
    id: 'MSG-40',
    group,
    title: 'twenty appends at once get the seqs 1 to 20 without a gap, each its own',
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const receipts = await Promise.all(
        upTo(20).map((number) => store.messages.append('s', [user(`${number}`)])),
      )
      const messages = await readAll(store, 's')
      assert.deepEqual(seqs(messages), upTo(20))
      for (const { firstSeq, messages: own } of receipts) {
        assert.deepEqual(own, [messages[(firstSeq ?? 0) - 1]])
      }
      assert.equal(new Set(receipts.map(({ version }) => version)).size, 20)
      const session = await store.sessions.get('s')
      assert.deepEqual([session?.version, session?.messageCount, session?.nextSeq], [21, 20, 21])
    },
  },
  {
    id: 'MSG-41',
    group,
    title: 'batches appended at once stay together',
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const batch = (number: number) => ['a', 'b', 'c'].map((part) => user(`${number}${part}`))
      await Promise.all(upTo(10).map((number) => store.messages.append('s', batch(number))))
      const found = texts(await readAll(store, 's'))
      assert.equal(found.length, 30)
      for (let index = 0; index < 30; index += 3) {
        const number = found[index]?.slice(0, -1)
        assert.deepEqual(found.slice(index, index + 3), [`${number}a`, `${number}b`, `${number}c`])
      }
    },
  },
  {
    id: 'MSG-42',
    group,
    title: 'of several appends at once on the same version exactly one succeeds',
    async run({ store }) {
      await store.messages.append('s', [user('q')], create)
      const results = await Promise.allSettled(
        upTo(8).map((number) => store.messages.append('s', [user(`${number}`)], { expectedVersion: 1 })),
      )
      assert.deepEqual(codes(results), Array(7).fill('conflict'))
      assert.equal((await readAll(store, 's')).length, 2)
    },
  },
  {
    id: 'MSG-43',
    group,
    title: 'one operation sent several times at once is stored once, and all get its receipt',
    async run({ store }) {
      const send = () => store.messages.append('s', [user('q')], { createSession: true, operationId: 'op' })
      const [first, ...others] = await Promise.all([send(), send(), send(), send()])
      for (const other of others) assert.deepEqual(other, first)
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'MSG-44',
    group,
    title: 'several appends at once that may create the session make one and all land in it',
    async run({ store }) {
      const results = await Promise.allSettled(
        upTo(10).map((number) => store.messages.append('s', [user(`${number}`)], create)),
      )
      assert.deepEqual(codes(results), [])
      assert.deepEqual(seqs(await readAll(store, 's')), upTo(10))
      assert.equal((await store.sessions.get('s'))?.version, 10)
    },
  },
  {
    id: 'MSG-45',
    group,
    title: 'of several appends at once that must create the session exactly one succeeds',
    async run({ store }) {
      const options = { createSession: true, expectedVersion: 0 } as const
      const results = await Promise.allSettled(
        upTo(6).map((number) => store.messages.append('s', [user(`${number}`)], options)),
      )
      assert.deepEqual(codes(results), Array(5).fill('conflict'))
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'MSG-46',
    group,
    title: 'one message sent several times at once is stored once',
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const message = user('q', { id: 'once', createdAt: 5 })
      const receipts = await Promise.all(upTo(6).map(() => store.messages.append('s', [message])))
      for (const { messages } of receipts) assert.deepEqual(seqs(messages), [1])
      assert.equal(receipts.filter(({ firstSeq }) => firstSeq !== undefined).length, 1)
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'MSG-47',
    group,
    title: 'appends at once to many sessions keep to their own',
    async run({ store }) {
      const names = upTo(10).map((number) => `s${number}`)
      await Promise.all(
        upTo(3).flatMap((round) =>
          names.map((name) => store.messages.append(name, [user(`${name} ${round}`)], create)),
        ),
      )
      for (const name of names) {
        const messages = await readAll(store, name)
        assert.deepEqual(seqs(messages), [1, 2, 3])
        assert.deepEqual(texts(messages).sort(), [`${name} 1`, `${name} 2`, `${name} 3`])
      }
    },
  },
]
