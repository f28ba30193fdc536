// What `openSqliteStore` takes, and whether it can be that.

import { StoreError, type StoreOptions } from '@sess/core'
import { checkOptions } from '@sess/core/adapter'
import { checkStoreOptions, type MigrateMode } from '@sess/kysely'

/** Options beside those of every store. */
export interface SqliteOptions extends StoreOptions {
  /** "latest" (default) migrates; "check" refuses an old file; "none" leaves the schema to the host. */
  readonly migrate?: MigrateMode
  /** Opens an existing file for reading alone. */
  readonly readOnly?: boolean
  /** How long a write waits for another process, in milliseconds, without blocking the event loop; 5000 unless given. 0 to 2147483647. */
  readonly busyTimeout?: number
  /** NORMAL (default) survives the death of the process, FULL the loss of power with the last commit as well. */
  readonly synchronous?: 'normal' | 'full'
  /**
   * What becomes of a damaged file: "throw" (default) rejects with `corrupt`; "set-aside" renames it with its log, so
   * that it can be salvaged, tells the logger, and opens a new one; "memory" leaves it and keeps nothing
   * (`capabilities.persistent` is false). A locked, foreign or newer file is never taken for a damaged one.
   *
   * With the last two opening reads every page of a file of up to 64 MiB, which takes 1 to 3 ms a MiB; of a larger one all
   * but the messages, of which it reads the first and the last. With "throw", and in a file that holds other tables too
   * (`tablePrefix`), damage is found by the operation that meets it.
   */
  readonly onDamaged?: 'throw' | 'set-aside' | 'memory'
  /** Stands before every table name, for a database that holds other tables too; '' unless given. */
  readonly tablePrefix?: string
  /** The largest message in bytes of JSON; 64 MiB unless given. */
  readonly maxMessageBytes?: number
}

/** What of a better-sqlite3 handle is named here, so that its types need not be installed to use ours. */
export interface SqliteHandle {
  readonly memory: boolean
  readonly open: boolean
  prepare(sql: string): unknown
  pragma(text: string): unknown
  close(): unknown
}

/** A file's path (`:memory:` for none), or a handle of better-sqlite3 that stays the caller's and is not closed. */
export type SqliteStoreOptions = SqliteOptions &
  (
    | { readonly path: string; readonly database?: never }
    | { readonly database: SqliteHandle; readonly path?: never }
  )

/**
 * Checks every option before a file is looked at.
 *
 * @throws {StoreError} invalid naming the option
 */
export function checkSqliteOptions(options: SqliteStoreOptions): void {
  checkStoreOptions(options)
  checkOptions(options, {
    synchronous: ['normal', 'full'],
    onDamaged: ['throw', 'set-aside', 'memory'],
  })
  const { path, database } = options as { readonly path?: unknown; readonly database?: unknown }
  if (database === undefined) {
    if (typeof path === 'string' && path.trim() !== '' && !path.includes('\0')) return
    throw new StoreError('invalid', 'path: must be the path of a file, or ":memory:"')
  }
  if (path !== undefined) throw new StoreError('invalid', 'path: must not be given beside a database')
  if (typeof (database as Partial<SqliteHandle> | null)?.prepare !== 'function') {
    throw new StoreError('invalid', 'database: must be a handle of better-sqlite3')
  }
}
