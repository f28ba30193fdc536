// What makes a retry and a race safe: expectedVersion, message ids, operation ids, and the order they are checked in.

import assert from 'node:assert/strict'
import type { NewMessage } from '@sess/core'
import { rejects } from '../assertions.ts'
import { readAll, seqs, text, texts, turns, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'messages'
const create = { createSession: true } as const

export const messageGuardSpecs: readonly Spec[] = [
  {
    id: 'MSG-20',
    group,
    title: 'expectedVersion that does not hold is a conflict and stores nothing',
    async run({ store }) {
      const { version } = await store.messages.append('s', turns(1), create)
      const second = await store.messages.append('s', [user('q')], { expectedVersion: version })
      assert.equal(second.version, version + 1)
      const before = await store.sessions.get('s')
      for (const expectedVersion of [version, version + 2, 1000]) {
        await rejects('conflict', 'messages.append', () =>
          store.messages.append('s', [user('late')], { expectedVersion }),
        )
        await rejects('conflict', 'messages.append', () =>
          store.messages.append('s', [], { expectedVersion }),
        )
      }
      assert.deepEqual(await store.sessions.get('s'), before)
      assert.equal((await readAll(store, 's')).length, 3)
    },
  },
  {
    id: 'MSG-21',
    group,
    title: 'expectedVersion 0 means that the session must not exist',
    async run({ store }) {
      const options = { createSession: true, expectedVersion: 0 } as const
      assert.equal((await store.messages.append('s', [user('q')], options)).version, 1)
      await rejects('conflict', 'messages.append', () => store.messages.append('s', [user('q')], options))
      await rejects('conflict', 'messages.append', () => store.messages.append('s', [], options))
      await store.sessions.create({ id: 'empty' })
      await rejects('conflict', 'messages.append', () => store.messages.append('empty', [user('q')], options))
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'MSG-22',
    group,
    title: 'existence is checked before the version',
    async run({ store }) {
      for (const expectedVersion of [0, 5]) {
        await rejects('not-found', 'messages.append', () =>
          store.messages.append('s', [user('q')], { expectedVersion }),
        )
      }
      const options = { createSession: true, expectedVersion: 5 } as const
      await rejects('conflict', 'messages.append', () => store.messages.append('s', [user('q')], options))
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'MSG-23',
    group,
    title: 'a message stored before with equal content is skipped and listed with its stored seq',
    async run({ store, clock }) {
      const known = user('known', { id: 'k', metadata: { a: 1 } })
      await store.messages.append('s', [user('first'), known], create)
      const stored = await readAll(store, 's')
      clock.advance(10)
      const receipt = await store.messages.append('s', [user('new', { id: 'n1' }), known, user('more')])
      assert.deepEqual(seqs(receipt.messages), [3, 2, 4])
      assert.deepEqual(receipt.messages[1], stored[1])
      assert.deepEqual([receipt.version, receipt.firstSeq, receipt.lastSeq], [2, 3, 4])
      assert.deepEqual(texts(await readAll(store, 's')), ['first', 'known', 'new', 'more'])
      assert.equal((await store.sessions.get('s'))?.messageCount, 4)
    },
  },
  {
    id: 'MSG-24',
    group,
    title: 'a batch of messages that are all stored changes nothing and has no bounds',
    async run({ store, clock }) {
      const batch = [user('a', { id: 'a' }), user('b', { id: 'b' })]
      const first = await store.messages.append('s', batch, create)
      const before = await store.sessions.get('s')
      clock.advance(10)
      const again = await store.messages.append('s', batch.toReversed())
      assert.deepEqual(again, { version: first.version, messages: first.messages.toReversed() })
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'MSG-25',
    group,
    title: 'equal is same role, content and metadata; the time does not matter, a string is its block',
    async run({ store }) {
      const first = user('a', { id: 'a', createdAt: 5, metadata: {} })
      await store.messages.append('s', [first], create)
      const { messages } = await store.messages.append('s', [user([text('a')], { id: 'a', createdAt: 9 })])
      assert.deepEqual([messages[0]?.seq, messages[0]?.createdAt], [1, 5])
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'MSG-26',
    group,
    title: 'a message id stored with other content is a conflict and nothing of the batch is stored',
    async run({ store }) {
      const first = user([{ type: 'text', text: 'a', x: 1 }], { id: 'a', metadata: { p: 1, q: 2 } })
      await store.messages.append('s', [first], create)
      const before = await store.sessions.get('s')
      const others: NewMessage[] = [
        { ...first, content: 'b' },
        { ...first, role: 'assistant' },
        { ...first, metadata: { p: 1 } },
        { ...first, metadata: { q: 2, p: 1 } },
        { ...first, content: [{ type: 'text', x: 1, text: 'a' } as { type: string }] },
        { id: 'a', role: 'user', content: first.content },
      ]
      for (const other of others) {
        await rejects('conflict', 'messages.append', () => store.messages.append('s', [user('new'), other]))
      }
      assert.deepEqual(await store.sessions.get('s'), before)
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'MSG-27',
    group,
    title: 'an id twice in one batch is stored once where the content is equal, else a conflict',
    async run({ store }) {
      const twice = user('a', { id: 'a' })
      const receipt = await store.messages.append('s', [twice, user('b'), twice], create)
      assert.deepEqual(seqs(receipt.messages), [1, 2, 1])
      assert.deepEqual([receipt.firstSeq, receipt.lastSeq], [1, 2])
      assert.equal((await store.sessions.get('s'))?.nextSeq, 3)
      const differing = [user('c', { id: 'c' }), user('d', { id: 'c' })]
      await rejects('conflict', 'messages.append', () => store.messages.append('s', differing))
      assert.deepEqual(texts(await readAll(store, 's')), ['a', 'b'])
    },
  },
  {
    id: 'MSG-30',
    group,
    title: 'a retry with its operation id answers the first receipt and stores nothing',
    async run({ store, clock }) {
      const options = { createSession: true, operationId: 'op' } as const
      const batch = [user('a'), user('b', { id: 'b' }), user('c')]
      const first = await store.messages.append('s', batch, options)
      assert.equal(first.version, 1)
      const before = await store.sessions.get('s')
      clock.advance(10)
      assert.deepEqual(await store.messages.append('s', batch, options), first)
      assert.deepEqual(await store.messages.append('s', batch, { operationId: 'op' }), first)
      assert.deepEqual(await store.sessions.get('s'), before)
      assert.deepEqual(seqs(await readAll(store, 's')), [1, 2, 3])
    },
  },
  {
    id: 'MSG-31',
    group,
    title: 'a retry is answered whatever the version is by now, before expectedVersion is looked at',
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      const options = { operationId: 'op', expectedVersion: 1 }
      const first = await store.messages.append('s', [user('q')], options)
      await store.messages.append('s', turns(3))
      assert.deepEqual(await store.messages.append('s', [user('q')], options), first)
      assert.equal((await store.sessions.get('s'))?.messageCount, 9)
    },
  },
  {
    id: 'MSG-32',
    group,
    title: 'a retry is answered before existence is looked at, so also in the trash',
    needs: ['sessions.remove'],
    async run({ store }) {
      const options = { createSession: true, operationId: 'op' } as const
      const first = await store.messages.append('s', [user('q')], options)
      await store.sessions.remove('s')
      assert.deepEqual(await store.messages.append('s', [user('q')], options), first)
      await rejects('conflict', 'messages.append', () => store.messages.append('s', [user('x')], options))
    },
  },
  {
    id: 'MSG-33',
    group,
    title: 'an operation id used before with other messages is a conflict',
    async run({ store }) {
      const operationId = 'op'
      await store.messages.append('s', [user('a', { createdAt: 5 })], { createSession: true, operationId })
      const others: NewMessage[][] = [
        [user('b', { createdAt: 5 })],
        [user('a', { createdAt: 6 })],
        [user('a')],
        [user('a', { createdAt: 5, id: 'x' })],
        [user('a', { createdAt: 5, metadata: { a: 1 } })],
        [{ ...user('a', { createdAt: 5 }), role: 'assistant' }],
        [user('a', { createdAt: 5 }), user('b')],
        [],
      ]
      for (const other of others) {
        await rejects('conflict', 'messages.append', () => store.messages.append('s', other, { operationId }))
      }
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'MSG-34',
    group,
    title: 'an operation id belongs to its session',
    async run({ store }) {
      const options = { createSession: true, operationId: 'op' } as const
      await store.messages.append('a', [user('of a')], options)
      const { messages } = await store.messages.append('b', [user('of b')], options)
      assert.deepEqual([messages[0]?.sessionId, messages[0]?.seq], ['b', 1])
      assert.deepEqual(texts(await readAll(store, 'b')), ['of b'])
    },
  },
  {
    id: 'MSG-35',
    group,
    title: 'an append that was refused has not used its operation id',
    async run({ store }) {
      const operationId = 'op'
      await rejects('not-found', 'messages.append', () =>
        store.messages.append('s', [user('a')], { operationId }),
      )
      await store.sessions.create({ id: 's' })
      const stale = { operationId, expectedVersion: 9 }
      await rejects('conflict', 'messages.append', () => store.messages.append('s', [user('a')], stale))
      const { firstSeq } = await store.messages.append('s', [user('other')], { operationId })
      assert.equal(firstSeq, 1)
    },
  },
]
