// Imports that are refused: the whole input is read and checked before anything is written.

import assert from 'node:assert/strict'
import type { ImportedMessage, ImportedSession, Session } from '@sess/core'
import { rejects } from '../assertions.ts'
import { assistant, ids, turns, user } from '../data.ts'
import { summary } from '../fixtures/summaries.ts'
import type { Spec } from '../spec.ts'

const group = 'import'
const needs = ['sessions.import'] as const

export const importRefusedSpecs: readonly Spec[] = [
  {
    id: 'IMP-20',
    group,
    title: 'a source that fails half-way is invalid, with what it threw as the cause, and leaves nothing',
    needs: ['sessions.import', 'sessions.list'],
    async run({ store }) {
      const cause = new Error('the file ends here')
      async function* torn() {
        yield* turns(2)
        throw cause
      }
      const error = await rejects('invalid', 'sessions.import', () =>
        store.sessions.import({ id: 's' }, torn()),
      )
      assert.equal(error.cause, cause)
      assert.ok(error.message.includes('messages[4]'), error.message)
      assert.equal(await store.sessions.get('s'), undefined)
      assert.deepEqual((await store.sessions.list({ types: 'all' })).items, [])
    },
  },
  {
    id: 'IMP-21',
    group,
    title: 'a bad message, a repeated id or seqs that do not grow are invalid by name, and nothing is stored',
    needs: ['sessions.import', 'sessions.list'],
    async run({ store }) {
      const [q, a] = [user('q'), assistant('a')]
      const wrong: [ImportedMessage[], RegExp][] = [
        [[q, { ...a, role: 'robot' as 'user' }], /messages\[1\]\.role/],
        [[q, a, user([{ type: 'text' }])], /messages\[2\]\.content\[0\]\.text/],
        [[q, { ...a, metadata: { x: Number.NaN } }], /messages\[1\]\.metadata\.x/],
        [[user('q', { id: 'x' }), a, user('r', { id: 'x' })], /messages\[2\]\.id/],
        [[q, a, { ...q, seq: 2 }], /messages\[2\]\.seq/],
        [
          [
            { ...q, seq: 9 },
            { ...a, seq: 3 },
          ],
          /messages\[1\]\.seq/,
        ],
        [[{ ...q, seq: 0 }], /messages\[0\]\.seq/],
        [[null as never], /messages\[0\]/],
      ]
      for (const [messages, named] of wrong) {
        const error = await rejects('invalid', 'sessions.import', () => store.sessions.import({}, messages))
        assert.match(error.message, named)
      }
      await rejects('invalid', 'sessions.import', () => store.sessions.import({}, 5 as never))
      await rejects('invalid', 'sessions.import', () => store.sessions.import({}, null as never))
      assert.deepEqual(ids((await store.sessions.list({ types: 'all' })).items), [])
      assert.equal((await store.sessions.create()).id, '20260301_1')
    },
  },
  {
    id: 'IMP-22',
    group,
    title: 'a session whose fields contradict its messages is invalid',
    needs,
    async run({ store }) {
      const rows = [...turns(2), summary('S', 2)]
      const wrong: ImportedSession[] = [
        { nextSeq: 5 },
        { context: { startSeq: 7 } },
        { context: { startSeq: 1, summarySeq: 2 } },
        { context: { startSeq: 1, summarySeq: 9 } },
        { type: 'robot' as 'user' },
        { name: '' },
        { tokenCounts: { last: { input: -1 }, accumulated: {} } },
        { source: { agent: 'a' } as Session['source'] },
      ]
      for (const session of wrong) {
        await rejects('invalid', 'sessions.import', () =>
          store.sessions.import({ id: 's', ...session }, rows),
        )
      }
      await rejects('invalid', 'sessions.import', () =>
        store.sessions.import({ id: 's' }, rows, { onExisting: 'merge' as 'copy' }),
      )
      assert.equal(await store.sessions.get('s'), undefined)
      await store.sessions.import({ id: 's', nextSeq: 6, context: { startSeq: 6, summarySeq: 5 } }, rows)
    },
  },
  {
    id: 'IMP-23',
    group,
    title: 'a large import that is bad at its end leaves nothing',
    needs: ['sessions.import', 'sessions.list'],
    async run({ store }) {
      const messages = [...turns(3000), user('q', { id: '' })]
      await rejects('invalid', 'sessions.import', () => store.sessions.import({ id: 's' }, messages))
      const query = { types: 'all', archived: 'any', deleted: 'any' } as const
      assert.deepEqual((await store.sessions.list(query)).items, [])
    },
  },
  {
    id: 'IMP-24',
    group,
    title:
      'seqs that leave no room for what is appended, and summaries of what comes after them, are invalid',
    needs: ['sessions.import', 'messages.compact'],
    async run({ store }) {
      const highest = 2 ** 52
      const mark = (fromSeq: number, throughSeq: number, line: number[] = []): ImportedMessage => ({
        ...user('S'),
        metadata: { summary: { fromSeq, throughSeq, line } },
      })
      const wrong: [ImportedSession, ImportedMessage[], RegExp][] = [
        [{}, [{ ...user('q'), seq: highest + 1 }], /messages\[0\]\.seq/],
        [{}, [{ ...user('q'), seq: Number.MAX_SAFE_INTEGER }], /messages\[0\]\.seq/],
        [{ nextSeq: Number.MAX_SAFE_INTEGER }, turns(1), /session\.nextSeq/],
        [{}, [...turns(1), mark(1, 4)], /messages\[2\]\.metadata\.summary\.throughSeq/],
        [{}, [...turns(1), mark(1, Number.MAX_SAFE_INTEGER)], /messages\[2\]\.metadata\.summary\.throughSeq/],
        [{}, [...turns(1), mark(3, 1)], /messages\[2\]\.metadata\.summary\.fromSeq/],
        [{}, [...turns(1), mark(1, 2, [3])], /messages\[2\]\.metadata\.summary\.line/],
      ]
      for (const [session, messages, named] of wrong) {
        const error = await rejects('invalid', 'sessions.import', () =>
          store.sessions.import({ id: 's', ...session }, messages),
        )
        assert.match(error.message, named)
      }
      assert.equal(await store.sessions.get('s'), undefined)
      await store.sessions.import({ id: 's', nextSeq: highest }, [{ ...user('q'), seq: highest - 1 }])
      const { lastSeq } = await store.messages.append('s', turns(1))
      assert.equal(lastSeq, highest + 1)
      assert.deepEqual(
        await store.messages
          .compact('s', { throughSeq: highest, summary: user('S') })
          .then(({ firstSeq }) => firstSeq),
        highest + 2,
      )
    },
  },
]
