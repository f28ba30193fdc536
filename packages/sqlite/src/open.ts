// Opens a store in a SQLite file. It owns the handle: pragmas, modes, what becomes of a damaged file, close. The SQL is all
// in @sess/kysely.

import { isStoreError, type SessionStore, StoreError } from '@sess/core'
import { withOperation } from '@sess/core/adapter'
import { applicationId, classifySqliteError, openKyselyStore, retryBusy } from '@sess/kysely'
import type { Database } from 'better-sqlite3'
import { createSqliteDialect } from './dialect.ts'
import {
  createFile,
  emptiedBeside,
  fileId,
  type HeldFile,
  holdFile,
  placeOf,
  setFileAside,
  setRestAside,
} from './files.ts'
import { refuseForeign } from './foreign.ts'
import { openHandle } from './handle.ts'
import { checkSqliteOptions, type SqliteStoreOptions } from './options.ts'
import { lockPath } from './path-lock.ts'
import { probeFile } from './probe.ts'

/** On an older Node better-sqlite3 ends the process without a word. */
const oldestNode = 22

/**
 * Opens a store in a file (made where there is none, readable by its owner alone), in memory, or over a handle of the
 * caller's. Several processes may open one file, but of each process one thread alone: where another thread closes it, the
 * system lets go of the locks of the first one too, and another process may then take away the log it writes to.
 *
 * A write to a file that was deleted or replaced meanwhile is `unavailable`. Where no file stands but the log of one that
 * was deleted or moved, the log is renamed (`sess.db-wal` to `sess.db.left-20260301T123015Z-wal`), the logger is told, and
 * a new file is begun. What a moved file lacks comes back where the log is named after it before it is opened.
 *
 * @throws {StoreError} unavailable a folder, no permission, a missing file when read-only
 * @throws {StoreError} invalid an option, before anything is touched; no SQLite file, or another product's: it is left
 *   untouched
 * @throws {StoreError} corrupt a damaged file; schema-newer; migration-failed; busy
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SessionStore> {
  try {
    assertNode(process.versions.node)
    checkSqliteOptions(options)
    if (options.database !== undefined) {
      return await openStore(options, options.database as Database, { location: 'the given database' })
    }
    return options.path === ':memory:' ? await openInMemory(options) : await openFile(options, options.path)
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

/** What was found at a path and may be moved: a file with our mark, and which one it is. */
interface Damaged {
  readonly damage: StoreError
  readonly id: string
  readonly isOurs: boolean
}

async function openFile(options: SqliteStoreOptions, path: string): Promise<SessionStore> {
  const { onDamaged = 'throw', readOnly = false, logger } = options
  const found = await openFound(options, path)
  if (!('damage' in found)) return found
  const { damage, id, isOurs } = found
  if (onDamaged === 'memory') {
    logger?.error({ path, reason: damage.message }, 'the file is damaged: nothing of this run is kept')
    return openInMemory(options)
  }
  if (onDamaged === 'throw' || readOnly || !isOurs) throw damage
  const setAside = await lockPath(path, timeoutOf(options), () => {
    // Another process may have been first: what stands there now is not what was looked at.
    if (fileId(path) !== id) return undefined
    const target = setFileAside(path, options.clock ?? Date.now)
    createFile(path, begin(options))
    return target
  })
  if (setAside !== undefined) {
    logger?.error(
      { path, setAside, reason: damage.message },
      'the file is damaged: it was set aside and a new one begun',
    )
  }
  const again = await openFound(options, path)
  if ('damage' in again) throw again.damage
  return again
}

/** Opens what stands at a path, or makes it; again where somebody put another file there meanwhile. */
function openFound(options: SqliteStoreOptions, path: string): Promise<SessionStore | Damaged> {
  return retryBusy(timeoutOf(options), path, async () => {
    const file = holdFile(path) ?? (await makeFile(options, path))
    const isStill = () => fileId(file.path) === file.id
    try {
      const store = await openHeld(options, path, file)
      if (isStill()) return store
      await store.close()
    } catch (error) {
      // Released by the store where it was opened.
      file.release()
      if (isStill()) return damagedOr(error, file)
    }
    throw new StoreError('busy', `${path} was replaced while it was opened`)
  })
}

