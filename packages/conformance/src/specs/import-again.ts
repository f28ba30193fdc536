// Importing a source that was imported before: unchanged, longer, shorter, diverged, skipped, copied.

import assert from 'node:assert/strict'
import type { ImportedMessage, ImportedSession, NewMessage } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { readAll, seqs, texts, turns, user } from '../data.ts'
import { summary } from '../fixtures/summaries.ts'
import type { Spec } from '../spec.ts'

const group = 'import'
const needs = ['sessions.import'] as const
const source = { agent: 'goose', sessionId: '1', digest: '' }
const dated = (count: number): NewMessage[] =>
  turns(count).map((message, index) => ({ ...message, createdAt: 1000 + index }))

export const importAgainSpecs: readonly Spec[] = [
  {
    id: 'IMP-30',
    group,
    title: 'an unchanged source changes nothing',
    needs,
    async run({ store, clock }) {
      const first = await store.sessions.import({ source }, dated(2))
      clock.advance(10)
      const again = await store.sessions.import({ source, name: 'other', tags: ['x'] }, dated(2))
      assert.deepEqual(again, { session: first.session, outcome: 'unchanged', added: 0 })
      assert.deepEqual(await store.sessions.get(first.session.id), first.session)
      assert.equal((await readAll(store, first.session.id)).length, 4)
    },
  },
  {
    id: 'IMP-31',
    group,
    title: 'a longer source adds what is new to the same session, as one change',
    needs,
    async run({ store, clock }) {
      const first = await store.sessions.import({ source }, dated(2))
      const now = clock.advance(10)
      const { session, outcome, added } = await store.sessions.import({ source }, dated(4))
      assert.deepEqual([outcome, added], ['updated', 4])
      assert.deepEqual(session, {
        ...first.session,
        source: session.source,
        messageCount: 8,
        nextSeq: 9,
        preview: 'a4',
        lastActiveAt: 1007,
        updatedAt: now,
        version: 2,
        changeSeq: session.changeSeq,
      })
      assert.ok(session.changeSeq > first.session.changeSeq)
      assert.notEqual(session.source?.digest, first.session.source?.digest)
      assert.deepEqual(await store.sessions.get(session.id), session)
      assert.deepEqual(seqs(await readAll(store, session.id)), [1, 2, 3, 4, 5, 6, 7, 8])
      assert.equal((await store.sessions.import({ source }, dated(4))).outcome, 'unchanged')
    },
  },
  {
    id: 'IMP-32',
    group,
    title: 'a shorter source changes nothing',
    needs,
    async run({ store, clock }) {
      const first = await store.sessions.import({ source }, dated(3))
      clock.advance(10)
      for (const messages of [dated(2), []]) {
        const again = await store.sessions.import({ source }, messages)
        assert.deepEqual(again, { session: first.session, outcome: 'unchanged', added: 0 })
      }
      assert.equal((await readAll(store, first.session.id)).length, 6)
    },
  },
  {
    id: 'IMP-33',
    group,
    title: 'a source that has diverged is a conflict and changes nothing',
    needs,
    async run({ store }) {
      const { session } = await store.sessions.import({ source }, dated(2))
      const others: NewMessage[][] = [
        dated(3).with(1, user('other')),
        dated(2).with(3, user('other')),
        [user('other')],
        dated(2).map((message) => ({ ...message, metadata: { x: 1 } })),
      ]
      for (const messages of others) {
        await rejects('conflict', 'sessions.import', () => store.sessions.import({ source }, messages))
      }
      assert.deepEqual(await store.sessions.get(session.id), session)
      await store.messages.append(session.id, [user('own')])
      await rejects('conflict', 'sessions.import', () => store.sessions.import({ source }, dated(3)))
      assert.deepEqual(texts(await readAll(store, session.id)), ['q1', 'a1', 'q2', 'a2', 'own'])
    },
  },
  {
    id: 'IMP-34',
    group,
    title: 'name, pin and tags that the user gave win over those of the source',
    needs: ['sessions.import', 'sessions.update'],
    async run({ store }) {
      const facts: ImportedSession = { source, name: 'theirs', nameSource: 'auto', tags: ['theirs'] }
      const { session } = await store.sessions.import(facts, dated(1))
      await store.sessions.update(session.id, { name: 'mine', pinned: true, tags: ['mine'] })
      const changed: ImportedSession = { ...facts, name: 'new', tags: ['new'], pinned: false }
      const { session: after } = await store.sessions.import(changed, dated(2))
      assert.deepEqual(
        [after.name, after.nameSource, after.pinned, after.tags],
        ['mine', 'user', true, ['mine']],
      )
    },
  },
  {
    id: 'IMP-35',
    group,
    title: 'a name that is not the user’s follows the source',
    needs,
    async run({ store }) {
      await store.sessions.import({ source, name: 'before', nameSource: 'auto' }, dated(1))
      const { session } = await store.sessions.import({ source, name: 'after', nameSource: 'auto' }, dated(2))
      assert.deepEqual([session.name, session.nameSource], ['after', 'auto'])
      const unnamed = await store.sessions.import({ source }, dated(3))
      assert.deepEqual([unnamed.session.name, unnamed.session.nameSource], ['after', 'auto'])
    },
  },
  {
    id: 'IMP-36',
    group,
    title: 'skip leaves what was imported before',
    needs,
    async run({ store }) {
      const first = await store.sessions.import({ source }, dated(1), { onExisting: 'skip' })
      assert.equal(first.outcome, 'created')
      for (const messages of [dated(1), dated(2), [user('other')]]) {
        const again = await store.sessions.import({ source }, messages, { onExisting: 'skip' })
        assert.deepEqual(again, { session: first.session, outcome: 'skipped', added: 0 })
      }
      assert.equal((await readAll(store, first.session.id)).length, 2)
    },
  },
  {
    id: 'IMP-37',
    group,
    title: 'copy makes another session, which has no source',
    needs,
    async run({ store }) {
      const first = await store.sessions.import({ source }, dated(1))
      const copy = await store.sessions.import({ source }, dated(2), { onExisting: 'copy' })
      assert.deepEqual([copy.outcome, copy.added, copy.session.id], ['copied', 4, '20260301_2'])
      assert.equal('source' in copy.session, false)
      assert.deepEqual(await store.sessions.get(first.session.id), first.session)
      const again = await store.sessions.import({ source }, dated(1))
      assert.deepEqual([again.outcome, again.session.id], ['unchanged', first.session.id])
    },
  },
  {
    id: 'IMP-38',
    group,
    title: 'a match in the trash stays there and is skipped; once purged, the source is new',
    needs: ['sessions.import', 'sessions.remove'],
    async run({ store }) {
      const { session } = await store.sessions.import({ source }, dated(1))
      await store.sessions.remove(session.id)
      const trashed = defined(await store.sessions.get(session.id))
      for (const messages of [dated(1), dated(2)]) {
        const again = await store.sessions.import({ source }, messages)
        assert.deepEqual(again, { session: trashed, outcome: 'skipped', added: 0 })
      }
      await store.sessions.remove(session.id, { purge: true })
      const anew = await store.sessions.import({ source }, dated(2))
      assert.deepEqual([anew.outcome, anew.added, anew.session.id], ['created', 4, '20260301_2'])
    },
  },
  {
    id: 'IMP-39',
    group,
    title: 'a source is agent, session and owner together',
    needs,
    async run({ store }) {
      const sources: ImportedSession[] = [
        { source },
        { source: { ...source, agent: 'codex' } },
        { source: { ...source, sessionId: '2' } },
        { source, ownerId: 'ada' },
      ]
      for (const session of sources) {
        assert.equal((await store.sessions.import(session, dated(1))).outcome, 'created')
      }
      for (const session of sources) {
        assert.equal((await store.sessions.import(session, dated(1))).outcome, 'unchanged')
      }
    },
  },
  {
    id: 'IMP-40',
    group,
    title: 'equal messages have an equal digest, whatever else differs, and others another',
    needs,
    async run({ store }) {
      const digest = async (sessionId: string, messages: NewMessage[]) => {
        const given = { source: { ...source, sessionId }, name: sessionId }
        return (await store.sessions.import(given, messages)).session.source?.digest
      }
      const first = await digest('a', dated(2))
      assert.equal(await digest('b', dated(2)), first)
      assert.notEqual(await digest('c', dated(3)), first)
      assert.notEqual(await digest('d', dated(2).with(0, user('x', { createdAt: 1000 }))), first)
    },
  },
  {
    id: 'IMP-41',
    group,
    title: 'messages a source adds keep their own seqs, or follow the last where those are taken',
    needs,
    async run({ store }) {
      const [q1, a1, q2, a2] = dated(2) as [NewMessage, NewMessage, NewMessage, NewMessage]
      const rows = [
        { ...q1, seq: 2 },
        { ...a1, seq: 4 },
      ]
      const longer = [...rows, { ...q2, seq: 8 }, { ...a2, seq: 9 }]
      const { session } = await store.sessions.import({ source }, rows)
      await store.sessions.import({ source }, longer.slice(0, 3))
      assert.deepEqual(seqs(await readAll(store, session.id)), [2, 4, 8])
      await store.sessions.import({ source }, longer)
      assert.deepEqual(seqs(await readAll(store, session.id)), [2, 4, 8, 9])
      assert.equal((await store.sessions.get(session.id))?.nextSeq, 10)
      const other = { ...source, sessionId: '2' }
      const { id } = (await store.sessions.import({ source: other, nextSeq: 20 }, rows)).session
      await store.sessions.import({ source: other }, longer)
      assert.deepEqual(seqs(await readAll(store, id)), [2, 4, 20, 21])
      assert.equal((await store.sessions.get(id))?.nextSeq, 22)
    },
  },
  {
    id: 'IMP-42',
    group,
    title: 'one source imported several times at once is stored once',
    needs,
    async run({ store }) {
      const receipts = await Promise.all([1, 2, 3].map(() => store.sessions.import({ source }, dated(2))))
      assert.deepEqual(receipts.map(({ outcome }) => outcome).sort(), ['created', 'unchanged', 'unchanged'])
      assert.equal(new Set(receipts.map(({ session }) => session.id)).size, 1)
      assert.equal((await readAll(store, '20260301_1')).length, 4)
    },
  },
  {
    id: 'IMP-43',
    group,
    title: 'a source that gives the id of a stored message to a new one is a conflict and changes nothing',
    needs,
    async run({ store }) {
      const { session } = await store.sessions.import({ source }, [user('q', { id: 'a' })])
      const moved = [user('q', { id: 'b' }), user('r', { id: 'a' })]
      await rejects('conflict', 'sessions.import', () => store.sessions.import({ source }, moved))
      assert.deepEqual(await store.sessions.get(session.id), session)
      assert.deepEqual(texts(await readAll(store, session.id)), ['q'])
    },
  },
  {
    id: 'IMP-44',
    group,
    title: 'a context comes along only where every stored message has the seq its source gives it',
    needs,
    async run({ store }) {
      const [q1, a1, q2, a2] = dated(2) as [NewMessage, NewMessage, NewMessage, NewMessage]
      const mark = (seq: number, throughSeq: number): ImportedMessage => ({
        ...summary('S', throughSeq),
        seq,
      })
      const rows = (first: number) => [q1, a1].map((message, index) => ({ ...message, seq: first + index }))
      const cases = [
        // The source has given its messages other seqs: message 3 is an ordinary one here.
        { before: [...rows(1), mark(3, 2), { ...q2, seq: 4 }], first: 3, expected: { startSeq: 1 } },
        {
          before: [...rows(2), mark(4, 2), { ...q2, seq: 5 }],
          first: 2,
          expected: { startSeq: 3, summarySeq: 4 },
        },
      ]
      for (const [index, { before, first, expected }] of cases.entries()) {
        const given = { source: { ...source, sessionId: `${index}` } }
        const { session } = await store.sessions.import(given, before)
        const after = [...rows(first), mark(first + 2, 2), { ...q2, seq: first + 3 }, { ...a2, seq: 9 }]
        const context = { startSeq: 3, summarySeq: first + 2 }
        const again = await store.sessions.import({ ...given, context }, after)
        assert.deepEqual([again.outcome, again.session.context], ['updated', expected])
        assert.equal((await readAll(store, session.id)).length, 5)
      }
    },
  },
]
