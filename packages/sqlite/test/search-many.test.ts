// More sessions and messages than one chunk, band or group holds: still what the memory store finds, page by page.

import { createTestIds } from '@sess/conformance'
import type { SearchQuery, SessionStore } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'

const sessions = 600

async function fill(store: SessionStore, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number++) {
    const text = (seq: number) =>
      [
        'apple',
        number % 2 === 0 ? 'pear' : '',
        (number + seq) % 3 === 0 ? 'plum 会话' : 'apple',
        number % 97 === 0 ? 'rare' : '',
      ].join(' ')
    await store.messages.append(
      `s${number}`,
      [
        { role: 'user', content: text(1) },
        { role: 'assistant', content: number % 5 === 0 ? 'fig' : text(2) },
      ],
      {
        createSession: {
          name: number % 7 === 0 ? `pear tree ${number}` : `n${number}`,
          type: number % 11 === 0 ? 'hidden' : 'user',
          tags: number % 4 === 0 ? ['x'] : [],
        },
      },
    )
  }
  // The oldest come to be the newest.
  for (let number = from; number < from + 20; number++)
    await store.messages.append(`s${number}`, [{ role: 'user', content: 'plum' }])
}

let memory: SessionStore
let sqlite: SessionStore
let reader: SessionStore
let database: Database.Database

beforeAll(async () => {
  const options = () => ({ clock: () => 1_772_366_000_003, ids: createTestIds() })
  memory = createMemoryStore(options())
  database = new Database(':memory:')
  sqlite = await openSqliteStore({ ...options(), database })
  const other = new Database(':memory:')
  const writer = await openSqliteStore({ ...options(), database: other })
  reader = await openSqliteStore({ ...options(), database: other, readOnly: true })
  for (const store of [memory, sqlite, writer]) {
    await fill(store, 0, sessions / 2)
    await store.search.messages({ text: 'apple' })
    await fill(store, sessions / 2, sessions)
  }
}, 60_000)
afterAll(async () => {
  for (const store of [memory, sqlite, reader]) await store.close()
  database.close()
})

async function pagesOf(store: SessionStore, name: 'messages' | 'sessions', query: SearchQuery) {
  const pages: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await store.search[name]({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    pages.push(page.nextCursor, ...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages
}

const queries: readonly SearchQuery[] = [
  { text: 'apple', limit: 300 },
  { text: 'apple pear', limit: 150 },
  { text: 'apple pear -fig', sort: 'recent', limit: 150 },
  { text: 'rare pear', limit: 2 },
  { text: 'pear', limit: 150 },
  { text: 'tree plum', sort: 'recent', limit: 150 },
  { text: '会 type:hidden', limit: 20 },
  { text: 'app* plum tag:x', limit: 90 },
  { text: 'role:user', limit: 500 },
]

describe.each(['messages', 'sessions'] as const)('search.%s', (name) => {
  test.each(queries)(
    '%j',
    async (query) => {
      const expected = await pagesOf(memory, name, query)
      expect(await pagesOf(sqlite, name, query)).toEqual(expected)
      // Half of it is not indexed for who can only read.
      expect(await pagesOf(reader, name, query)).toEqual(expected)
    },
    60_000,
  )
})
