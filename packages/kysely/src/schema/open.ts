// Opening a database: what is in it, whether it is ours, and whether it is as new as this code. A file that is not ours
// or is newer is not touched.

import { type Logger, StoreError } from '@sess/core'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { isBusy } from '../classify.ts'
import { retryBusy } from '../locks.ts'
import { applicationId, migrations, schemaVersion } from './migrations.ts'
import { createPrefixer, schemaNames } from './prefix.ts'
import type { Database } from './tables.ts'

/** latest: bring the schema up to date; check: refuse an old one; none: the host looks after it. */
export type MigrateMode = 'latest' | 'check' | 'none'

export interface SchemaOptions {
  readonly migrate: MigrateMode
  readonly readOnly: boolean
  /** Whether the whole file is ours, so that it carries the mark and other tables mean another product. */
  readonly mark: boolean
  readonly tablePrefix: string
  readonly location: string
  readonly busyTimeout: number
  readonly logger: Logger
  /** Called before anything is written. */
  readonly prepare: (() => void | Promise<void>) | undefined
}

interface Found {
  readonly tables: readonly string[]
  /** SQLite's own version, '3.54.1'. */
  readonly library: string
  readonly applicationId: number
  /** Both 0 where there is no `schema_meta`. */
  readonly version: number
  readonly oldestReader: number
}

/**
 * Makes sure that the schema is one this code can use.
 *
 * @throws {StoreError} invalid another product's database; schema-newer; migration-failed
 */
export async function openSchema(db: Kysely<Database>, options: SchemaOptions): Promise<void> {
  const found = await inspect(db, options)
  refuseOldLibrary(found.library)
  refuseForeign(found, options)
  refuseNewer(found, options)
  await retryBusy(options.busyTimeout, options.location, async () => options.prepare?.())
  if (found.version >= schemaVersion || options.migrate === 'none') return
  if (options.migrate === 'check' || options.readOnly) {
    const state = found.version === 0 ? 'has no tables of sess yet' : `has schema version ${found.version}`
    throw new StoreError(
      'migration-failed',
      `${options.location} ${state}; this version of sess needs ${schemaVersion}`,
    )
  }
  await migrate(db, options)
}

async function inspect(
  db: Kysely<Database>,
  { busyTimeout, location, tablePrefix }: SchemaOptions,
): Promise<Found> {
  const metaTable = `${tablePrefix}schema_meta`
  return retryBusy(busyTimeout, location, async () => {
    const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`.execute(
      db,
    )
    const tables = rows.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'))
    const library = await sql<{ version: string }>`SELECT sqlite_version() AS version`.execute(db)
    const mark = await sql<{ application_id: number }>`PRAGMA application_id`.execute(db)
    const meta = tables.includes(metaTable)
      ? await sql<{ key: string; value: number }>`SELECT key, value FROM ${sql.raw(metaTable)}`.execute(db)
      : { rows: [] }
    const value = (key: string) => Number(meta.rows.find((row) => row.key === key)?.value ?? 0)
    return {
      tables,
      library: library.rows[0]?.version ?? '0',
      applicationId: mark.rows[0]?.application_id ?? 0,
      version: value('schema_version'),
      oldestReader: value('oldest_reader'),
    }
  })
}

/** contentless_delete came with 3.43; everything here is tested on 3.45. */
function refuseOldLibrary(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 3 || (major === 3 && minor >= 45)) return
  throw new StoreError('unsupported', `SQLite ${version} is too old; sess needs 3.45 or newer`)
}

/** Kysely's Migrator makes these before its transaction; alone they mean an empty file. */
const migratorTables: readonly string[] = ['kysely_migration', 'kysely_migration_lock']

function refuseForeign(found: Found, { mark, location, tablePrefix }: SchemaOptions): void {
  const others = found.tables.filter((name) => !migratorTables.includes(name))
  const isOurs = mark ? found.applicationId === applicationId : found.version > 0
  if (isOurs || (others.length === 0 && (!mark || found.applicationId === 0))) return
  // A shared database holds other tables by right, but none of our names.
  if (!mark && !schemaNames.some((name) => others.includes(tablePrefix + name))) return
  throw new StoreError(
    'invalid',
    `${location} is ${productOf(others)}, not one of sess; it was left untouched`,
  )
}

/** Whose database it is, by the tables that only that product has. */
function productOf(tables: readonly string[]): string {
  const has = (...names: string[]) => names.every((name) => tables.includes(name))
  if (has('sessions', 'messages', 'schema_version')) return 'a database of Goose'
  if (has('sessions', 'messages', 'chunks')) return 'a database of CowAgent'
  if (has('session', 'message', 'part')) return 'a database of opencode'
  if (has('conversations', 'responses')) return 'a database of llm'
  if (has('agent_sessions', 'agent_messages')) return 'a database of the OpenAI Agents SDK'
  if (has('mastra_threads')) return 'a database of Mastra'
  if (tables.length === 0) return 'a database of another application'
  return `another application's database (it has the table "${tables.toSorted()[0]}")`
}

function refuseNewer({ version, oldestReader }: Found, { migrate: mode, location }: SchemaOptions): void {
  if (version <= schemaVersion) return
  // "none": the host says that it looks after the schema; the file says who may read it.
  if (mode === 'none' && oldestReader <= schemaVersion) return
  throw new StoreError(
    'schema-newer',
    `${location} has schema version ${version}; this version of sess knows ${schemaVersion}. Nothing was changed`,
  )
}

/** Kysely's migrateToLatest never throws: its `error` is looked at here. */
async function migrate(
  db: Kysely<Database>,
  { mark, location, busyTimeout, logger, tablePrefix }: SchemaOptions,
): Promise<void> {
  const all: Record<string, Migration> = { ...migrations({ mark, rewrite: createPrefixer(tablePrefix) }) }
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => all },
    migrationTableName: `${tablePrefix}kysely_migration`,
    migrationLockTableName: `${tablePrefix}kysely_migration_lock`,
  })
  await retryBusy(busyTimeout, location, async () => {
    const { error, results } = await migrator.migrateToLatest()
    if (error === undefined) {
      for (const { migrationName } of results ?? []) logger.info({ migrationName, location }, 'migrated')
      return
    }
    if (isBusy(error)) throw error
    const text = error instanceof Error ? error.message : String(error)
    throw new StoreError('migration-failed', `${location} could not be migrated: ${text}`, { cause: error })
  })
}
