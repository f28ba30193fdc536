// Importing a session: what is kept, and what is derived where it is not given.

import assert from 'node:assert/strict'
import type { ImportedMessage, ImportedSession, Session } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { startTime } from '../clock.ts'
import { assistant, readAll, seqs, texts, turns, user } from '../data.ts'
import { summary } from '../fixtures/summaries.ts'
import type { Spec } from '../spec.ts'

const group = 'import'
const needs = ['sessions.import'] as const

export const importSpecs: readonly Spec[] = [
  {
    id: 'IMP-01',
    group,
    title: 'ids, seqs, times, content and metadata of messages are kept, the session id is new',
    needs,
    async run({ store }) {
      const messages: ImportedMessage[] = [
        user('q', { id: 'first', createdAt: 1000, metadata: { channelType: 'web' } }),
        { ...assistant('a', { id: 'second', createdAt: 900 }), seq: 5 },
        {
          role: 'tool',
          content: [{ type: 'x', v: 1 } as { type: string }],
          id: 'third',
          seq: 7,
          createdAt: 1200,
        },
      ]
      const receipt = await store.sessions.import({ name: 'imported' }, messages)
      assert.deepEqual([receipt.outcome, receipt.added, receipt.session.id], ['created', 3, '20260301_1'])
      const sessionId = '20260301_1'
      assert.deepEqual(await readAll(store, sessionId), [
        {
          id: 'first',
          sessionId,
          seq: 1,
          role: 'user',
          content: [{ type: 'text', text: 'q' }],
          createdAt: 1000,
          metadata: { channelType: 'web' },
        },
        {
          id: 'second',
          sessionId,
          seq: 5,
          role: 'assistant',
          content: [{ type: 'text', text: 'a' }],
          createdAt: 900,
          metadata: {},
        },
        {
          id: 'third',
          sessionId,
          seq: 7,
          role: 'tool',
          content: [{ type: 'x', v: 1 }],
          createdAt: 1200,
          metadata: {},
        },
      ])
      assert.deepEqual(await store.sessions.get(sessionId), receipt.session)
    },
  },
  {
    id: 'IMP-02',
    group,
    title: 'every fact of the session is kept, its digest is of the messages, and it begins at version 1',
    needs,
    async run({ store }) {
      const facts = {
        id: 'given',
        name: 'n',
        nameSource: 'auto',
        type: 'terminal',
        ownerId: 'ada',
        workingDir: '/w',
        channelType: 'cli',
        channelKey: 'k',
        parentSessionId: 'p',
        providerName: 'x',
        modelConfig: { model: 'm' },
        mode: 'auto',
        extensionData: { e: 1 },
        metadata: { m: 1 },
        tags: ['a', 'b'],
        forkedFrom: { sessionId: 'f', seq: 3 },
        branchOf: 'b',
        tokenCounts: { last: { input: 1 }, accumulated: { input: 10, cost: 0.5 } },
        pinned: true,
        archivedAt: 700,
        createdAt: 500,
        lastActiveAt: 5000,
        nextSeq: 20,
        context: { startSeq: 3, summarySeq: 5 },
      } satisfies ImportedSession
      const source = { agent: 'goose', sessionId: '1', digest: 'theirs' }
      const rows = [...turns(2), summary('S', 2)].map((message) => ({ ...message, createdAt: 600 }))
      const given = { ...facts, updatedAt: 800, source }
      const { session } = await store.sessions.import(given, rows)
      const expected: Session = {
        ...given,
        source: { ...source, digest: defined(session.source).digest },
        messageCount: 5,
        preview: 'S',
        version: 1,
        changeSeq: session.changeSeq,
      }
      assert.deepEqual(session, expected)
      assert.match(session.source?.digest ?? '', /^[0-9a-f]{32}$/)
      assert.deepEqual(await store.sessions.get('given'), session)
    },
  },
  {
    id: 'IMP-03',
    group,
    title: 'what is not given is derived from the messages',
    needs,
    async run({ store }) {
      const messages = [user('q', { createdAt: 3000 }), assistant('a', { createdAt: 1000 })]
      const { session } = await store.sessions.import({}, messages)
      assert.deepEqual(session, {
        id: '20260301_1',
        name: 'New session',
        nameSource: 'default',
        type: 'user',
        ownerId: '',
        extensionData: {},
        metadata: {},
        tags: [],
        tokenCounts: { last: {}, accumulated: {} },
        pinned: false,
        createdAt: 1000,
        updatedAt: startTime,
        lastActiveAt: 3000,
        messageCount: 2,
        nextSeq: 3,
        preview: 'a',
        context: { startSeq: 1 },
        version: 1,
        changeSeq: session.changeSeq,
      })
      const empty = await store.sessions.import({}, [])
      const { createdAt, lastActiveAt, nextSeq, preview } = empty.session
      assert.deepEqual([createdAt, lastActiveAt, nextSeq, preview], [startTime, startTime, 1, ''])
      assert.deepEqual([empty.added, empty.outcome], [0, 'created'])
    },
  },
  {
    id: 'IMP-04',
    group,
    title: 'an imported session is written to like any other, from its next seq on',
    needs: ['sessions.import', 'messages.get'],
    async run({ store }) {
      const { session } = await store.sessions.import({ nextSeq: 9 }, turns(2))
      const receipt = await store.messages.append(session.id, [user('more')], { expectedVersion: 1 })
      assert.deepEqual([receipt.version, receipt.firstSeq], [2, 9])
      const messages = await readAll(store, session.id)
      assert.deepEqual(seqs(messages), [1, 2, 3, 4, 9])
      assert.deepEqual(await store.messages.get(session.id, messages[1]?.id ?? ''), messages[1])
      assert.deepEqual(
        seqs((await store.messages.read(session.id, { fromSeq: 3, toSeq: 9 })).items),
        [3, 4, 9],
      )
    },
  },
  {
    id: 'IMP-05',
    group,
    title: 'a given id is kept, raises the counter of its day, and is already-exists where it is taken',
    needs: ['sessions.import', 'sessions.remove'],
    async run({ store }) {
      const { session } = await store.sessions.import({ id: '20260301_5' }, turns(1))
      assert.equal(session.id, '20260301_5')
      assert.equal((await store.sessions.import({}, [])).session.id, '20260301_6')
      for (const trashed of [false, true]) {
        if (trashed) await store.sessions.remove('20260301_5')
        await rejects('already-exists', 'sessions.import', () =>
          store.sessions.import({ id: '20260301_5' }, turns(2)),
        )
      }
      assert.equal((await readAll(store, '20260301_5')).length, 2)
    },
  },
  {
    id: 'IMP-06',
    group,
    title: 'messages come from any iterable, also an asynchronous one',
    needs,
    async run({ store }) {
      async function* later() {
        yield* turns(2)
      }
      for (const messages of [turns(2), new Set(turns(2)), later(), turns(2).values()]) {
        const { session, added } = await store.sessions.import({}, messages)
        assert.equal(added, 4)
        assert.deepEqual(texts(await readAll(store, session.id)), ['q1', 'a1', 'q2', 'a2'])
      }
    },
  },
  {
    id: 'IMP-07',
    group,
    title: 'a session of another store may be given as it is',
    needs,
    async run({ store, another }) {
      const fields = { id: 'moved', name: 'n', tags: ['t'], metadata: { a: 1 }, createdAt: 100 }
      await store.sessions.create(fields)
      const batch = turns(3).map((message, index) => ({ ...message, createdAt: 200 + index }))
      await store.messages.append('moved', batch)
      const session = defined(await store.sessions.get('moved'))
      const messages = await readAll(store, 'moved')
      const target = await another()
      const imported = await target.sessions.import(session, messages)
      const { version, changeSeq } = imported.session
      assert.deepEqual(imported.session, { ...session, version, changeSeq })
      assert.equal(version, 1)
      assert.deepEqual(await readAll(target, 'moved'), messages)
    },
  },
  {
    id: 'IMP-08',
    group,
    title: 'without a source the same session is imported anew each time',
    needs,
    async run({ store }) {
      const receipts = [await store.sessions.import({}, turns(1)), await store.sessions.import({}, turns(1))]
      assert.deepEqual(
        receipts.map(({ outcome, session }) => [outcome, session.id, session.source]),
        [
          ['created', '20260301_1', undefined],
          ['created', '20260301_2', undefined],
        ],
      )
    },
  },
  {
    id: 'IMP-09',
    group,
    title: 'a large import is whole, in its order, and stands in lists like any other',
    needs: ['sessions.import', 'sessions.list'],
    async run({ store }) {
      const { session, added } = await store.sessions.import({ name: 'large' }, turns(3000))
      assert.deepEqual([added, session.messageCount, session.nextSeq], [6000, 6000, 6001])
      assert.deepEqual([session.type, session.metadata, session.preview], ['user', {}, 'a3000'])
      const messages = await readAll(store, session.id, { limit: 1000 })
      assert.deepEqual(
        texts(messages),
        turns(3000).map(({ content }) => content),
      )
      assert.deepEqual((await store.sessions.list({ types: 'all' })).items, [session])
    },
  },
]
