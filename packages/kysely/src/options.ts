// What `openKyselyStore` takes, and whether it can be that.

import { StoreError, type StoreOptions } from '@sess/core'
import { checkOptions, resolveOptions } from '@sess/core/adapter'
import type { Dialect, Kysely } from 'kysely'
import type { SqlEngine } from './engine.ts'
import type { MigrateMode } from './schema/open.ts'
import { checkPrefix } from './schema/prefix.ts'
import type { Database } from './schema/tables.ts'

export interface KyselyStoreOptions extends StoreOptions {
  /** Any dialect of the SQLite family, on SQLite 3.45 or newer. It is destroyed when the store closes. */
  readonly dialect: Dialect
  /** The function that errors of opening name; 'openKyselyStore' unless given. */
  readonly opener?: string
  /** The store's name; 'kysely' unless given. */
  readonly backend?: string
  /** The file or URL, for messages. */
  readonly location?: string
  /** "latest" unless given. */
  readonly migrate?: MigrateMode
  readonly readOnly?: boolean
  /** How long a write waits for a lock, in milliseconds; 5000 unless given. */
  readonly busyTimeout?: number
  /** Whether the whole database is the store's own; true unless given. A shared one carries no mark. */
  readonly ownDatabase?: boolean
  /** Stands before every table name; '' unless given. With one, the database is a shared one. */
  readonly tablePrefix?: string
  /** Whether what is stored outlives the process; true unless given. */
  readonly persistent?: boolean
  /** Whether several processes may open it at once; true unless given. */
  readonly shared?: boolean
  /** The largest message in bytes of JSON; 64 MiB unless given. */
  readonly maxMessageBytes?: number
  /** Makes the engine that runs statements; one over Kysely's own connection unless given. */
  readonly createEngine?: (db: Kysely<Database>) => SqlEngine
  /** Called once the database is known to be ours or empty, before it is migrated: for pragmas that write. */
  readonly prepare?: () => void | Promise<void>
  /** Called inside each write's transaction before anything is written; what it throws ends the write. */
  readonly beforeWrite?: () => void
  /** Whether each statement costs a round trip, so that batches are guarded instead of reading under the lock. */
  readonly guarded?: boolean
}

/**
 * Checks every option but the dialect, before anything is opened.
 *
 * @throws {StoreError} invalid naming the option
 */
export function checkStoreOptions(options: Omit<KyselyStoreOptions, 'dialect'>): void {
  resolveOptions(options)
  checkOptions(options, {
    opener: 'string',
    backend: 'string',
    location: 'string',
    migrate: ['latest', 'check', 'none'],
    readOnly: 'boolean',
    ownDatabase: 'boolean',
    tablePrefix: 'string',
    persistent: 'boolean',
    shared: 'boolean',
    createEngine: 'function',
    prepare: 'function',
    beforeWrite: 'function',
    guarded: 'boolean',
  })
  checkPrefix(options.tablePrefix ?? '')
}

/** The same with the dialect. */
export function checkKyselyOptions(options: KyselyStoreOptions): void {
  checkStoreOptions(options)
  if (typeof options.dialect?.createDriver === 'function') return
  throw new StoreError('invalid', 'options.dialect: must be a dialect of Kysely')
}
