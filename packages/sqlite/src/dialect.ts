// Kysely's SQLite dialect over a better-sqlite3 handle, with prepared statements kept: Kysely prepares on every query,
// which costs more than many a query itself.

import type { Database, Statement } from 'better-sqlite3'
import { type Dialect, SqliteDialect } from 'kysely'

/** Statements kept per handle; the store's hot paths have some 30. */
const cacheSize = 128

/**
 * The dialect of a handle.
 *
 * @param close called when the dialect is destroyed
 */
export function createSqliteDialect(database: Database, close: () => void): Dialect {
  const statements = new Map<string, Statement<unknown[]>>()
  return new SqliteDialect({
    database: {
      prepare(sql) {
        const kept = statements.get(sql)
        if (kept !== undefined) {
          // Last used goes last, so that the first is the one to drop.
          statements.delete(sql)
          statements.set(sql, kept)
          return kept as never
        }
        const statement = database.prepare<unknown[]>(sql)
        statements.set(sql, statement)
        if (statements.size > cacheSize) statements.delete(statements.keys().next().value as string)
        return statement as never
      },
      close() {
        statements.clear()
        close()
      },
    },
  })
}
