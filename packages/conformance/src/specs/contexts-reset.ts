// A reset: the agent begins anew, nothing is deleted.

import assert from 'node:assert/strict'
import { restoreConversation } from '@sess/core'
import { defined } from '../assertions.ts'
import { readAll, seqs, texts, turns, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'contexts'
const create = { createSession: true } as const

export const resetContextSpecs: readonly Spec[] = [
  {
    id: 'CTX-40',
    group,
    title: 'a reset begins the context after the last message, as one change, and deletes nothing',
    needs: ['sessions.resetContext'],
    async run({ store, clock }) {
      await store.messages.append('s', turns(2), { createSession: { name: 'n' } })
      const [before, messages] = [defined(await store.sessions.get('s')), await readAll(store, 's')]
      const now = clock.advance(10)
      const after = await store.sessions.resetContext('s')
      assert.ok(after.changeSeq > before.changeSeq)
      assert.deepEqual(after, {
        ...before,
        version: 2,
        context: { startSeq: 5 },
        updatedAt: now,
        changeSeq: after.changeSeq,
      })
      assert.deepEqual(await store.sessions.get('s'), after)
      assert.deepEqual(await readAll(store, 's'), messages)
    },
  },
  {
    id: 'CTX-41',
    group,
    title: 'a reset of a context that has nothing in it changes nothing',
    needs: ['sessions.resetContext'],
    async run({ store, clock }) {
      const empty = await store.sessions.create({ id: 'empty' })
      await store.messages.append('s', turns(1), create)
      const before = await store.sessions.resetContext('s')
      clock.advance(10)
      assert.deepEqual(await store.sessions.resetContext('s'), before)
      assert.deepEqual(await store.sessions.resetContext('empty'), empty)
    },
  },
  {
    id: 'CTX-42',
    group,
    title: 'after a reset the agent gets what comes next, and the whole history is there by scope all',
    needs: ['sessions.resetContext', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      await store.sessions.resetContext('s')
      const { messages, found } = await restoreConversation(store, 's')
      assert.deepEqual([messages, found], [[], true])
      await store.messages.append('s', turns(1, 3))
      assert.deepEqual(texts((await restoreConversation(store, 's')).messages), ['q3', 'a3'])
      const all = await store.messages.recentTurns('s', { turns: 9, scope: 'all' })
      assert.equal(all.messages.length, 6)
    },
  },
  {
    id: 'CTX-43',
    group,
    title: 'after a reset a compaction stands for what came since, alone',
    needs: ['sessions.resetContext', 'messages.compact', 'messages.remove', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      await store.messages.compact('s', { throughSeq: 2, summary: user('S1') })
      await store.sessions.resetContext('s')
      await store.messages.append('s', turns(2, 3))
      const { messages } = await store.messages.compact('s', {
        throughSeq: 7,
        summary: user('S2', { id: 'S2' }),
      })
      assert.deepEqual(messages[0]?.metadata.summary, { fromSeq: 6, throughSeq: 7, line: [] })
      assert.deepEqual(texts((await restoreConversation(store, 's')).messages), ['S2\n\nq4', 'a4'])
      await store.messages.remove('s', ['S2'])
      assert.deepEqual((await store.sessions.get('s'))?.context, { startSeq: 6 })
      assert.deepEqual(texts((await restoreConversation(store, 's')).messages), ['q3', 'a3', 'q4', 'a4'])
    },
  },
  {
    id: 'CTX-44',
    group,
    title: 'a cut behind a reset leaves the context where it begins',
    needs: ['sessions.resetContext', 'messages.truncate', 'messages.remove', 'sessions.rewind'],
    async run({ store }) {
      const cuts = [
        (id: string) => store.messages.truncate(id, { fromSeq: 2 }),
        (id: string) => store.messages.remove(id, ['last']),
        (id: string) => store.sessions.rewind(id, { toSeq: 1 }),
      ]
      for (const [index, cut] of cuts.entries()) {
        const id = `s${index}`
        await store.messages.append(id, [...turns(1), user('q2', { id: 'last' })], create)
        await store.sessions.resetContext(id)
        await cut(id)
        assert.deepEqual((await store.sessions.get(id))?.context, { startSeq: 4 }, id)
        assert.equal((await store.messages.append(id, [user('next')])).firstSeq, 4)
      }
    },
  },
  {
    id: 'CTX-45',
    group,
    title: 'a fork keeps a reset; one that ends before it begins its context with what comes next',
    needs: ['sessions.resetContext', 'sessions.fork', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      await store.sessions.resetContext('s')
      await store.messages.append('s', turns(1, 3))
      const whole = await store.sessions.fork('s')
      assert.deepEqual(whole.context, { startSeq: 5 })
      const early = await store.sessions.fork('s', { atSeq: 2 })
      assert.deepEqual(early.context, { startSeq: 3 })
      await store.messages.append(early.id, [user('next')])
      assert.deepEqual(seqs((await store.messages.recentTurns(early.id, { turns: 3 })).messages), [3])
    },
  },
]
