// Databases for tests: better-sqlite3 behind Kysely's own dialect, as any Kysely user has it.

import type { SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { type Dialect, SqliteDialect } from 'kysely'
import { type KyselyStoreOptions, openKyselyStore } from '../src/index.ts'

export type Handle = Database.Database

/** Kysely's stock dialect over a handle; destroying it closes the handle. */
export function stockDialect(database: Handle): Dialect {
  database.pragma('foreign_keys = ON')
  return new SqliteDialect({ database })
}

/** A store in memory and the handle under it, to look at what is really stored. */
export async function openMemory(
  options: Partial<KyselyStoreOptions> = {},
): Promise<{ readonly store: SessionStore; readonly database: Handle }> {
  const database = new Database(':memory:')
  const store = await openKyselyStore({ dialect: stockDialect(database), ...options })
  return { store, database }
}
