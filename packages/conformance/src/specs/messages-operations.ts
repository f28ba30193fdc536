// Operations that are remembered: for how long, and what their retry answers.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { readAll, seqs, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'messages'
const create = { createSession: true } as const

/** Takes session `s` through some more versions, each by an operation of its own. */
async function moveOn(store: SessionStore, versions: number): Promise<void> {
  for (const number of upTo(versions)) {
    await store.messages.append('s', [user(`${number}`)], { operationId: `op-${number}` })
  }
}

export const messageOperationSpecs: readonly Spec[] = [
  {
    id: 'MSG-36',
    group,
    title: 'an operation is remembered while its session goes through 255 more versions',
    async run({ store }) {
      const options = { createSession: true, operationId: 'op' } as const
      const first = await store.messages.append('s', [user('a')], options)
      for (const number of upTo(255)) {
        await store.messages.append('s', [user(`${number}`)], { operationId: `op-${number}` })
      }
      assert.deepEqual(await store.messages.append('s', [user('a')], options), first)
      assert.equal(defined(await store.sessions.get('s')).messageCount, 256)
    },
  },
  {
    id: 'MSG-37',
    group,
    title: 'a retry of a batch that held stored messages lists them as the first receipt did',
    async run({ store }) {
      const known = user('known', { id: 'k' })
      await store.messages.append('s', [known], create)
      const batch = [user('a'), known, user('b')]
      const first = await store.messages.append('s', batch, { operationId: 'op' })
      assert.deepEqual(seqs(first.messages), [2, 1, 3])
      assert.deepEqual(await store.messages.append('s', batch, { operationId: 'op' }), first)
    },
  },
  {
    id: 'MSG-38',
    group,
    title: 'an operation that had nothing to store is remembered, too',
    async run({ store }) {
      const known = user('known', { id: 'k' })
      await store.messages.append('s', [known], create)
      for (const [operationId, batch] of [
        ['known', [known]],
        ['empty', []],
      ] as const) {
        const first = await store.messages.append('s', batch, { operationId })
        await rejects('conflict', 'messages.append', () =>
          store.messages.append('s', [user('other')], { operationId }),
        )
        await store.messages.append('s', [user('meanwhile')])
        assert.deepEqual(await store.messages.append('s', batch, { operationId }), first)
      }
      assert.equal((await readAll(store, 's')).length, 3)
    },
  },
  {
    id: 'MSG-39',
    group,
    title: 'an operation is known after 256 further versions of its session, and forgotten after 257',
    async run({ store }) {
      const options = { createSession: true, operationId: 'op' } as const
      const first = await store.messages.append('s', [user('a')], options)
      await moveOn(store, 256)
      assert.deepEqual(await store.messages.append('s', [user('a')], options), first)
      await rejects('conflict', 'messages.append', () => store.messages.append('s', [user('b')], options))
      await store.messages.append('s', [user('257')], { operationId: 'op-257' })
      const again = await store.messages.append('s', [user('a')], options)
      assert.deepEqual([again.version, again.firstSeq], [259, 259])
    },
  },
]
