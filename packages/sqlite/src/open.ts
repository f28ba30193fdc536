// Opens a store in a SQLite file. It owns the handle: pragmas, modes, waiting for locks, close. The SQL is all in
// @sess/kysely.

import { isStoreError, type SessionStore, StoreError } from '@sess/core'
import { withOperation } from '@sess/core/adapter'
import { classifySqliteError, openKyselyStore } from '@sess/kysely'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import { createSqliteDialect } from './dialect.ts'
import { createFile, fileId, inspectFile, setFileAside } from './files.ts'
import type { SqliteStoreOptions } from './options.ts'

/** On an older Node better-sqlite3 ends the process without a word. */
const oldestNode = 22

/** How long SQLite itself may block the event loop for a lock, in milliseconds; the rest of the waiting is asynchronous. */
const nativeTimeout = 5

/**
 * Opens a store in a file (made where there is none, readable by its owner alone), in memory, or over a handle of the
 * caller's. Several processes may open one file.
 *
 * @throws {StoreError} unavailable a folder, no permission, a missing file when read-only
 * @throws {StoreError} invalid no SQLite file, or another product's; it is left untouched
 * @throws {StoreError} corrupt a damaged file; schema-newer; migration-failed; busy
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SessionStore> {
  try {
    assertNode(process.versions.node)
    const { path, database } = options
    if (database !== undefined) return await openStore(options, database as Database, 'the given database')
    if (typeof path !== 'string' || path === '' || path.includes('\0')) {
      throw new StoreError('invalid', 'path: must be the path of a file, or ":memory:"')
    }
    return path === ':memory:'
      ? await openStore(options, openHandle(path, options), 'the memory database')
      : await openFile(options, path)
  } catch (error) {
    throw withOperation(
      isStoreError(error) ? error : classifySqliteError(error, 'the database'),
      'openSqliteStore',
    )
  }
}

/** @throws {StoreError} unsupported a Node that better-sqlite3 does not run on */
export function assertNode(version: string): void {
  if (Number.parseInt(version, 10) >= oldestNode) return
  throw new StoreError('unsupported', `@sess/sqlite needs Node 22.13 or newer, this is ${version}`)
}

async function openFile(options: SqliteStoreOptions, path: string): Promise<SessionStore> {
  const state = inspectFile(path)
  if (state === 'missing' && options.readOnly) {
    throw new StoreError('unavailable', `${path} does not exist, and read-only does not make it`)
  }
  if (state === 'missing') createFile(path)
  if (state === 'unknown') await refuseForeign(options, path)
  const before = fileId(path)
  try {
    return await openStore(options, openHandle(path, options), path)
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'corrupt') throw error
    return openInstead(options, path, error, state === 'ours' && fileId(path) === before)
  }
}

/** What a host asked for instead of a damaged file. */
async function openInstead(
  options: SqliteStoreOptions,
  path: string,
  damage: StoreError,
  mayMove: boolean,
): Promise<SessionStore> {
  const { onDamaged = 'throw', readOnly, logger } = options
  if (onDamaged === 'memory') {
    logger?.error({ path, reason: damage.message }, 'the file is damaged: nothing of this run is kept')
    return openStore(
      { ...options, path: ':memory:' } as SqliteStoreOptions,
      openHandle(':memory:', {}),
      'the memory database',
    )
  }
  // Only a file with our mark is moved, and only the one that was looked at: another process may have been first.
  if (onDamaged === 'throw' || readOnly || !mayMove) throw damage
  const setAside = setFileAside(path, options.clock ?? Date.now)
  logger?.error(
    { path, setAside, reason: damage.message },
    'the file is damaged: it was set aside and a new one begun',
  )
  createFile(path)
  return openStore(options, openHandle(path, options), path)
}

/** A handle that may write would fold another product's log into its file when it closes: so look without one first. */
async function refuseForeign(options: SqliteStoreOptions, path: string): Promise<void> {
  const probe = await openStore(
    { ...options, readOnly: true, migrate: 'none' },
    openHandle(path, { readOnly: true }),
    path,
  )
  await probe.close()
}

function openHandle(path: string, { readOnly }: Pick<SqliteStoreOptions, 'readOnly'>): Database {
  try {
    return new SqliteDatabase(path, { readonly: readOnly === true, timeout: nativeTimeout })
  } catch (cause) {
    throw classifySqliteError(cause, path)
  }
}

function openStore(options: SqliteStoreOptions, database: Database, location: string): Promise<SessionStore> {
  const { path, database: given, synchronous = 'normal', readOnly = false, onDamaged: _, ...rest } = options
  const isFile = given === undefined && path !== ':memory:'
  return openKyselyStore({
    ...rest,
    dialect: createSqliteDialect(database, given === undefined),
    backend: 'sqlite',
    opener: 'openSqliteStore',
    location,
    readOnly,
    ownDatabase: given === undefined,
    persistent: given === undefined ? isFile : !given.memory,
    shared: given === undefined ? isFile : !given.memory,
    prepare: () => {
      if (isFile && !readOnly) database.pragma('journal_mode = WAL')
      if (isFile) database.pragma(`synchronous = ${synchronous}`)
      database.pragma('foreign_keys = ON')
    },
  })
}
