// Taking messages away: by id, from one on, or all.

import assert from 'node:assert/strict'
import { restoreConversation } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { assistant, readAll, seqs, texts, turns, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'edits'
const create = { createSession: true } as const

/** Six messages `m1` to `m6` with texts `q1`, `a1`, ... */
function six() {
  return turns(3).map((message, index) => ({ ...message, id: `m${index + 1}` }))
}

export const editRemoveSpecs: readonly Spec[] = [
  {
    id: 'EDT-20',
    group,
    title: 'remove deletes messages by id and answers how many there were',
    needs: ['messages.remove', 'messages.get'],
    async run({ store }) {
      await store.messages.append('s', six(), create)
      await store.messages.append('other', [user('q', { id: 'of other' })], create)
      const before = await readAll(store, 's')
      const gone = ['m5', 'm2', 'unknown', 'm2', 'of other']
      assert.equal(await store.messages.remove('s', gone), 2)
      assert.deepEqual(
        await readAll(store, 's'),
        before.filter(({ id }) => id !== 'm2' && id !== 'm5'),
      )
      assert.equal(await store.messages.get('s', 'm2'), undefined)
      assert.equal((await readAll(store, 'other')).length, 1)
    },
  },
  {
    id: 'EDT-21',
    group,
    title: 'removing several messages is one change; the seqs stay and go on, the activity stays',
    needs: ['messages.remove'],
    async run({ store, clock }) {
      await store.messages.append('s', six(), create)
      const before = defined(await store.sessions.get('s'))
      const now = clock.advance(10)
      await store.messages.remove('s', ['m2', 'm6'])
      const after = defined(await store.sessions.get('s'))
      assert.ok(after.changeSeq > before.changeSeq)
      assert.deepEqual(after, {
        ...before,
        version: before.version + 1,
        messageCount: 4,
        preview: 'q3',
        updatedAt: now,
        changeSeq: after.changeSeq,
      })
      assert.equal((await store.messages.append('s', [user('q')])).firstSeq, 7)
    },
  },
  {
    id: 'EDT-22',
    group,
    title: 'removing nothing changes nothing',
    needs: ['messages.remove'],
    async run({ store, clock }) {
      await store.messages.append('s', six(), create)
      const before = await store.sessions.get('s')
      clock.advance(10)
      for (const none of [[], ['unknown'], ['M1', 'm1 ']]) {
        assert.equal(await store.messages.remove('s', none), 0)
      }
      for (const wrong of ['m1', [''], ['..'], [5], undefined]) {
        await rejects('invalid', 'messages.remove', () => store.messages.remove('s', wrong as never))
      }
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'EDT-23',
    group,
    title: 'the id of a removed message is free, and a retry of its operation stores nothing',
    needs: ['messages.remove'],
    async run({ store }) {
      const options = { createSession: true, operationId: 'op' } as const
      const first = await store.messages.append('s', six(), options)
      await store.messages.remove('s', ['m2'])
      assert.deepEqual(await store.messages.append('s', six(), options), {
        ...first,
        messages: first.messages.filter(({ id }) => id !== 'm2'),
      })
      assert.equal((await store.messages.append('s', [user('new', { id: 'm2' })])).firstSeq, 7)
    },
  },
  {
    id: 'EDT-24',
    group,
    title: 'turns are those of the messages that are left',
    needs: ['messages.remove', 'messages.recentTurns'],
    async run({ store }) {
      await store.messages.append('s', six(), create)
      await store.messages.remove('s', ['m3'])
      const window = await store.messages.recentTurns('s', { turns: 2 })
      assert.deepEqual(
        window.turns.map(({ seq }) => seq),
        [1, 5],
      )
      assert.deepEqual(seqs(window.messages), [1, 2, 4, 5, 6])
      assert.deepEqual(texts((await restoreConversation(store, 's')).messages), ['q1', 'a2', 'q3', 'a3'])
      await store.messages.remove('s', ['m1', 'm2', 'm5'])
      const none = await store.messages.recentTurns('s', { turns: 2 })
      assert.deepEqual([none.messages, none.dropped], [[], 2])
    },
  },
  {
    id: 'EDT-30',
    group,
    title: 'truncate deletes the messages from one on, that one included, and answers how many there were',
    needs: ['messages.truncate'],
    async run({ store }) {
      for (const [id, options, left] of [
        ['by id', { fromMessageId: 'm3' }, [1, 2]],
        ['by seq', { fromSeq: 3 }, [1, 2]],
        ['last', { fromMessageId: 'm6' }, [1, 2, 3, 4, 5]],
        ['first', { fromSeq: 1 }, []],
        ['zero', { fromSeq: 0 }, []],
      ] as const) {
        await store.messages.append(id, six(), create)
        assert.equal(await store.messages.truncate(id, options), 6 - left.length, id)
        assert.deepEqual(seqs(await readAll(store, id)), left, id)
      }
    },
  },
  {
    id: 'EDT-31',
    group,
    title: 'truncate is one change, and a seq it took away is not used again',
    needs: ['messages.truncate'],
    async run({ store, clock }) {
      await store.messages.append('s', six(), create)
      const before = defined(await store.sessions.get('s'))
      const now = clock.advance(10)
      await store.messages.truncate('s', { fromSeq: 4 })
      const after = defined(await store.sessions.get('s'))
      assert.ok(after.changeSeq > before.changeSeq)
      assert.deepEqual(after, {
        ...before,
        version: before.version + 1,
        messageCount: 3,
        preview: 'q2',
        updatedAt: now,
        changeSeq: after.changeSeq,
      })
      assert.equal((await store.messages.append('s', [user('q')])).firstSeq, 7)
      assert.equal(await store.messages.truncate('s', { fromSeq: 4 }), 1)
      assert.equal((await store.messages.append('s', [user('q')])).firstSeq, 8)
    },
  },
  {
    id: 'EDT-32',
    group,
    title: 'truncate beyond the end changes nothing, and at an unknown message is not-found',
    needs: ['messages.truncate'],
    async run({ store, clock }) {
      await store.messages.append('s', six(), create)
      await store.messages.append('other', [user('q', { id: 'of other' })], create)
      const before = await store.sessions.get('s')
      clock.advance(10)
      assert.equal(await store.messages.truncate('s', { fromSeq: 7 }), 0)
      for (const fromMessageId of ['unknown', 'of other']) {
        await rejects('not-found', 'messages.truncate', () => store.messages.truncate('s', { fromMessageId }))
      }
      for (const wrong of [{}, { fromSeq: 1, fromMessageId: 'm1' }, { fromSeq: -1 }, { toSeq: 1 }]) {
        await rejects('invalid', 'messages.truncate', () => store.messages.truncate('s', wrong))
      }
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'EDT-40',
    group,
    title: 'clear deletes every message and answers how many there were; the session itself stays',
    needs: ['messages.clear', 'sessions.addUsage'],
    async run({ store, clock }) {
      await store.messages.append('s', six(), { createSession: { name: 'n', tags: ['t'] } })
      await store.messages.append('other', turns(1), create)
      const before = await store.sessions.addUsage('s', { input: 1 })
      const now = clock.advance(10)
      assert.equal(await store.messages.clear('s'), 6)
      const after = defined(await store.sessions.get('s'))
      assert.deepEqual(after, {
        ...before,
        version: before.version + 1,
        messageCount: 0,
        preview: '',
        context: { startSeq: 7 },
        updatedAt: now,
        changeSeq: after.changeSeq,
      })
      assert.deepEqual(await store.messages.read('s'), { items: [] })
      assert.equal((await readAll(store, 'other')).length, 2)
    },
  },
  {
    id: 'EDT-41',
    group,
    title: 'after a clear the seqs go on, the context begins with what comes next, and all ids are free',
    needs: ['messages.clear', 'messages.recentTurns'],
    async run({ store }) {
      const options = { createSession: true, operationId: 'op' } as const
      const first = await store.messages.append('s', six(), options)
      await store.messages.clear('s')
      assert.deepEqual(await store.messages.append('s', six(), options), { ...first, messages: [] })
      const { firstSeq } = await store.messages.append('s', [user('new', { id: 'm1' }), assistant('reply')])
      assert.equal(firstSeq, 7)
      const window = await store.messages.recentTurns('s', { turns: 3 })
      assert.deepEqual([seqs(window.messages), window.reachedStart, window.dropped], [[7, 8], true, 0])
    },
  },
  {
    id: 'EDT-42',
    group,
    title: 'a clear of a session without messages answers 0 and changes nothing',
    needs: ['messages.clear'],
    async run({ store, clock }) {
      await store.sessions.create({ id: 'empty' })
      await store.messages.append('s', six(), create)
      await store.messages.clear('s')
      for (const id of ['empty', 's']) {
        const before = await store.sessions.get(id)
        clock.advance(10)
        assert.equal(await store.messages.clear(id), 0)
        assert.deepEqual(await store.sessions.get(id), before)
      }
    },
  },
]
