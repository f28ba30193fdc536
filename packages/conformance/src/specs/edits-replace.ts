// Replacing a history as one: the old messages go, the new ones come, seqs go on.

import assert from 'node:assert/strict'
import { restoreConversation, type SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { assistant, readAll, seqs, texts, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'edits'
const create = { createSession: true } as const
const needs = ['messages.replace'] as const

async function sessionAndMessages(store: SessionStore) {
  return [await store.sessions.get('s'), await readAll(store, 's')]
}

export const editReplaceSpecs: readonly Spec[] = [
  {
    id: 'EDT-50',
    group,
    title: 'replace stores the new messages in the place of all, with seqs that go on',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), create)
      const now = clock.advance(10)
      const receipt = await store.messages.replace('s', [
        user('n1', { id: 'mine', createdAt: 5, metadata: { m: 1 } }),
        assistant('n2'),
      ])
      assert.deepEqual([receipt.version, receipt.firstSeq, receipt.lastSeq], [2, 5, 6])
      assert.deepEqual(await readAll(store, 's'), receipt.messages)
      assert.deepEqual(
        receipt.messages.map(({ id, seq, createdAt }) => [id, seq, createdAt]),
        [
          ['mine', 5, 5],
          ['m-5', 6, now],
        ],
      )
    },
  },
  {
    id: 'EDT-51',
    group,
    title: 'a replacement is one change, and the context begins with its first message',
    needs: ['messages.replace', 'messages.recentTurns'],
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), { createSession: { name: 'n', tags: ['t'] } })
      const before = defined(await store.sessions.get('s'))
      const now = clock.advance(10)
      await store.messages.replace('s', [user('n1'), assistant('n2'), assistant('n3')])
      const after = defined(await store.sessions.get('s'))
      assert.ok(after.changeSeq > before.changeSeq)
      assert.deepEqual(after, {
        ...before,
        version: before.version + 1,
        messageCount: 3,
        nextSeq: 8,
        preview: 'n3',
        context: { startSeq: 5 },
        lastActiveAt: now,
        updatedAt: now,
        changeSeq: after.changeSeq,
      })
      assert.deepEqual(texts((await restoreConversation(store, 's')).messages), ['n1', 'n3'])
    },
  },
  {
    id: 'EDT-52',
    group,
    title: 'a replacement by nothing leaves a session without messages',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), create)
      const before = defined(await store.sessions.get('s'))
      clock.advance(10)
      assert.deepEqual(await store.messages.replace('s', []), { version: 2, messages: [] })
      const { messageCount, preview, nextSeq, lastActiveAt, context } = defined(await store.sessions.get('s'))
      assert.deepEqual([messageCount, preview, nextSeq, context], [0, '', 5, { startSeq: 5 }])
      assert.equal(lastActiveAt, before.lastActiveAt)
      assert.equal((await store.messages.append('s', [user('q')])).firstSeq, 5)
    },
  },
  {
    id: 'EDT-53',
    group,
    title: 'message ids may be used again, also with other content, and within a batch as in an append',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('a', { id: 'a' }), user('b', { id: 'b' })], create)
      const twice = user('c', { id: 'c' })
      const batch = [user('other', { id: 'a' }), user('b', { id: 'b' }), twice, twice]
      const receipt = await store.messages.replace('s', batch)
      assert.deepEqual([receipt.firstSeq, receipt.lastSeq], [3, 5])
      assert.deepEqual(seqs(receipt.messages), [3, 4, 5, 5])
      assert.deepEqual(texts(await readAll(store, 's')), ['other', 'b', 'c'])
      const before = await sessionAndMessages(store)
      await rejects('conflict', 'messages.replace', () =>
        store.messages.replace('s', [twice, user('d', { id: 'c' })]),
      )
      assert.deepEqual(await sessionAndMessages(store), before)
    },
  },
  {
    id: 'EDT-54',
    group,
    title: 'expectedVersion that does not hold is a conflict and leaves the history',
    needs,
    async run({ store }) {
      const { version } = await store.messages.append('s', turns(1), create)
      const before = await sessionAndMessages(store)
      for (const expectedVersion of [0, version - 1, version + 1]) {
        await rejects('conflict', 'messages.replace', () =>
          store.messages.replace('s', [user('n')], { expectedVersion }),
        )
      }
      assert.deepEqual(await sessionAndMessages(store), before)
      assert.equal((await store.messages.replace('s', [user('n')], { expectedVersion: version })).version, 2)
    },
  },
  {
    id: 'EDT-55',
    group,
    title: 'a retry with its operation id answers the first receipt and replaces nothing',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(1), create)
      const options = { operationId: 'op', expectedVersion: 1 }
      const batch = [user('n1'), assistant('n2', { id: 'n2' })]
      const first = await store.messages.replace('s', batch, options)
      await store.messages.append('s', [user('more')])
      const before = await sessionAndMessages(store)
      clock.advance(10)
      assert.deepEqual(await store.messages.replace('s', batch, options), first)
      assert.deepEqual(await sessionAndMessages(store), before)
    },
  },
  {
    id: 'EDT-56',
    group,
    title: 'an operation id used before, with other messages or by another method, is a conflict',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('a')], { createSession: true, operationId: 'appended' })
      await store.messages.replace('s', [user('a')], { operationId: 'replaced' })
      await store.messages.replace('s', [], { operationId: 'emptied' })
      await store.messages.append('s', [user('a')])
      const before = await sessionAndMessages(store)
      const calls: [string, Parameters<SessionStore['messages']['replace']>[1]][] = [
        ['replaced', [user('b')]],
        ['replaced', []],
        ['appended', [user('a')]],
        ['emptied', [user('a')]],
      ]
      for (const [operationId, batch] of calls) {
        await rejects('conflict', 'messages.replace', () =>
          store.messages.replace('s', batch, { operationId }),
        )
      }
      await rejects('conflict', 'messages.append', () =>
        store.messages.append('s', [user('a')], { operationId: 'replaced' }),
      )
      assert.deepEqual(await store.messages.replace('s', [], { operationId: 'emptied' }), {
        version: 3,
        messages: [],
      })
      assert.deepEqual(await sessionAndMessages(store), before)
    },
  },
  {
    id: 'EDT-57',
    group,
    title: 'a batch with a bad message is invalid and leaves the history',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      const before = await sessionAndMessages(store)
      const summary = { fromSeq: 1, throughSeq: 1, line: [] }
      for (const [bad, path] of [
        [{ role: 'robot', content: 'x' }, 'messages[1].role'],
        [user([{ type: 'x', v: 1n }]), 'messages[1].content[0].v'],
        [user('S', { metadata: { summary } }), 'messages[1].metadata.summary'],
      ] as const) {
        const error = await rejects('invalid', 'messages.replace', () =>
          store.messages.replace('s', [user('n'), bad as never]),
        )
        assert.ok(error.message.includes(path), error.message)
      }
      for (const options of [{ createSession: true }, { expectedVersion: -1 }, { operationId: '' }]) {
        await rejects('invalid', 'messages.replace', () =>
          store.messages.replace('s', [user('n')], options as object),
        )
      }
      await rejects('invalid', 'messages.replace', () => store.messages.replace('s', 'n' as never))
      const large = user('x'.repeat(store.capabilities.maxMessageBytes))
      await rejects('too-large', 'messages.replace', () => store.messages.replace('s', [user('n'), large]))
      assert.deepEqual(await sessionAndMessages(store), before)
    },
  },
  {
    id: 'EDT-58',
    group,
    title: 'a long history is replaced whole',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(600), create)
      const { firstSeq, lastSeq } = await store.messages.replace('s', turns(650))
      assert.deepEqual([firstSeq, lastSeq], [1201, 2500])
      const found = await readAll(store, 's', { limit: 1000 })
      assert.deepEqual([found.length, found[0]?.seq, found.at(-1)?.seq], [1300, 1201, 2500])
      assert.equal((await store.sessions.get('s'))?.messageCount, 1300)
    },
  },
  {
    id: 'EDT-59',
    group,
    title: 'of several replacements at once on the same version exactly one succeeds',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      const results = await Promise.allSettled(
        upTo(6).map((number) => store.messages.replace('s', [user(`${number}`)], { expectedVersion: 1 })),
      )
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      assert.equal(won.length, 1)
      assert.deepEqual(await readAll(store, 's'), won[0]?.messages)
    },
  },
]
