// The agent's context: where it begins, and the summary that stands for what lies before.

import assert from 'node:assert/strict'
import { restoreConversation } from '@sess/core'
import { assistant, readAll, seqs, text, toolResult, toolUse, turns, user } from '../data.ts'
import { summary, summaryCases } from '../fixtures/summaries.ts'
import type { Spec } from '../spec.ts'

const group = 'turns'
const needs = ['sessions.import', 'messages.recentTurns'] as const

export const turnContextSpecs: readonly Spec[] = [
  {
    id: 'TRN-30',
    group,
    title: 'scope context begins at the start of the context, scope all at the beginning',
    needs,
    async run({ store }) {
      await store.sessions.import({ id: 's', context: { startSeq: 5 } }, turns(4))
      for (const mode of ['full', 'text'] as const) {
        const context = await store.messages.recentTurns('s', { turns: 99, mode })
        assert.deepEqual(seqs(context.messages), [5, 6, 7, 8])
        assert.deepEqual([context.reachedStart, context.dropped], [true, 0])
        const same = await store.messages.recentTurns('s', { turns: 99, mode, scope: 'context' })
        assert.deepEqual(same, context)
        const all = await store.messages.recentTurns('s', { turns: 99, mode, scope: 'all' })
        assert.deepEqual(seqs(all.messages), [1, 2, 3, 4, 5, 6, 7, 8])
        const three = await store.messages.recentTurns('s', { turns: 3, mode, scope: 'all' })
        assert.deepEqual([seqs(three.messages)[0], three.reachedStart], [3, false])
      }
    },
  },
  {
    id: 'TRN-31',
    group,
    title: 'a context that begins within a turn leaves the rest of that turn out and counts it',
    needs,
    async run({ store }) {
      await store.sessions.import({ id: 's', context: { startSeq: 4 } }, turns(3))
      const window = await store.messages.recentTurns('s', { turns: 5 })
      assert.deepEqual(seqs(window.messages), [5, 6])
      assert.deepEqual([window.dropped, window.reachedStart], [1, true])
    },
  },
  {
    id: 'TRN-32',
    group,
    title: 'a context that begins after the last message is empty until something is appended',
    needs,
    async run({ store }) {
      await store.sessions.import({ id: 's', context: { startSeq: 5 } }, turns(2))
      const empty = await store.messages.recentTurns('s', { turns: 5 })
      assert.deepEqual([empty.messages, empty.dropped, empty.reachedStart], [[], 0, true])
      await store.messages.append('s', [user('q')])
      assert.deepEqual(seqs((await store.messages.recentTurns('s', { turns: 5 })).messages), [5])
    },
  },
  {
    id: 'TRN-33',
    group,
    title: 'the current summary is given beside the rows, which hold no summary, in scope context only',
    needs,
    async run({ store }) {
      const messages = [...turns(2), summary('S1', 2), ...turns(1, 3), summary('S2', 4, [5]), ...turns(1, 4)]
      await store.sessions.import({ id: 's', context: { startSeq: 5, summarySeq: 8 } }, messages)
      const rows = await readAll(store, 's')
      for (const mode of ['full', 'text'] as const) {
        const window = await store.messages.recentTurns('s', { turns: 5, mode })
        assert.deepEqual(window.summary, rows[7])
        assert.deepEqual(seqs(window.messages), [6, 7, 9, 10])
        assert.deepEqual(
          window.turns.map(({ seq }) => seq),
          [6, 9],
        )
        const one = await store.messages.recentTurns('s', { turns: 1, mode })
        assert.deepEqual([one.summary?.seq, seqs(one.messages)], [8, [9, 10]])
        const all = await store.messages.recentTurns('s', { turns: 5, mode, scope: 'all' })
        assert.equal('summary' in all, false)
        assert.deepEqual(seqs(all.messages), [1, 2, 3, 4, 6, 7, 9, 10])
      }
    },
  },
  {
    id: 'TRN-34',
    group,
    title:
      'beside a summary the rest of its turn comes first when the start is reached, and nothing is dropped',
    needs,
    async run({ store }) {
      const messages = [
        user('q1'),
        assistant([text('wait'), toolUse('t')]),
        user([toolResult('t'), text('steering')]),
        assistant('a1'),
        summary('S1', 1),
        ...turns(2, 2),
      ]
      await store.sessions.import({ id: 's', context: { startSeq: 2, summarySeq: 5 } }, messages)
      const full = await store.messages.recentTurns('s', { turns: 2 })
      assert.deepEqual(seqs(full.messages), [2, 3, 4, 6, 7, 8, 9])
      const asText = await store.messages.recentTurns('s', { turns: 2, mode: 'text' })
      assert.deepEqual(seqs(asText.messages), [3, 4, 6, 7, 8, 9])
      for (const window of [full, asText]) {
        assert.deepEqual([window.dropped, window.reachedStart, window.summary?.seq], [0, true, 5])
        assert.deepEqual(
          window.turns.map(({ seq }) => seq),
          [6, 8],
        )
      }
      const one = await store.messages.recentTurns('s', { turns: 1, mode: 'text' })
      assert.deepEqual([seqs(one.messages), one.dropped, one.reachedStart], [[8, 9], 0, false])
      assert.equal(one.summary?.seq, 5)
    },
  },
  {
    id: 'TRN-35',
    group,
    title: 'fewer than one turn gives no summary either',
    needs,
    async run({ store }) {
      await store.sessions.import({ id: 's', context: { startSeq: 3, summarySeq: 5 } }, [
        ...turns(2),
        summary('S1', 2),
      ])
      const window = await store.messages.recentTurns('s', { turns: 0 })
      assert.deepEqual([window.messages, 'summary' in window, window.dropped], [[], false, 0])
    },
  },
  {
    id: 'TRN-36',
    group,
    title: 'gaps between seqs change nothing',
    needs,
    async run({ store }) {
      const gaps = [3, 7, 20, 21, 90].map((seq, index) => ({ ...(turns(3)[index] ?? user('x')), seq }))
      await store.sessions.import({ id: 's', nextSeq: 100 }, gaps)
      const window = await store.messages.recentTurns('s', { turns: 2, mode: 'text' })
      assert.deepEqual(seqs(window.messages), [20, 21, 90])
      assert.deepEqual(
        seqs((await store.messages.recentTurns('s', { turns: 1, beforeSeq: 90 })).messages),
        [20, 21],
      )
      await store.messages.append('s', [user('next')])
      assert.deepEqual(seqs((await store.messages.recentTurns('s', { turns: 1 })).messages), [100])
    },
  },
  {
    id: 'TRN-37',
    group,
    title: 'a restore begins with the current summary as user text, whatever its role',
    needs,
    async run({ store }) {
      for (const { title, messages, context, expected } of summaryCases) {
        const { session } = await store.sessions.import({ context }, messages)
        const restored = await restoreConversation(store, session.id)
        assert.deepEqual(
          restored.messages,
          expected.map(([role, value]) => ({ role, content: [text(value)] })),
          title,
        )
        assert.equal(restored.error, undefined)
      }
    },
  },
]
