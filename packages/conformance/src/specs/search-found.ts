// What a search of messages finds: text in every script, what tools take and give, what people can see, as it is now.

import assert from 'node:assert/strict'
import type { SearchQuery, SessionStore } from '@sess/core'
import { rejects } from '../assertions.ts'
import { assistant, text, toolUse, user } from '../data.ts'
import { oddQueries, searchCases, searchDocuments } from '../fixtures/search.ts'
import type { Spec } from '../spec.ts'

const group = 'search'
const needs = ['search.messages'] as const
const create = { createSession: true } as const

/** `session:seq` of every hit, sorted. */
async function found(store: SessionStore, query: string, rest: Partial<SearchQuery> = {}): Promise<string> {
  const { items } = await store.search.messages({ text: query, limit: 1000, ...rest })
  return items
    .map(({ sessionId, seq }) => `${sessionId}:${seq}`)
    .toSorted()
    .join(' ')
}

async function writeDocuments(store: SessionStore): Promise<void> {
  for (const [id, document] of Object.entries(searchDocuments)) {
    await store.messages.append(id, [user(document)], create)
  }
}

export const searchFoundSpecs: readonly Spec[] = [
  {
    id: 'SRC-01',
    group,
    title: 'a word, a phrase, a name, a path or a code is found in every script, whole or by its parts',
    needs,
    async run({ store }) {
      await writeDocuments(store)
      for (const [query, letters] of searchCases) {
        const { items } = await store.search.messages({ text: query, limit: 1000 })
        const hits = items.map(({ sessionId }) => sessionId).toSorted()
        assert.equal(hits.join(''), letters, `query ${JSON.stringify(query)}`)
      }
    },
  },
  {
    id: 'SRC-02',
    group,
    title: 'no query fails, whatever is in it',
    needs: ['search.messages', 'search.sessions'],
    async run({ store }) {
      await writeDocuments(store)
      for (const query of oddQueries) {
        await store.search.messages({ text: query })
        await store.search.messages({ text: query, prefixLast: true, sort: 'recent' })
        await store.search.sessions({ text: query })
      }
      assert.deepEqual((await store.search.messages({ text: '   ' })).items, [])
      assert.deepEqual((await store.search.sessions({ text: '' })).items, [])
    },
  },
  {
    id: 'SRC-03',
    group,
    title: 'what tools take and give is found, reasoning and what people cannot see is not',
    needs,
    async run({ store }) {
      const result = (content: string) => ({ type: 'tool_result', tool_use_id: 'u', content })
      await store.messages.append(
        's',
        [
          user('apple'),
          assistant([{ type: 'thinking', thinking: 'plum' }, text('pear'), toolUse('u')]),
          user([result(`cherry ${'x '.repeat(5000)} beyond`)]),
          user('grape', { metadata: { userVisible: false } }),
          assistant('melon', { metadata: { agentVisible: false } }),
        ],
        create,
      )
      assert.equal(await found(store, 'plum'), '')
      assert.equal(await found(store, 'grape'), '')
      assert.equal(await found(store, 'melon'), 's:5')
      assert.equal(await found(store, 'bash ls'), 's:2')
      assert.equal(await found(store, 'cherry'), 's:3')
      assert.equal(await found(store, 'beyond'), '')
      assert.equal(await found(store, 'cherry', { in: 'text' }), '')
      assert.equal(await found(store, 'cherry in:tool'), 's:3')
      assert.equal(await found(store, 'pear', { in: 'tool' }), '')
      assert.equal(await found(store, 'tool:bash'), 's:2')
    },
  },
  {
    id: 'SRC-04',
    group,
    title:
      'text that was changed, removed, truncated, replaced or cleared is not found again, the new text is',
    needs: [
      'search.messages',
      'messages.update',
      'messages.remove',
      'messages.truncate',
      'messages.replace',
      'messages.clear',
    ],
    async run({ store }) {
      await store.messages.append(
        's',
        [user('one', { id: 'a' }), user('two', { id: 'b' }), user('three'), user('four')],
        create,
      )
      assert.equal(await found(store, 'one OR two OR three OR four'), 's:1 s:2 s:3 s:4')
      await store.messages.update('s', 'a', { content: 'uno' })
      await store.messages.remove('s', ['b'])
      await store.messages.truncate('s', { fromSeq: 4 })
      assert.equal(await found(store, 'one OR two OR four'), '')
      assert.equal(await found(store, 'uno OR three'), 's:1 s:3')
      await store.messages.update('s', 'a', { metadata: { userVisible: false } })
      assert.equal(await found(store, 'uno'), '')
      await store.messages.replace('s', [user('five')])
      assert.equal(await found(store, 'three OR uno'), '')
      assert.equal(await found(store, 'five'), 's:5')
      await store.messages.clear('s')
      assert.equal(await found(store, 'five'), '')
    },
  },
  {
    id: 'SRC-05',
    group,
    title: 'a session in the trash is found when asked for, a purged one is not',
    needs: ['search.messages', 'sessions.remove', 'sessions.undelete'],
    async run({ store }) {
      await store.messages.append('s', [user('apple')], create)
      assert.equal(await found(store, 'apple'), 's:1')
      await store.sessions.remove('s')
      assert.equal(await found(store, 'apple'), '')
      assert.equal(await found(store, 'apple', { deleted: true }), 's:1')
      await store.sessions.undelete('s')
      assert.equal(await found(store, 'apple'), 's:1')
      await store.sessions.remove('s', { purge: true })
      assert.equal(await found(store, 'apple', { deleted: 'any' }), '')
    },
  },
  {
    id: 'SRC-06',
    group,
    title: 'hidden, sub_agent and archived sessions are found when asked for, by type or by id',
    needs: ['search.messages', 'sessions.update'],
    async run({ store }) {
      for (const type of ['user', 'hidden', 'sub_agent', 'scheduled'] as const) {
        await store.messages.append(type, [user('apple')], { createSession: { type } })
      }
      await store.messages.append('archived', [user('apple')], create)
      await store.sessions.update('archived', { archived: true })
      assert.equal(await found(store, 'apple'), 'scheduled:1 user:1')
      assert.equal(await found(store, 'apple', { types: ['hidden'] }), 'hidden:1')
      assert.equal(await found(store, 'apple type:sub_agent'), 'sub_agent:1')
      assert.equal(await found(store, 'apple -type:user'), 'scheduled:1')
      assert.equal(await found(store, 'apple', { types: 'all' }), 'hidden:1 scheduled:1 sub_agent:1 user:1')
      assert.equal(await found(store, 'apple', { archived: true }), 'archived:1')
      assert.equal(await found(store, 'apple', { sessionId: 'hidden' }), 'hidden:1')
      assert.equal(await found(store, 'apple session:archived'), 'archived:1')
      assert.equal(await found(store, 'apple -session:user'), 'scheduled:1')
    },
  },
  {
    id: 'SRC-07',
    group,
    title: 'filters of the text and of the query hold together',
    needs,
    async run({ store }) {
      await store.messages.append('a', [user('apple'), assistant('apple')], {
        createSession: { ownerId: 'ana', workingDir: '/w/a b', channelType: 'web', tags: ['x', 'y'] },
      })
      await store.messages.append('b', [user('apple')], {
        createSession: { ownerId: 'bo', workingDir: '/w', channelType: 'cli', tags: ['x'] },
      })
      assert.equal(await found(store, 'apple cwd:"/w/a b"'), 'a:1 a:2')
      assert.equal(await found(store, 'apple -channel:web'), 'b:1')
      assert.equal(await found(store, 'apple tag:x tag:y'), 'a:1 a:2')
      assert.equal(await found(store, 'apple tag:x -tag:y'), 'b:1')
      assert.equal(await found(store, 'apple role:user', { ownerId: 'ana' }), 'a:1')
      assert.equal(await found(store, 'apple', { tags: ['x'], roles: ['assistant'] }), 'a:2')
      assert.equal(await found(store, 'apple', { workingDir: '/w' }), 'b:1')
      assert.equal(await found(store, 'role:user role:assistant channel:web'), 'a:1 a:2')
      assert.equal(await found(store, '', { ownerId: 'ana' }), '')
      assert.equal(await found(store, '', { channelType: 'cli' }), 'b:1')
    },
  },
  {
    id: 'SRC-08',
    group,
    title: 'after: includes its moment, before: does not; a date that is none is invalid',
    needs,
    async run({ store }) {
      const march = Date.UTC(2026, 2, 1)
      const at = (createdAt: number) => user('apple', { createdAt })
      await store.messages.append('s', [at(march - 1), at(march), at(march + 86_400_000)], create)
      assert.equal(await found(store, 'apple after:2026-03-01'), 's:2 s:3')
      assert.equal(await found(store, 'apple before:2026-03-01'), 's:1')
      assert.equal(await found(store, 'apple after:2026-03-01 before:2026-03-02'), 's:2')
      assert.equal(await found(store, 'apple before:2026-03-01T08:00:00+08:00'), 's:1')
      assert.equal(await found(store, 'apple', { since: march, until: march + 1 }), 's:2')
      for (const bad of ['apple before:tomorrow', 'after:2026-02-30']) {
        const error = await rejects('invalid', 'search.messages', () => store.search.messages({ text: bad }))
        assert.ok(error.message.includes(bad.replace('apple ', '')), error.message)
      }
    },
  },
  {
    id: 'SRC-09',
    group,
    title: 'where nothing answers all words, what answers any of them is found and the page says so',
    needs,
    async run({ store }) {
      await store.messages.append('a', [user('red apple')], create)
      await store.messages.append('b', [user('green pear')], create)
      const page = await store.search.messages({ text: 'red pear' })
      assert.deepEqual(page.items.map(({ sessionId }) => sessionId).toSorted(), ['a', 'b'])
      assert.equal(page.relaxed, true)
      assert.equal('relaxed' in (await store.search.messages({ text: 'red apple' })), false)
      assert.equal(await found(store, 'red pear -apple'), 'b:1')
      assert.equal(await found(store, 'red zzz', { roles: ['assistant'] }), '')
      const words = Array.from({ length: 40 }, (_, index) => `w${index}`)
      assert.deepEqual((await store.search.messages({ text: words.join(' ') })).ignored, words.slice(32))
    },
  },
  {
    id: 'SRC-10',
    group,
    title: 'what a fork copied is found in both, what a rewind moved in its branch alone',
    needs: ['search.messages', 'sessions.fork', 'sessions.rewind'],
    async run({ store }) {
      await store.messages.append('s', [user('apple'), user('apple pie')], create)
      const fork = await store.sessions.fork('s', { id: 'f' })
      assert.equal(await found(store, 'pie'), `${fork.id}:2 s:2`)
      const { branch } = await store.sessions.rewind('s', { toSeq: 1 })
      assert.equal(await found(store, 'pie'), 'f:2')
      assert.equal(await found(store, 'pie', { branchOf: 's' }), `${branch?.id}:2`)
    },
  },
  {
    id: 'SRC-11',
    group,
    title: 'what a transaction that failed had written is not found',
    needs: ['search.messages', 'transact'],
    async run({ store }) {
      await store.messages.append('s', [user('apple')], create)
      const failure = new Error('no')
      await assert.rejects(
        store.transact(async ({ messages }) => {
          await messages.append('s', [user('pear')])
          throw failure
        }),
        failure,
      )
      await store.messages.append('s', [user('plum')])
      assert.equal(await found(store, 'apple OR pear OR plum'), 's:1 s:2')
    },
  },
]
