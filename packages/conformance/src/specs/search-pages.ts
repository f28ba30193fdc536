// Pages of a search: what a hit is, in which order they come, and how they go on.

import assert from 'node:assert/strict'
import type { MessageHit, SearchQuery, SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { assistant, seqs, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'search'
const needs = ['search.messages'] as const
const create = { createSession: true } as const

/** All hits, page by page; `between` runs between pages. */
async function walk(
  store: SessionStore,
  query: SearchQuery,
  between: () => Promise<unknown> = async () => {},
): Promise<MessageHit[]> {
  const hits: MessageHit[] = []
  let cursor: string | undefined
  do {
    const page = await store.search.messages({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    assert.ok(
      page.items.length === query.limit || page.nextCursor === undefined,
      'a page before the last is full',
    )
    hits.push(...page.items)
    cursor = page.nextCursor
    if (cursor !== undefined) await between()
  } while (cursor !== undefined)
  return hits
}

const places = (hits: readonly MessageHit[]) => hits.map(({ sessionId, seq }) => `${sessionId}:${seq}`)

export const searchPageSpecs: readonly Spec[] = [
  {
    id: 'SRC-20',
    group,
    title:
      'a hit names its message and session, with a snippet; the message itself and those around it on request',
    needs,
    async run({ store }) {
      const written = [
        user('one', { id: 'm1', createdAt: 5 }),
        assistant('the\n two', { id: 'm2', createdAt: 6 }),
        user('three', { id: 'm3', createdAt: 7 }),
      ]
      await store.messages.append('s', written, create)
      const session = await store.sessions.get('s')
      const [hit] = (await store.search.messages({ text: 'TWO' })).items
      const { score, ...rest } = defined(hit)
      assert.ok(score > 0)
      assert.deepEqual(rest, {
        sessionId: 's',
        messageId: 'm2',
        seq: 2,
        role: 'assistant',
        createdAt: 6,
        snippet: { text: 'the two', ranges: [[4, 7]] },
        session,
      })
      const [full] = (await store.search.messages({ text: 'two', include: 'message', around: 1 })).items
      const { items } = await store.messages.read('s')
      assert.deepEqual(full?.message, items[1])
      assert.deepEqual(full?.around, [items[0], items[2]])
      const [edge] = (await store.search.messages({ text: 'one', around: 5 })).items
      assert.deepEqual(seqs(defined(edge?.around)), [2, 3])
      assert.equal(edge?.message, undefined)
    },
  },
  {
    id: 'SRC-21',
    group,
    title:
      'more of a word, a rarer word, a shorter text and a user’s words come first; equal ones newest first',
    needs: ['search.messages', 'sessions.remove'],
    async run({ store }) {
      const order = async (query: string, ...messages: Parameters<SessionStore['messages']['append']>[1]) => {
        await store.messages.append('s', messages, create)
        const { items } = await store.search.messages({ text: query })
        await store.sessions.remove('s', { purge: true })
        return seqs(items as never)
      }
      assert.deepEqual(
        await order('apple', user('apple pie'), user('apple apple'), user('apple a b c d e')),
        [2, 1, 3],
      )
      assert.deepEqual(
        await order('plum OR pear', user('plum'), user('pear'), user('plum'), user('plum')),
        [2, 4, 3, 1],
      )
      assert.deepEqual(await order('fig', user('fig'), assistant('fig')), [1, 2])
      assert.deepEqual(await order('kiwi', user('kiwi'), user('kiwi'), user('kiwi')), [3, 2, 1])
    },
  },
  {
    id: 'SRC-22',
    group,
    title: 'by recency hits come in the order of storing, newest first, whatever their times',
    needs,
    async run({ store }) {
      await store.messages.append('a', [user('apple', { createdAt: 900 })], create)
      await store.messages.append('b', [user('apple apple', { createdAt: 100 })], create)
      await store.messages.append('a', [user('apple', { createdAt: 500 })])
      const { items } = await store.search.messages({ text: 'apple', sort: 'recent' })
      assert.deepEqual(places(items), ['a:2', 'b:1', 'a:1'])
      assert.deepEqual(places((await store.search.messages({ text: 'role:user' })).items), [
        'a:2',
        'b:1',
        'a:1',
      ])
    },
  },
  {
    id: 'SRC-23',
    group,
    title: 'pages repeat and lose nothing while messages are added, by relevance and by recency',
    needs: ['search.messages', 'sessions.remove'],
    async run({ store }) {
      const words = upTo(300).map((number) =>
        user(`apple ${'pear '.repeat(number % 5)}${number % 3 === 0 ? 'apple' : ''}`),
      )
      await store.messages.append('s', words, create)
      for (const sort of ['relevance', 'recent'] as const) {
        const { items: whole } = await store.search.messages({ text: 'apple', sort, limit: 1000 })
        const hits = await walk(store, { text: 'apple', sort, limit: 7 }, () =>
          store.messages
            .append('other', [user('apple apple apple'), assistant('apple')], create)
            .catch(() => store.messages.append('other', [user('apple apple apple'), assistant('apple')])),
        )
        assert.deepEqual(places(hits), places(whole), sort)
        await store.sessions.remove('other', { purge: true })
      }
    },
  },
  {
    id: 'SRC-24',
    group,
    title: 'a cursor of another search is refused, and so is what is no search',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('apple'), user('apple')], create)
      const { nextCursor: cursor = '' } = await store.search.messages({ text: 'apple', limit: 1 })
      for (const query of [
        { text: 'pear' },
        { text: 'apple', sort: 'recent' },
        { text: 'apple', roles: ['user'] },
      ] as const) {
        await rejects('invalid-cursor', 'search.messages', () => store.search.messages({ ...query, cursor }))
      }
      await rejects('invalid-cursor', 'search.messages', () =>
        store.search.messages({ text: 'apple', cursor: 'x' }),
      )
      for (const bad of [
        null,
        5,
        {},
        { text: 5 },
        { text: 'a', limit: 0 },
        { text: 'a', roles: ['x'] },
        { text: 'a', around: -1 },
        { text: 'a', other: 1 },
      ]) {
        await rejects('invalid', 'search.messages', () => store.search.messages(bad as never))
      }
    },
  },
]
