// Compaction: a summary is appended and stands for what lies before; nothing is rewritten.

import assert from 'node:assert/strict'
import type { NewMessage } from '@sess/core'
import { isStoreError } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { assistant, image, readAll, seqs, text, turns, upTo, user } from '../data.ts'
import { summary } from '../fixtures/summaries.ts'
import type { Spec } from '../spec.ts'

const group = 'contexts'
const create = { createSession: true } as const
const needs = ['messages.compact'] as const

export const compactionSpecs: readonly Spec[] = [
  {
    id: 'CTX-20',
    group,
    title: 'a compaction appends its summary, marked with what it stands for, and rewrites nothing',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), create)
      const before = await readAll(store, 's')
      const now = clock.advance(10)
      const summary = user([text('S1'), image()], { id: 'sum', metadata: { model: 'm' } })
      const receipt = await store.messages.compact('s', { throughSeq: 3, summary })
      const stored = {
        id: 'sum',
        sessionId: 's',
        seq: 5,
        role: 'user',
        content: [text('S1'), image()],
        createdAt: now,
        metadata: { model: 'm', summary: { fromSeq: 1, throughSeq: 3, line: [] } },
      }
      assert.deepEqual(receipt, { version: 2, firstSeq: 5, lastSeq: 5, messages: [stored] })
      assert.deepEqual(await readAll(store, 's'), [...before, stored])
    },
  },
  {
    id: 'CTX-21',
    group,
    title: 'a compaction moves the session on like an append, and the context behind throughSeq',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), { createSession: { name: 'n', tags: ['t'] } })
      const before = defined(await store.sessions.get('s'))
      const now = clock.advance(10)
      await store.messages.compact('s', { throughSeq: 2, summary: assistant('S1') })
      const after = defined(await store.sessions.get('s'))
      assert.ok(after.changeSeq > before.changeSeq)
      assert.deepEqual(after, {
        ...before,
        version: 2,
        messageCount: 5,
        nextSeq: 6,
        preview: 'S1',
        context: { startSeq: 3, summarySeq: 5 },
        lastActiveAt: now,
        updatedAt: now,
        changeSeq: after.changeSeq,
      })
    },
  },
  {
    id: 'CTX-22',
    group,
    title: 'a summary names the first seq it stands for and the line of summaries it builds on',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(3), create)
      const marks: unknown[] = []
      for (const throughSeq of [2, 4, 7]) {
        const { messages } = await store.messages.compact('s', { throughSeq, summary: user('S') })
        marks.push(messages[0]?.metadata.summary)
      }
      assert.deepEqual(marks, [
        { fromSeq: 1, throughSeq: 2, line: [] },
        { fromSeq: 1, throughSeq: 4, line: [7] },
        { fromSeq: 1, throughSeq: 7, line: [7, 8] },
      ])
    },
  },
  {
    id: 'CTX-23',
    group,
    title: 'people see everything where it happened, and a window over all holds no summary',
    needs: ['messages.compact', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      await store.messages.compact('s', { throughSeq: 2, summary: user('S1') })
      await store.messages.append('s', turns(1, 3))
      await store.messages.compact('s', { throughSeq: 4, summary: user('S2') })
      assert.deepEqual(seqs(await readAll(store, 's')), upTo(8))
      for (const mode of ['full', 'text'] as const) {
        const all = await store.messages.recentTurns('s', { turns: 9, mode, scope: 'all' })
        assert.deepEqual([seqs(all.messages), 'summary' in all], [[1, 2, 3, 4, 6, 7], false])
        const context = await store.messages.recentTurns('s', { turns: 9, mode })
        assert.deepEqual([seqs(context.messages), context.summary?.seq], [[6, 7], 8])
      }
    },
  },
  {
    id: 'CTX-24',
    group,
    title:
      'a retry with its operation id answers the first receipt, also when it would be out of bounds by now',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), create)
      const options = { throughSeq: 2, summary: user('S1'), operationId: 'op', expectedVersion: 1 }
      const first = await store.messages.compact('s', options)
      await store.messages.append('s', turns(1, 3))
      await store.messages.compact('s', { throughSeq: 4, summary: user('S2') })
      const before = await store.sessions.get('s')
      clock.advance(10)
      assert.deepEqual(await store.messages.compact('s', options), first)
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'CTX-25',
    group,
    title: 'an operation id used before, with another summary, bound or method, is a conflict',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('S1')], { createSession: true, operationId: 'appended' })
      await store.messages.append('s', turns(2))
      await store.messages.compact('s', { throughSeq: 2, summary: user('S1'), operationId: 'op' })
      const before = await store.sessions.get('s')
      for (const [operationId, throughSeq, summary] of [
        ['op', 3, user('S1')],
        ['op', 2, user('S2')],
        ['op', 2, assistant('S1')],
        ['op', 2, user('S1', { id: 'x' })],
        ['appended', 3, user('S1')],
      ] as const) {
        await rejects('conflict', 'messages.compact', () =>
          store.messages.compact('s', { throughSeq, summary, operationId }),
        )
      }
      await rejects('conflict', 'messages.append', () =>
        store.messages.append('s', [user('S1')], { operationId: 'op' }),
      )
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'CTX-26',
    group,
    title: 'existence comes before the version, the version before the bounds',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      const before = await store.sessions.get('s')
      const options = { throughSeq: 9, summary: user('S'), expectedVersion: 7 }
      await rejects('not-found', 'messages.compact', () => store.messages.compact('unknown', options))
      await rejects('conflict', 'messages.compact', () => store.messages.compact('s', options))
      await rejects('invalid', 'messages.compact', () =>
        store.messages.compact('s', { ...options, expectedVersion: 1 }),
      )
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'CTX-27',
    group,
    title: 'bounds that are none are invalid: before the first message, behind the last, in an empty session',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 'empty' })
      await store.messages.append('s', turns(1), create)
      for (const [id, throughSeq] of [
        ['empty', 0],
        ['empty', 1],
        ['s', 0],
        ['s', -1],
        ['s', 1.5],
        ['s', 3],
        ['s', '1'],
      ] as const) {
        await rejects('invalid', 'messages.compact', () =>
          store.messages.compact(id, { throughSeq: throughSeq as number, summary: user('S') }),
        )
      }
      assert.deepEqual((await store.sessions.get('s'))?.context, { startSeq: 1 })
      assert.equal((await store.sessions.get('empty'))?.version, 1)
    },
  },
  {
    id: 'CTX-28',
    group,
    title: 'a summary that breaks a rule, hides from the agent or marks itself is invalid and stores nothing',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('q', { id: 'taken' })], create)
      const before = await store.sessions.get('s')
      const mark = { fromSeq: 1, throughSeq: 1, line: [] }
      const wrong: unknown[] = [
        undefined,
        'S',
        { role: 'robot', content: 'S' },
        user([{ type: 'x', v: 1n }]),
        user('S', { metadata: { summary: mark } }),
        user('S', { metadata: { agentVisible: false } }),
      ]
      for (const summary of wrong) {
        await rejects('invalid', 'messages.compact', () =>
          store.messages.compact('s', { throughSeq: 1, summary: summary as NewMessage }),
        )
      }
      await rejects('conflict', 'messages.compact', () =>
        store.messages.compact('s', { throughSeq: 1, summary: user('S', { id: 'taken' }) }),
      )
      const large = user('x'.repeat(store.capabilities.maxMessageBytes))
      await rejects('too-large', 'messages.compact', () =>
        store.messages.compact('s', { throughSeq: 1, summary: large }),
      )
      assert.deepEqual(await store.sessions.get('s'), before)
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'CTX-29',
    group,
    title: 'of several compactions at once through one message one is stored, the others are out of bounds',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      const results = await Promise.allSettled(
        upTo(4).map((number) => store.messages.compact('s', { throughSeq: 2, summary: user(`${number}`) })),
      )
      const lost = results.filter((result) => result.status === 'rejected')
      for (const { reason } of lost) assert.equal(isStoreError(reason) && reason.code, 'invalid')
      assert.equal(lost.length, 3)
      assert.deepEqual(seqs(await readAll(store, 's')), upTo(5))
    },
  },
  {
    id: 'CTX-30',
    group,
    title: 'a summary that stands in the session already is not made again: its id is a conflict',
    needs: ['messages.compact', 'sessions.import'],
    async run({ store }) {
      const imported = { ...summary('S1', 2), id: 'S1' }
      await store.sessions.import({ id: 's', context: { startSeq: 1 } }, [...turns(1), imported])
      const before = await store.sessions.get('s')
      await rejects('conflict', 'messages.compact', () =>
        store.messages.compact('s', { throughSeq: 2, summary: user('S1', { id: 'S1' }) }),
      )
      assert.deepEqual(await store.sessions.get('s'), before)
      assert.deepEqual(seqs(await readAll(store, 's')), upTo(3))
    },
  },
]
