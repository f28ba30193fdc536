// Databases for tests: better-sqlite3 behind Kysely's own dialect, as any Kysely user has it.

import type { SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteDialect,
} from 'kysely'
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

/** A dialect that calls a hook before each statement. */
export function hooked(inner: Dialect, hook: (sql: string) => Promise<void>): Dialect {
  const wrapConnection = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      await hook(query.sql)
      return connection.executeQuery<R>(query)
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  })
  const wrapDriver = (driver: Driver): Driver =>
    new Proxy(driver, {
      get(target, key) {
        if (key === 'acquireConnection') return async () => wrapConnection(await target.acquireConnection())
        const value = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  return {
    createAdapter: () => inner.createAdapter(),
    createDriver: () => wrapDriver(inner.createDriver()),
    createIntrospector: (db) => inner.createIntrospector(db),
    createQueryCompiler: () => inner.createQueryCompiler(),
  }
}
