// The store over any Kysely SQLite dialect: the port's parts put together.

import { limits, type SessionStore, type StoreOptions } from '@sess/core'
import { missingMethods, Operations, portMethods, resolveOptions, unsupported } from '@sess/core/adapter'
import { type Dialect, Kysely } from 'kysely'
import { classifySqliteError } from './classify.ts'
import type { StoreParts } from './context.ts'
import { ImmediateDialect } from './dialect.ts'
import { createKyselyEngine, type SqlEngine } from './engine.ts'
import { createMessageLog, missingMessageMethods } from './messages.ts'
import { type MigrateMode, openSchema } from './schema/open.ts'
import type { Database } from './schema/tables.ts'
import { createSessionRecords, missingSessionMethods } from './sessions.ts'

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
  /** Whether each statement costs a round trip, so that batches are guarded instead of reading under the lock. */
  readonly guarded?: boolean
}

/**
 * Opens a store over a dialect and brings its schema up to date.
 *
 * @throws {StoreError} invalid another product's database; schema-newer; migration-failed; busy; unavailable; corrupt
 */
export async function openKyselyStore(options: KyselyStoreOptions): Promise<SessionStore> {
  const context = resolveOptions(options)
  const { backend = 'kysely', location = 'the database', busyTimeout = 5000, readOnly = false } = options
  const maxMessageBytes = options.maxMessageBytes ?? limits.messageBytes
  const db = new Kysely<Database>({ dialect: new ImmediateDialect(options.dialect) })
  const operations = new Operations((cause) => classifySqliteError(cause, location))
  try {
    await operations.run(options.opener ?? 'openKyselyStore', () =>
      openSchema(db, {
        migrate: options.migrate ?? 'latest',
        readOnly,
        mark: options.ownDatabase ?? true,
        location,
        busyTimeout,
        logger: context.logger,
        prepare: options.prepare,
      }),
    )
  } catch (error) {
    await db.destroy()
    throw error
  }
  const parts: StoreParts = {
    ...context,
    db,
    engine:
      options.createEngine?.(db) ??
      createKyselyEngine(db, { busyTimeout, location, guarded: options.guarded ?? false }),
    operations,
    backend,
    maxMessageBytes,
    onDamage: (what) => context.logger.warn({ what, location }, 'damaged session'),
  }
  const close = async () => {
    if (await operations.close()) await db.destroy()
  }
  return {
    backend,
    capabilities: {
      transactions: 'none',
      search: 'none',
      threads: false,
      changes: false,
      maintenance: [],
      maxMessageBytes,
      processes: (options.shared ?? true) ? 'many' : 'one',
      persistent: options.persistent ?? true,
      missing: missingNames,
    },
    sessions: createSessionRecords(parts),
    messages: createMessageLog(parts),
    threads: missingMethods(backend, 'threads', portMethods.threads),
    search: missingMethods(backend, 'search', portMethods.search),
    changes: missingMethods(backend, 'changes', portMethods.changes),
    maintenance: missingMethods(backend, 'maintenance', portMethods.maintenance),
    transact: async () => {
      throw unsupported('transact', backend)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const missingNames: readonly string[] = [
  ...missingSessionMethods.map((name) => `sessions.${name}`),
  ...missingMessageMethods.map((name) => `messages.${name}`),
  ...portMethods.threads.map((name) => `threads.${name}`),
  ...portMethods.search.map((name) => `search.${name}`),
  'changes.since',
  ...portMethods.maintenance.map((name) => `maintenance.${name}`),
  'transact',
]
