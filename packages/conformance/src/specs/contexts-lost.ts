// Summaries that are lost: the newest survivor of the line becomes current, else everything the lost one stood for is back.

import assert from 'node:assert/strict'
import { restoreConversation, type Session, type SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { assistant, seqs, text, texts, turns, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'contexts'
const create = { createSession: true } as const

/** Three turns, seqs 1 to 6, compacted through 2, 4 and 6 by summaries `S1` to `S3`, seqs 7 to 9. */
async function compactThrice(store: SessionStore, id = 's'): Promise<void> {
  await store.messages.append(id, turns(3), create)
  for (const number of [1, 2, 3]) {
    const summary = user(`S${number}`, { id: `S${number}` })
    await store.messages.compact(id, { throughSeq: number * 2, summary })
  }
}

async function contextOf(store: SessionStore, id = 's'): Promise<Session['context']> {
  return defined(await store.sessions.get(id)).context
}

async function restoredTexts(store: SessionStore, id = 's'): Promise<string[]> {
  return texts((await restoreConversation(store, id)).messages)
}

export const lostSummarySpecs: readonly Spec[] = [
  {
    id: 'CTX-60',
    group,
    title: 'the newest survivor of the line becomes current, whichever of the others are gone',
    needs: ['messages.compact', 'messages.remove', 'messages.recentTurns'],
    async run({ store }) {
      await compactThrice(store)
      await store.messages.remove('s', ['S2'])
      assert.deepEqual(await contextOf(store), { startSeq: 7, summarySeq: 9 })
      await store.messages.remove('s', ['S3'])
      assert.deepEqual(await contextOf(store), { startSeq: 3, summarySeq: 7 })
      assert.deepEqual(await restoredTexts(store), ['S1\n\nq2', 'a2', 'q3', 'a3'])
      await store.messages.remove('s', ['S1'])
      assert.deepEqual(await contextOf(store), { startSeq: 1 })
      assert.deepEqual(await restoredTexts(store), ['q1', 'a1', 'q2', 'a2', 'q3', 'a3'])
    },
  },
  {
    id: 'CTX-61',
    group,
    title: 'several summaries lost at once are like one after the other',
    needs: ['messages.compact', 'messages.remove', 'messages.recentTurns'],
    async run({ store }) {
      await compactThrice(store)
      await store.messages.remove('s', ['S2', 'S3'])
      assert.deepEqual(await contextOf(store), { startSeq: 3, summarySeq: 7 })
      await compactThrice(store, 't')
      await store.messages.remove('t', ['S3', 'S1', 'S2'])
      assert.deepEqual(await contextOf(store, 't'), { startSeq: 1 })
      const { summary } = await store.messages.recentTurns('t', { turns: 1 })
      assert.equal(summary, undefined)
    },
  },
  {
    id: 'CTX-62',
    group,
    title: 'a message or an older summary that is removed leaves the current summary',
    needs: ['messages.compact', 'messages.remove', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', [user('q1', { id: 'q1' }), assistant('a1'), ...turns(1, 2)], create)
      await store.messages.compact('s', { throughSeq: 1, summary: user('S1', { id: 'S1' }) })
      await store.messages.compact('s', { throughSeq: 2, summary: user('S2') })
      await store.messages.remove('s', ['q1', 'S1'])
      assert.deepEqual(await contextOf(store), { startSeq: 3, summarySeq: 6 })
      assert.deepEqual(await restoredTexts(store), ['S2\n\nq2', 'a2'])
    },
  },
  {
    id: 'CTX-63',
    group,
    title: 'a truncation takes summaries away like a removal',
    needs: ['messages.compact', 'messages.truncate'],
    async run({ store }) {
      for (const [fromSeq, expected] of [
        [9, { startSeq: 5, summarySeq: 8 }],
        [8, { startSeq: 3, summarySeq: 7 }],
        [7, { startSeq: 1 }],
        [3, { startSeq: 1 }],
      ] as const) {
        const id = `from ${fromSeq}`
        await compactThrice(store, id)
        await store.messages.truncate(id, { fromSeq })
        assert.deepEqual(await contextOf(store, id), expected, id)
      }
    },
  },
  {
    id: 'CTX-64',
    group,
    title: 'a rewind takes summaries away like a removal, and the branch can be restored',
    needs: ['messages.compact', 'sessions.rewind', 'messages.recentTurns'],
    async run({ store }) {
      for (const [toSeq, expected] of [
        [8, { startSeq: 5, summarySeq: 8 }],
        [7, { startSeq: 3, summarySeq: 7 }],
        [6, { startSeq: 1 }],
        [0, { startSeq: 1 }],
      ] as const) {
        const id = `to ${toSeq}`
        await compactThrice(store, id)
        const { session, branch } = await store.sessions.rewind(id, { toSeq })
        assert.deepEqual(session.context, expected, id)
        const restored = await restoreConversation(store, defined(branch).id)
        assert.deepEqual([restored.found, restored.error], [true, undefined])
        await store.messages.append(id, [user('next')])
        assert.equal((await restoredTexts(store, id)).at(-1)?.endsWith('next'), true)
      }
    },
  },
  {
    id: 'CTX-65',
    group,
    title: 'a whole fork has the context of its source, one through an earlier message what is left of it',
    needs: ['messages.compact', 'sessions.fork', 'messages.recentTurns'],
    async run({ store }) {
      await compactThrice(store)
      for (const [atSeq, expected] of [
        [9, { startSeq: 7, summarySeq: 9 }],
        [8, { startSeq: 5, summarySeq: 8 }],
        [7, { startSeq: 3, summarySeq: 7 }],
        [6, { startSeq: 1 }],
        [2, { startSeq: 1 }],
        [0, { startSeq: 1 }],
      ] as const) {
        assert.deepEqual((await store.sessions.fork('s', { atSeq })).context, expected, `at ${atSeq}`)
      }
      const whole = await store.sessions.fork('s')
      assert.deepEqual(await restoredTexts(store, whole.id), ['S3'])
      const { messages } = await store.messages.compact(whole.id, { throughSeq: 9, summary: user('S4') })
      assert.deepEqual(messages[0]?.metadata.summary, { fromSeq: 1, throughSeq: 9, line: [7, 8, 9] })
    },
  },
  {
    id: 'CTX-66',
    group,
    title: 'a clear and a replacement leave no summary',
    needs: ['messages.compact', 'messages.clear', 'messages.replace', 'messages.recentTurns'],
    async run({ store }) {
      await compactThrice(store)
      await store.messages.clear('s')
      assert.deepEqual(await contextOf(store), { startSeq: 10 })
      await store.messages.append('s', turns(1))
      assert.deepEqual(await restoredTexts(store), ['q1', 'a1'])
      await compactThrice(store, 't')
      await store.messages.replace('t', turns(1))
      assert.deepEqual(await contextOf(store, 't'), { startSeq: 10 })
      const { summary } = await store.messages.recentTurns('t', { turns: 1 })
      assert.equal(summary, undefined)
    },
  },
  {
    id: 'CTX-67',
    group,
    title: 'a summary that is changed stays the summary, with its mark, and the agent gets it as it is now',
    needs: ['messages.compact', 'messages.update', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      await store.messages.compact('s', { throughSeq: 2, summary: user('S1', { id: 'S1' }) })
      const mark = { fromSeq: 1, throughSeq: 2, line: [] }
      const changed = await store.messages.update('s', 'S1', { content: 'better', metadata: { m: 1 } })
      assert.deepEqual([changed.content, changed.metadata], [[text('better')], { m: 1, summary: mark }])
      assert.deepEqual(await contextOf(store), { startSeq: 3, summarySeq: 5 })
      assert.deepEqual(await restoredTexts(store), ['better\n\nq2', 'a2'])
      for (const metadata of [{ agentVisible: false }, { summary: { ...mark, throughSeq: 1 } }]) {
        await rejects('invalid', 'messages.update', () => store.messages.update('s', 'S1', { metadata }))
      }
      const window = await store.messages.recentTurns('s', { turns: 3 })
      assert.deepEqual([window.summary?.seq, seqs(window.messages)], [5, [3, 4]])
    },
  },
  {
    id: 'CTX-68',
    group,
    title: 'a damaged summary is reported and hides nothing else; removed, it hands over like any other',
    needs: ['messages.compact', 'messages.remove', 'messages.recentTurns'],
    needsHandle: ['damage'],
    async run({ store, damage }) {
      await compactThrice(store)
      await store.messages.append('s', turns(1, 4))
      await damage({ sessionId: 's', messageId: 'S3' })
      for (const mode of ['full', 'text'] as const) {
        const window = await store.messages.recentTurns('s', { turns: 3, mode })
        assert.deepEqual([seqs(window.messages), 'summary' in window], [[10, 11], false])
        assert.deepEqual(
          window.damaged?.map(({ seq }) => seq),
          [9],
        )
      }
      assert.deepEqual(await restoredTexts(store), ['q4', 'a4'])
      assert.equal(await store.messages.remove('s', ['S3']), 1)
      assert.deepEqual(await contextOf(store), { startSeq: 5, summarySeq: 8 })
      assert.deepEqual(await restoredTexts(store), ['S2\n\nq3', 'a3', 'q4', 'a4'])
    },
  },
  {
    id: 'CTX-69',
    group,
    title: 'a damaged summary that is mended is the current one again, with its mark',
    needs: ['messages.compact', 'messages.update', 'messages.recentTurns'],
    needsHandle: ['damage'],
    async run({ store, damage }) {
      await compactThrice(store)
      await damage({ sessionId: 's', messageId: 'S3' })
      const mended = await store.messages.update('s', 'S3', { content: 'mended', metadata: { m: 1 } })
      const mark = { fromSeq: 1, throughSeq: 6, line: [7, 8] }
      assert.deepEqual(mended.metadata, { m: 1, summary: mark })
      assert.deepEqual(await contextOf(store), { startSeq: 7, summarySeq: 9 })
      assert.deepEqual(await restoredTexts(store), ['mended'])
    },
  },
]