function damagedOr(error: unknown, file: HeldFile): Damaged {
  if (!isStoreError(error) || error.code !== 'corrupt') throw error
  const isOurs = file.state === 'ours' || (file.state === 'empty' && emptiedBeside(file.path) === 'our log')
  return { damage: error, id: file.id, isOurs }
}

const leftBehind =
  'no file stood there, but the log of one: the log was renamed and a new file begun. Where that file was only moved, its ' +
  'last messages are in the log: give the log the name the file has now, with "-wal" behind it, before you open the file'

/** Makes the file and holds it. Not while somebody sets one aside: its log may still stand there. */
async function makeFile(options: SqliteStoreOptions, path: string): Promise<HeldFile> {
  if (options.readOnly) {
    throw new StoreError('unavailable', `${path} does not exist, and read-only does not make it`)
  }
  const place = placeOf(path)
  const file = await lockPath(place, timeoutOf(options), () => {
    const left = setRestAside(place, options.clock ?? Date.now)
    if (left !== undefined) options.logger?.warn({ path, left }, leftBehind)
    createFile(place, begin(options))
    return holdFile(path)
  })
  if (file === undefined) throw new StoreError('busy', `${path} was removed while it was opened`)
  return file
}

/** Makes an empty file a database with our mark, so that nobody finds one that is only half of it. */
function begin({ tablePrefix = '' }: SqliteStoreOptions): (path: string) => void {
  return (path) => {
    const database = openHandle(path, false)
    try {
      database.pragma('journal_mode = WAL')
      if (tablePrefix === '') database.pragma(`application_id = ${applicationId}`)
    } finally {
      database.close()
    }
  }
}

async function openHeld(options: SqliteStoreOptions, path: string, file: HeldFile): Promise<SessionStore> {
  if (file.state === 'empty' && emptiedBeside(file.path) !== 'no log') {
    throw new StoreError(
      'corrupt',
      `${path} is damaged: it is empty, but its log is not. Both were left untouched`,
    )
  }
  if (file.state === 'unknown') {
    await refuseForeign(path, file, (options.tablePrefix ?? '') !== '', async (database) => {
      const probe = { ...options, readOnly: true, migrate: 'none' } as const
      const store = await openStore(probe, database, { location: path })
      await store.close()
    })
  }
  const database = openHandle(path, options.readOnly ?? false)
  const store = await openStore(options, database, { location: path, file })
  try {
    if (file.state === 'ours' && hasOtherChoice(options)) probeFile(database, path)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Whether there is anything to do about a damaged file but to say so. */
function hasOtherChoice({ onDamaged, readOnly = false }: SqliteStoreOptions): boolean {
  return onDamaged === 'memory' || (onDamaged === 'set-aside' && !readOnly)
}

function openInMemory(options: SqliteStoreOptions): Promise<SessionStore> {
  const inMemory = { ...options, path: ':memory:' } as SqliteStoreOptions
  return openStore(inMemory, openHandle(':memory:', false), { location: 'the memory database' })
}

function timeoutOf({ busyTimeout = 5000 }: SqliteStoreOptions): number {
  return busyTimeout
}

interface Place {
  readonly location: string
  /** Let go of when the store closes. */
  readonly file?: HeldFile
}

function openStore(options: SqliteStoreOptions, database: Database, place: Place): Promise<SessionStore> {
  const { path, database: given, synchronous = 'normal', readOnly = false, onDamaged: _, ...rest } = options
  const { location, file } = place
  const isFile = given === undefined && path !== ':memory:'
  return openKyselyStore({
    ...rest,
    dialect: createSqliteDialect(database, () => {
      if (given === undefined) database.close()
      file?.release()
    }),
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
    ...(file && { beforeWrite: () => assertStillThere(location, file) }),
  })
}

/** What is written to a file that nobody can open any more is lost when the store closes. */
function assertStillThere(path: string, file: HeldFile): void {
  const id = fileId(file.path)
  if (id === file.id) return
  const [happened, advice] =
    id === ''
      ? [
          'deleted or moved',
          'Put it back, or open it again to begin a new one: its log is then kept under another name',
        ]
      : ['replaced by another file', 'Open it again']
  throw new StoreError(
    'unavailable',
    `${path} was ${happened} while it was open: nothing more is written to it. ${advice}`,
  )
}
