// A driver's error becomes a StoreError. better-sqlite3 gives the extended code in `code`; libSQL gives the primary one
// there and the extended one in `extendedCode` or `cause.code`, and over HTTP none: so by prefix, extended first.

import { isStoreError, StoreError } from '@sess/core'

/**
 * What a driver's error means to a caller.
 *
 * @param location the file or URL, named in the message
 */
export function classifySqliteError(cause: unknown, location: string): StoreError {
  if (isStoreError(cause)) return cause
  const text = cause instanceof Error ? cause.message : String(cause)
  const code = sqliteCode(cause)
  const error = (...[kind, message, retryable]: [StoreError['code'], string, boolean?]) =>
    new StoreError(kind, message, retryable === undefined ? { cause } : { cause, retryable })
  if (/not open|is closed|CLIENT_CLOSED/i.test(text) && code === '')
    return error('closed', `${location} is closed`)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return error('busy', `${location} is locked by another writer`)
  if (code.startsWith('SQLITE_NOTADB')) return error('invalid', `${location} is not a SQLite database`)
  if (code.startsWith('SQLITE_CORRUPT')) return error('corrupt', `${location} is damaged: ${text}`)
  if (code === 'SQLITE_READONLY_DIRECTORY')
    return error('unavailable', `the folder of ${location} cannot be written`)
  if (code.startsWith('SQLITE_READONLY')) return error('unavailable', `${location} can only be read`)
  if (code.startsWith('SQLITE_CANTOPEN')) return error('unavailable', `${location} cannot be opened: ${text}`)
  if (/^SQLITE_(PERM|AUTH)/.test(code)) return error('unavailable', `no permission for ${location}`)
  if (code.startsWith('SQLITE_FULL')) return error('unavailable', `the disk of ${location} is full`, true)
  if (/^SQLITE_(IOERR|NOLFS|PROTOCOL)/.test(code))
    return error('unavailable', `${location} failed: ${text}`, true)
  if (code.startsWith('SQLITE_TOOBIG')) return error('too-large', `a value is too large for ${location}`)
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return error('conflict', `a rule of ${location} was broken: ${text}`)
  // A table or column that is not there, a value that SQLite cannot take apart, or a header of a format to come.
  if (
    /^(no such (table|column)|malformed JSON|JSON cannot hold BLOB|bad JSON path|unsupported file format)/.test(
      text,
    ) &&
    code === 'SQLITE_ERROR'
  )
    return error('corrupt', `${location} holds what the store cannot read: ${text}`)
  return error('unknown', text)
}

/** Whether the index of search is damaged, which can be made anew, and not the file. */
export function isIndexDamage(cause: unknown): boolean {
  return sqliteCode(cause) === 'SQLITE_CORRUPT_VTAB'
}

/** Whether the driver says that somebody else holds the lock. */
export function isLocked(cause: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(cause))
}

/** Whether SQLite itself says that the file is damaged. */
export function isFileDamage(cause: unknown): boolean {
  return sqliteCode(cause).startsWith('SQLITE_CORRUPT')
}

/** Whether somebody else holds the lock: the driver says so, or a store that has waited for it already. */
export function isBusy(cause: unknown): boolean {
  return isLocked(cause) || (isStoreError(cause) && cause.code === 'busy')
}

/** Whether a guarded batch lost its race: the guard's own text, from whichever driver. */
export function isStale(cause: unknown): boolean {
  for (let error = cause, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error.message.includes('sess.stale')) return true
  }
  return false
}

function sqliteCode(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return ''
  const {
    code,
    extendedCode,
    cause: inner,
  } = cause as {
    readonly code?: unknown
    readonly extendedCode?: unknown
    readonly cause?: unknown
  }
  for (const candidate of [extendedCode, code]) {
    if (typeof candidate === 'string' && candidate.startsWith('SQLITE_')) return candidate
  }
  return inner === undefined ? '' : sqliteCode(inner)
}
