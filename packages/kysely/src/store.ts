// The store over any Kysely SQLite dialect: the port's parts put together.

import { limits, type SessionStore, type StoreError, type StoreScope } from '@sess/core'
import {
  missingMethods,
  Operations,
  portMethods,
  resolveOptions,
  runInScope,
  scopeOperations,
  TransactionGate,
  transactWith,
  withoutImport,
} from '@sess/core/adapter'
import { Kysely } from 'kysely'
import { createChangeFeed } from './changes.ts'
import { classifySqliteError, isFileDamage } from './classify.ts'
import type { StoreParts } from './context.ts'
import { ImmediateDialect } from './dialect.ts'
import { createKyselyEngine, type SqlEngine, type SqlRunner } from './engine.ts'
import { createMessageLog } from './messages.ts'
import { checkKyselyOptions, type KyselyStoreOptions } from './options.ts'
import { openSchema } from './schema/open.ts'
import { createPrefixer } from './schema/prefix.ts'
import type { Database } from './schema/tables.ts'
import { createIndexKeeper } from './search/keeper.ts'
import { createMessageSearch } from './search/search.ts'
import { createSessionRecords } from './sessions.ts'
import { createThreadRecords } from './threads.ts'

/**
 * Opens a store over a dialect and brings its schema up to date.
 *
 * @throws {StoreError} invalid another product's database; schema-newer; migration-failed; busy; unavailable; corrupt
 */
export async function openKyselyStore(options: KyselyStoreOptions): Promise<SessionStore> {
  checkKyselyOptions(options)
  const context = resolveOptions(options)
  const { backend = 'kysely', location = 'the database', busyTimeout = 5000, tablePrefix = '' } = options
  const maxMessageBytes = options.maxMessageBytes ?? limits.messageBytes
  const rewrite = createPrefixer(tablePrefix)
  const db = new Kysely<Database>({ dialect: new ImmediateDialect(options.dialect) })
  const health = watchHealth(location)
  const { classify } = health
  const gate = new TransactionGate(busyTimeout, location)
  const operations = new Operations({ classify, gate })
  await openOrDestroy(db, operations, options.opener ?? 'openKyselyStore', () =>
    openSchema(db, {
      migrate: options.migrate ?? 'latest',
      readOnly: options.readOnly ?? false,
      mark: (options.ownDatabase ?? true) && tablePrefix === '',
      tablePrefix,
      location,
      busyTimeout,
      logger: context.logger,
      prepare: options.prepare,
    }),
  )
  const engine = health.guard(
    options.createEngine?.(db) ??
      createKyselyEngine(db, {
        busyTimeout,
        location,
        guarded: options.guarded ?? false,
        rewrite,
        beforeWrite: options.beforeWrite,
      }),
  )
  const keeper = createIndexKeeper({ engine, readOnly: options.readOnly ?? false, logger: context.logger })
  const parts: StoreParts = {
    ...context,
    db,
    engine,
    operations,
    backend,
    maxMessageBytes,
    onDamage: (what) => context.logger.warn({ what, location }, 'damaged row'),
    indexAll: () => keeper.catchUp(),
  }
  const scopeOf = (scoped: StoreParts): StoreScope => ({
    sessions: createSessionRecords(scoped),
    messages: createMessageLog(scoped),
    threads: createThreadRecords(scoped),
  })
  const close = () => operations.close(() => db.destroy())
  return {
    backend,
    capabilities: {
      transactions: 'interactive',
      search: 'ranked',
      threads: true,
      changes: true,
      maintenance: [],
      maxMessageBytes,
      processes: (options.shared ?? true) ? 'many' : 'one',
      persistent: options.persistent ?? true,
      missing: portMethods.maintenance.map((name) => `maintenance.${name}`),
    },
    ...scopeOf(parts),
    search: createMessageSearch(parts, keeper),
    changes: createChangeFeed(parts),
    maintenance: missingMethods(backend, 'maintenance', portMethods.maintenance),
    transact: (work) =>
      transactWith(operations, work, () =>
        engine.transact(
          (runner) => {
            const scoped = scopeOperations({ classify })
            const inside = { ...parts, engine: runner, operations: scoped, indexAll: async () => {} }
            const scope = withoutImport(scopeOf(inside), backend)
            return runInScope(gate, scoped, () => work(scope))
          },
          // Not around the waiting for another process: reads need no lock.
          (attempt) => gate.run(attempt),
        ),
      ),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function openOrDestroy(
  db: Kysely<Database>,
  operations: Operations,
  opener: string,
  open: () => Promise<void>,
): Promise<void> {
  try {
    await operations.run(opener, open)
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Once SQLite says that the file is damaged, this handle writes nothing more to it: what can be read is kept as it is. */
function watchHealth(location: string) {
  let damage: StoreError | undefined
  const classify = (cause: unknown): StoreError => {
    const error = classifySqliteError(cause, location)
    if (isFileDamage(cause)) damage = error
    return error
  }
  const unlessDamaged =
    (write: SqlRunner['write']): SqlRunner['write'] =>
    async (unit, patience) => {
      if (damage) throw damage
      return write(unit, patience)
    }
  const guard = (engine: SqlEngine): SqlEngine => ({
    read: engine.read,
    write: unlessDamaged(engine.write),
    transact: async (work, around) => {
      if (damage) throw damage
      const ended = await engine.transact(async ({ read, write }) => {
        const outcome = await work({ read, write: unlessDamaged(write) })
        return damage && 'value' in outcome ? { error: damage } : outcome
      }, around)
      if (damage && 'error' in ended && ended.error === damage) throw damage
      return ended
    },
  })
  return { classify, guard }
}
