// Search over SQL finds what the memory store finds by looking at everything: the same hits, scores, order, pages and
// cursors, whatever was changed in between, with and without an index that is up to date.

import { createTestIds } from '@sess/conformance'
import type { SearchQuery, SessionStore } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import { openKyselyStore } from '@sess/kysely'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import type { Step } from './histories.ts'
import { indexProblems } from './index-contents.ts'
import { outcomeOf } from './observe.ts'
import { anyQuery, plainQuery, searchBeginning, searchStep } from './search-corpus.ts'

const runs = Number(process.env.SESS_RUNS ?? 40)
const options = () => ({ clock: () => 1_772_366_000_003, ids: createTestIds() })
const query = fc.oneof(anyQuery, plainQuery)
const kind = fc.constantFrom<'messages' | 'sessions'>('messages', 'sessions')
const search = fc
  .tuple(kind, query)
  .map(([name, asked]): Step => ({ name: `search.${name}`, arguments: [asked] }))
const history = fc.array(searchStep(search), { minLength: 1, maxLength: 15, size: 'max' })
const searches = fc.array(fc.tuple(kind, query), { minLength: 1, maxLength: 12, size: 'max' })

/** Every page of a search. */
async function pagesOf(
  store: SessionStore,
  name: 'messages' | 'sessions',
  asked: SearchQuery,
): Promise<unknown[]> {
  const pages: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await store.search[name]({ ...asked, ...(cursor === undefined ? {} : { cursor }) })
    pages.push(page)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages
}

async function expectSame(
  memory: SessionStore,
  other: SessionStore,
  asked: readonly (readonly ['messages' | 'sessions', SearchQuery])[],
): Promise<void> {
  for (const [name, one] of asked)
    expect([name, one, await pagesOf(other, name, one)]).toEqual([
      name,
      one,
      await pagesOf(memory, name, one),
    ])
}

test('any history, searched at any time', async () => {
  await fc.assert(
    fc.asyncProperty(history, searches, fc.boolean(), async (steps, asked, guarded) => {
      const memory = createMemoryStore(options())
      const database = new Database(':memory:')
      database.pragma('foreign_keys = ON')
      const sqlite = await openKyselyStore({
        ...options(),
        dialect: new SqliteDialect({ database }),
        guarded,
        tablePrefix: guarded ? 'app_' : '',
      })
      try {
        for (const step of [...searchBeginning, ...steps])
          expect([step, await outcomeOf(sqlite, step)]).toEqual([step, await outcomeOf(memory, step)])
        await expectSame(memory, sqlite, asked)
        await sqlite.search.messages({ text: 'apple' })
        expect(indexProblems(database, guarded ? 'app_' : '')).toEqual([])
      } finally {
        await memory.close()
        await sqlite.close()
      }
    }),
    { numRuns: runs },
  )
}, 300_000)

test('any history, read by who cannot write to the index', async () => {
  await fc.assert(
    fc.asyncProperty(history, history, searches, fc.boolean(), async (steps, later, asked, isIndexed) => {
      const memory = createMemoryStore(options())
      const database = new Database(':memory:')
      const writer = await openSqliteStore({ ...options(), database })
      const reader = await openSqliteStore({ ...options(), database, readOnly: true })
      try {
        const both = async (some: readonly Step[]) => {
          for (const step of some.filter(({ name }) => !name.startsWith('search'))) {
            await outcomeOf(memory, step)
            await outcomeOf(writer, step)
          }
        }
        await both([...searchBeginning, ...steps])
        if (isIndexed) await writer.search.messages({ text: 'apple' })
        await both(later)
        await expectSame(memory, reader, asked)
      } finally {
        for (const store of [memory, writer, reader]) await store.close()
        database.close()
      }
    }),
    { numRuns: runs },
  )
}, 300_000)
