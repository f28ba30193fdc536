// Reading: ranges, both orders, pages by count and by size, single messages, damaged rows.

import assert from 'node:assert/strict'
import type { MessageRange } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { readAll, seqs, text, texts, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'messages'
const create = { createSession: true } as const
const megabyte = 1_048_576

export const messageReadSpecs: readonly Spec[] = [
  {
    id: 'MSG-60',
    group,
    title: 'a read of a session that is unknown, impossible or without messages is empty',
    async run({ store }) {
      await store.sessions.create({ id: 'empty' })
      for (const id of ['empty', 'unknown', '', '..', 'a\u0000']) {
        assert.deepEqual(await store.messages.read(id), { items: [] }, JSON.stringify(id))
        assert.deepEqual(await store.messages.read(id, { order: 'desc', fromSeq: 3 }), { items: [] })
      }
    },
  },
  {
    id: 'MSG-61',
    group,
    title: 'a range takes both its ends, in either order',
    async run({ store }) {
      await store.messages.append('s', turns(5), create)
      const read = async (range: MessageRange) => seqs((await store.messages.read('s', range)).items)
      assert.deepEqual(await read({}), upTo(10))
      assert.deepEqual(await read({ order: 'desc' }), upTo(10).reverse())
      assert.deepEqual(await read({ fromSeq: 4, toSeq: 6 }), [4, 5, 6])
      assert.deepEqual(await read({ fromSeq: 4, toSeq: 6, order: 'desc' }), [6, 5, 4])
      assert.deepEqual(await read({ fromSeq: 10 }), [10])
      assert.deepEqual(await read({ toSeq: 1 }), [1])
      assert.deepEqual(await read({ fromSeq: 5, toSeq: 5 }), [5])
      assert.deepEqual(await read({ fromSeq: 0, toSeq: 1000 }), upTo(10))
      assert.deepEqual(await read({ fromSeq: 6, toSeq: 4 }), [])
      assert.deepEqual(await read({ fromSeq: 11 }), [])
      assert.deepEqual(await read({ toSeq: 0 }), [])
    },
  },
  {
    id: 'MSG-62',
    group,
    title: 'pages follow each other without loss or repeat in either order and within a range',
    async run({ store }) {
      await store.messages.append('s', turns(12), create)
      for (const limit of [1, 5, 23, 24]) {
        assert.deepEqual(seqs(await readAll(store, 's', { limit })), upTo(24))
        assert.deepEqual(seqs(await readAll(store, 's', { limit, order: 'desc' })), upTo(24).reverse())
        const range = { limit, fromSeq: 3, toSeq: 20 }
        assert.deepEqual(seqs(await readAll(store, 's', range)), upTo(20).slice(2))
        const down = { ...range, order: 'desc' } as const
        assert.deepEqual(seqs(await readAll(store, 's', down)), upTo(20).slice(2).reverse())
      }
    },
  },
  {
    id: 'MSG-63',
    group,
    title: 'a page holds 50 unless asked for 1 to 1,000, and the last one has no next',
    async run({ store }) {
      await store.messages.append('s', turns(26), create)
      assert.equal((await store.messages.read('s')).items.length, 50)
      const all = await store.messages.read('s', { limit: 52 })
      assert.equal(all.items.length, 52)
      assert.equal('nextCursor' in all, false)
      assert.equal('nextCursor' in (await store.messages.read('s', { toSeq: 10, limit: 10 })), false)
      for (const range of [{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { fromSeq: -1 }, { toSeq: 0.5 }]) {
        await rejects('invalid', 'messages.read', () => store.messages.read('s', range))
      }
      for (const range of [{ order: 'up' }, { colour: 'red' }]) {
        await rejects('invalid', 'messages.read', () => store.messages.read('s', range as object))
      }
    },
  },
  {
    id: 'MSG-64',
    group,
    title: 'appends between pages are read after the rest going up, and not at all going down',
    async run({ store }) {
      await store.messages.append('s', turns(3), create)
      const up = await store.messages.read('s', { limit: 4 })
      const down = await store.messages.read('s', { limit: 4, order: 'desc' })
      await store.messages.append('s', turns(1))
      const upNext = await store.messages.read('s', { limit: 4, cursor: defined(up.nextCursor) })
      const cursor = defined(down.nextCursor)
      const downNext = await store.messages.read('s', { limit: 4, order: 'desc', cursor })
      assert.deepEqual(seqs(upNext.items), [5, 6, 7, 8])
      assert.deepEqual(seqs(downNext.items), [2, 1])
    },
  },
  {
    id: 'MSG-65',
    group,
    title: 'a cursor of another session, order, range or method is invalid-cursor, and so is no cursor',
    needs: ['sessions.list'],
    async run({ store }) {
      for (const id of ['s', 't']) await store.messages.append(id, turns(3), create)
      const range = { limit: 2, fromSeq: 2 }
      const cursor = defined((await store.messages.read('s', range)).nextCursor)
      const foreign = defined((await store.sessions.list({ limit: 1 })).nextCursor)
      const wrong: [string, MessageRange][] = [
        ['t', { ...range, cursor }],
        ['s', { ...range, order: 'desc', cursor }],
        ['s', { limit: 2, cursor }],
        ['s', { ...range, toSeq: 5, cursor }],
        ['s', { ...range, cursor: foreign }],
        ['s', { ...range, cursor: cursor.slice(1) }],
        ['s', { ...range, cursor: '' }],
        ['unknown', { ...range, cursor: 'x' }],
      ]
      for (const [id, asked] of wrong) {
        await rejects('invalid-cursor', 'messages.read', () => store.messages.read(id, asked))
      }
      assert.deepEqual(
        seqs((await store.messages.read('s', { ...range, limit: 3, cursor })).items),
        [4, 5, 6],
      )
    },
  },
  {
    id: 'MSG-66',
    group,
    title: 'a page ends after 4 MiB of content, in either order',
    needsMessageBytes: 2 * megabyte,
    async run({ store }) {
      for (const number of upTo(5)) {
        await store.messages.append('s', [user(`${number}${'x'.repeat(1.5 * megabyte)}`)], create)
      }
      const up = await store.messages.read('s')
      assert.deepEqual(seqs(up.items), [1, 2])
      assert.deepEqual(seqs((await store.messages.read('s', { order: 'desc' })).items), [5, 4])
      const next = await store.messages.read('s', { cursor: defined(up.nextCursor) })
      assert.deepEqual(seqs(next.items), [3, 4])
      assert.deepEqual(seqs(await readAll(store, 's')), upTo(5))
      assert.deepEqual(seqs(await readAll(store, 's', { order: 'desc' })), upTo(5).reverse())
    },
  },
  {
    id: 'MSG-67',
    group,
    title: 'the 4 MiB are bytes of UTF-8, not characters',
    needsMessageBytes: 2 * megabyte,
    async run({ store }) {
      for (const _ of upTo(3)) await store.messages.append('s', [user('字'.repeat(megabyte / 2))], create)
      assert.deepEqual(seqs((await store.messages.read('s')).items), [1, 2])
    },
  },
  {
    id: 'MSG-68',
    group,
    title: 'a message over 4 MiB is a page of its own',
    needsMessageBytes: 5 * megabyte,
    async run({ store }) {
      const large = 'x'.repeat(4.5 * megabyte)
      await store.messages.append('s', [user('a'), user(large), user('b')], create)
      const pages: number[][] = []
      let cursor: string | undefined
      do {
        const page = await store.messages.read('s', cursor === undefined ? {} : { cursor })
        pages.push(seqs(page.items))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      assert.deepEqual(pages, [[1], [2], [3]])
      assert.ok(texts(await readAll(store, 's'))[1] === large, 'the large message came back otherwise')
    },
  },
  {
    id: 'MSG-69',
    group,
    title: 'a page takes exactly 4 MiB of content, and not one byte more',
    needsMessageBytes: 2 * megabyte,
    async run({ store }) {
      const frame = JSON.stringify([text('')]).length
      /** A message whose content is of so many bytes of JSON. */
      const sized = (bytes: number) => user('x'.repeat(bytes - frame))
      for (const [id, last] of [
        ['full', megabyte],
        ['over', megabyte + 1],
      ] as const) {
        const batch = [sized(megabyte), sized(megabyte), sized(megabyte), sized(last), user('next')]
        for (const message of batch) await store.messages.append(id, [message], create)
      }
      assert.deepEqual(seqs((await store.messages.read('full')).items), [1, 2, 3, 4])
      assert.deepEqual(seqs((await store.messages.read('over')).items), [1, 2, 3])
      assert.deepEqual(
        seqs((await store.messages.read('full', { order: 'desc', toSeq: 4 })).items),
        [4, 3, 2, 1],
      )
      assert.deepEqual(
        seqs((await store.messages.read('over', { order: 'desc', toSeq: 4 })).items),
        [4, 3, 2],
      )
    },
  },
  {
    id: 'MSG-70',
    group,
    title: 'get gives one message of the session asked for, and undefined for any other id',
    needs: ['messages.get'],
    async run({ store }) {
      for (const id of ['a', 'b']) {
        await store.messages.append(
          id,
          [user(`of ${id}`, { id: 'same' }), user('x', { id: `only ${id}` })],
          create,
        )
      }
      assert.deepEqual(await store.messages.get('a', 'same'), (await readAll(store, 'a'))[0])
      assert.deepEqual(await store.messages.get('b', 'same'), (await readAll(store, 'b'))[0])
      for (const id of ['only b', 'SAME', 'same ', 'unknown', '', '\u0000', 'x'.repeat(301)]) {
        assert.equal(await store.messages.get('a', id), undefined, JSON.stringify(id))
      }
      assert.equal(await store.messages.get('unknown', 'same'), undefined)
      assert.equal(await store.messages.get('', 'same'), undefined)
    },
  },
  {
    id: 'MSG-71',
    group,
    title: 'reading changes nothing',
    needs: ['messages.get', 'messages.recentTurns', 'sessions.list'],
    async run({ store, clock }) {
      await store.messages.append('s', turns(3), create)
      const before = await store.sessions.get('s')
      clock.advance(10)
      const messages = await readAll(store, 's')
      await store.messages.get('s', messages[0]?.id ?? '')
      await store.messages.recentTurns('s', { turns: 2, mode: 'text' })
      await store.sessions.list()
      assert.deepEqual(await store.sessions.get('s'), before)
      assert.deepEqual(await readAll(store, 's'), messages)
    },
  },
  {
    id: 'MSG-72',
    group,
    title: 'a damaged row is left out and reported, and hides neither its neighbours nor its session',
    needs: ['messages.get', 'sessions.list'],
    needsHandle: ['damage'],
    async run({ store, damage }) {
      const batch = ['a', 'b', 'c'].map((id) => user(id, { id }))
      const { messages } = await store.messages.append('s', batch, create)
      await damage({ sessionId: 's', messageId: 'b' })
      const page = await store.messages.read('s')
      assert.deepEqual(page.items, [messages[0], messages[2]])
      assert.deepEqual(
        page.damaged?.map(({ seq }) => seq),
        [2],
      )
      assert.ok(page.damaged?.[0]?.reason)
      await rejects('corrupt', 'messages.get', () => store.messages.get('s', 'b'))
      assert.deepEqual(await store.messages.get('s', 'c'), messages[2])
      assert.deepEqual(seqs(await readAll(store, 's', { limit: 2 })), [1, 3])
      const { items } = await store.sessions.list()
      assert.deepEqual([items[0]?.id, items[0]?.messageCount], ['s', 3])
      assert.equal((await store.messages.append('s', [user('d')])).firstSeq, 4)
    },
  },
  {
    id: 'MSG-73',
    group,
    title: 'a page ends after 4 MiB of content and metadata together',
    needsMessageBytes: 2 * megabyte,
    async run({ store }) {
      const metadata = { note: 'x'.repeat(1.5 * megabyte) }
      for (const number of upTo(4))
        await store.messages.append('s', [user(`${number}`, { metadata })], create)
      assert.deepEqual(seqs((await store.messages.read('s')).items), [1, 2])
      assert.deepEqual(seqs(await readAll(store, 's')), upTo(4))
    },
  },
]
