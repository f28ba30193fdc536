// SQLite's handle on a file: never one that makes the file.

import { classifySqliteError } from '@sess/kysely'
import SqliteDatabase, { type Database } from 'better-sqlite3'

/** How long SQLite itself may block the event loop for a lock, in milliseconds; the rest of the waiting is asynchronous. */
const nativeTimeout = 5

/**
 * Opens a handle.
 *
 * @param path of a file, or ":memory:"
 * @throws {StoreError} unavailable
 */
export function openHandle(path: string, readOnly: boolean): Database {
  try {
    const fileMustExist = path !== ':memory:'
    return new SqliteDatabase(path, { readonly: readOnly, fileMustExist, timeout: nativeTimeout })
  } catch (cause) {
    throw classifySqliteError(cause, path)
  }
}

/**
 * Opens the beginning of a database file as a database in memory, without its log.
 *
 * @param bytes the file's beginning; changed
 */
export function openBytes(bytes: Buffer): Database {
  if (bytes.toString('latin1', 0, 15) !== 'SQLite format 3') return new SqliteDatabase(bytes)
  // SQLite file format, 1.3: the page's size, where 1 means 65536; no log; how many pages there are.
  const pageSize = bytes.readUInt16BE(16) === 1 ? 65_536 : Math.max(512, bytes.readUInt16BE(16))
  const pages = Math.floor(bytes.length / pageSize)
  bytes.writeUInt8(1, 18)
  bytes.writeUInt8(1, 19)
  bytes.writeUInt32BE(pages, 28)
  return new SqliteDatabase(bytes.subarray(0, pages * pageSize))
}
