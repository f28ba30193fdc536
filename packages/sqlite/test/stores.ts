// The kinds of store that must be one store, each empty, with a clock that stands still and numbered message ids. They are
// closed when the test ends.

import { createTestClock, createTestIds, type TestClock } from '@sess/conformance'
import type { NewMessage, SessionStore, StoreOptions } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import { openKyselyStore } from '@sess/kysely'
import Database from 'better-sqlite3'
import { SqliteDialect } from 'kysely'
import { afterEach } from 'vitest'
import { openSqliteStore } from '../src/index.ts'

export interface OpenedStore {
  readonly store: SessionStore
  readonly clock: TestClock
}

export interface StoreKind {
  readonly kind: string
  open(options?: StoreOptions & { readonly busyTimeout?: number }): Promise<OpenedStore>
}

const opened: SessionStore[] = []

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

/** Closes a store when the test ends. */
export function closeLater(store: SessionStore): SessionStore {
  opened.push(store)
  return store
}

type Options = StoreOptions & { readonly busyTimeout?: number }

function kindOf(kind: string, open: (options: Options) => SessionStore | Promise<SessionStore>): StoreKind {
  return {
    kind,
    async open(options = {}) {
      const clock = createTestClock()
      const store = await open({ clock: clock.now, ids: createTestIds(), ...options })
      return { store: closeLater(store), clock }
    },
  }
}

/** The memory store and the SQLite store. */
export const bothKinds: readonly StoreKind[] = [
  kindOf('memory', createMemoryStore),
  kindOf('sqlite', (options) => openSqliteStore({ ...options, path: ':memory:' })),
]

/** These, and Kysely's stock dialect with reads and guarded batches apart, as a remote database has them. */
export const allKinds: readonly StoreKind[] = [
  ...bothKinds,
  kindOf('guarded', (options) => {
    const database = new Database(':memory:')
    database.pragma('foreign_keys = ON')
    return openKyselyStore({ ...options, dialect: new SqliteDialect({ database }), guarded: true })
  }),
]

/** A user's text. */
export function user(content: NewMessage['content'], rest: Partial<NewMessage> = {}): NewMessage {
  return { role: 'user', content, ...rest }
}

/** An assistant's text. */
export function assistant(content: NewMessage['content'], rest: Partial<NewMessage> = {}): NewMessage {
  return { role: 'assistant', content, ...rest }
}

/** Questions and answers `q1`, `a1`, `q2`, ... */
export function turns(count: number, first = 1): NewMessage[] {
  return Array.from({ length: count }, (_, index) => [
    user(`q${first + index}`),
    assistant(`a${first + index}`),
  ]).flat()
}

/** The seqs a session has, in order. */
export async function seqsOf(store: Pick<SessionStore, 'messages'>, id: string): Promise<number[]> {
  const { items } = await store.messages.read(id, { limit: 1000 })
  return items.map(({ seq }) => seq)
}
