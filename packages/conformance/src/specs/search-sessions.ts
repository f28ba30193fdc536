// Searching sessions: words that stand in different messages, or in the name.

import assert from 'node:assert/strict'
import type { SessionHit, SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { assistant, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'search'
const needs = ['search.sessions'] as const
const create = { createSession: true } as const

const idsOf = (hits: readonly SessionHit[]) => hits.map(({ session }) => session.id)

async function sorted(store: SessionStore, text: string): Promise<string> {
  return idsOf((await store.search.sessions({ text, limit: 1000 })).items)
    .toSorted()
    .join(' ')
}

export const searchSessionSpecs: readonly Spec[] = [
  {
    id: 'SRC-30',
    group,
    title: 'a session answers by all of its messages and its name together, and is listed once',
    needs,
    async run({ store }) {
      await store.messages.append('a', [user('red apple'), assistant('green'), user('red')], create)
      await store.messages.append('b', [user('apple')], { createSession: { name: '红色 red' } })
      await store.messages.append('c', [user('green')], create)
      await store.sessions.create({ id: 'd', name: 'Apple orchard' })
      assert.equal(await sorted(store, 'red apple'), 'a b')
      assert.equal(await sorted(store, 'apple'), 'a b d')
      assert.equal(await sorted(store, '红色'), 'b')
      assert.equal(await sorted(store, 'apple -green'), 'b d')
      assert.equal(await sorted(store, 'apple OR green'), 'a b c d')
      assert.equal(await sorted(store, '"apple green"'), '')
      assert.equal(await sorted(store, 'role:assistant'), 'a')
      const page = await store.search.sessions({ text: 'orchard green' })
      assert.deepEqual([idsOf(page.items).toSorted(), page.relaxed], [['a', 'c', 'd'], true])
    },
  },
  {
    id: 'SRC-31',
    group,
    title: 'each comes with its best hits, how many there are, and where its name is one',
    needs,
    async run({ store }) {
      await store.messages.append(
        's',
        [user('apple'), user('apple apple'), assistant('apple'), user('pear'), assistant('apple pie pie')],
        {
          createSession: { name: 'An apple' },
        },
      )
      const [hit] = (await store.search.sessions({ text: 'apple' })).items
      const { session, hitCount, nameSnippet, hits } = defined(hit)
      assert.deepEqual(session, await store.sessions.get('s'))
      assert.equal(hitCount, 4)
      assert.deepEqual(nameSnippet, { text: 'An apple', ranges: [[3, 8]] })
      assert.deepEqual(
        hits.map(({ seq }) => seq),
        [2, 1, 5],
      )
      assert.deepEqual(hits[0]?.snippet, {
        text: 'apple apple',
        ranges: [
          [0, 5],
          [6, 11],
        ],
      })
      const [other] = (await store.search.sessions({ text: 'pear' })).items
      assert.equal(other?.nameSnippet, undefined)
    },
  },
  {
    id: 'SRC-32',
    group,
    title: 'a name that was changed is found by the new one alone',
    needs: ['search.sessions', 'sessions.update', 'sessions.remove'],
    async run({ store }) {
      await store.sessions.create({ id: 's', name: 'Apple orchard' })
      await store.sessions.update('s', { name: 'Pear garden' })
      assert.equal(await sorted(store, 'orchard'), '')
      assert.equal(await sorted(store, 'garden'), 's')
      await store.sessions.remove('s', { purge: true })
      assert.equal(await sorted(store, 'garden'), '')
    },
  },
  {
    id: 'SRC-33',
    group,
    title:
      'many hits in one session hide no other, and pages repeat and lose nothing while messages are added',
    needs: ['search.sessions', 'sessions.remove'],
    async run({ store }) {
      await store.messages.append('first', [user('apple')], create)
      for (const number of upTo(30))
        await store.messages.append(`s${number}`, [user('apple'), user('pear apple')], create)
      await store.messages.append(
        'chatty',
        upTo(300).map(() => user('apple')),
        create,
      )
      for (const sort of ['relevance', 'recent'] as const) {
        const whole = idsOf((await store.search.sessions({ text: 'apple', sort, limit: 1000 })).items)
        assert.equal(new Set(whole).size, 32)
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await store.search.sessions({
            text: 'apple',
            sort,
            limit: 7,
            ...(cursor === undefined ? {} : { cursor }),
          })
          seen.push(...idsOf(page.items))
          cursor = page.nextCursor
          await store.messages.append('first', [user('apple apple')])
          await store.messages.append(`new${seen.length}${sort}`, [user('apple')], create)
        } while (cursor !== undefined)
        assert.deepEqual(seen, whole, sort)
        for (const id of ['new7', 'new14', 'new21', 'new28', 'new32'])
          await store.sessions.remove(`${id}${sort}`, { purge: true })
      }
    },
  },
  {
    id: 'SRC-34',
    group,
    title: 'a cursor of another search is refused',
    needs: ['search.sessions', 'search.messages'],
    async run({ store }) {
      for (const id of ['a', 'b']) await store.messages.append(id, [user('apple'), user('apple')], create)
      const { nextCursor: cursor = '' } = await store.search.sessions({ text: 'apple', limit: 1 })
      await rejects('invalid-cursor', 'search.sessions', () =>
        store.search.sessions({ text: 'pear', cursor }),
      )
      await rejects('invalid-cursor', 'search.messages', () =>
        store.search.messages({ text: 'apple', cursor }),
      )
      await rejects('invalid', 'search.sessions', () => store.search.sessions({ text: 'before:now' }))
    },
  },
]
