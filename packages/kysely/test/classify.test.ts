import { StoreError } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { classifySqliteError, isBusy, isStale } from '../src/index.ts'

/** An error as a driver throws it. */
function driverError(message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), fields)
}

describe('classifySqliteError', () => {
  test.each([
    ['SQLITE_BUSY', 'busy', true, 'app.db is locked by another writer'],
    ['SQLITE_BUSY_SNAPSHOT', 'busy', true, 'app.db is locked by another writer'],
    ['SQLITE_LOCKED_SHAREDCACHE', 'busy', true, 'app.db is locked by another writer'],
    ['SQLITE_NOTADB', 'invalid', false, 'app.db is not a SQLite database'],
    ['SQLITE_CORRUPT_VTAB', 'corrupt', false, 'app.db is damaged: text'],
    ['SQLITE_READONLY_DIRECTORY', 'unavailable', false, 'the folder of app.db cannot be written'],
    ['SQLITE_READONLY_DBMOVED', 'unavailable', false, 'app.db can only be read'],
    ['SQLITE_CANTOPEN_ISDIR', 'unavailable', false, 'app.db cannot be opened: text'],
    ['SQLITE_PERM', 'unavailable', false, 'no permission for app.db'],
    ['SQLITE_FULL', 'unavailable', true, 'the disk of app.db is full'],
    ['SQLITE_IOERR_WRITE', 'unavailable', true, 'app.db failed: text'],
    ['SQLITE_TOOBIG', 'too-large', false, 'a value is too large for app.db'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'conflict', false, 'a rule of app.db was broken: text'],
    ['SQLITE_MISUSE', 'unknown', false, 'text'],
  ])('%s is %s', (code, expected, retryable, message) => {
    const cause = driverError('text', { code })
    expect(classifySqliteError(cause, 'app.db')).toMatchObject({ code: expected, retryable, message, cause })
  })

  test.each([
    'no such table: messages',
    'no such column: s.name',
    'malformed JSON',
    'JSON cannot hold BLOB values',
    'unsupported file format',
  ])('"%s" is corrupt: the file holds what no store writes', (text) => {
    const message = `app.db holds what the store cannot read: ${text}`
    const cause = driverError(text, { code: 'SQLITE_ERROR' })
    expect(classifySqliteError(cause, 'app.db')).toMatchObject({ code: 'corrupt', message })
  })

  test('the extended code comes first, wherever the driver puts it', () => {
    const libsql = driverError('text', { code: 'SQLITE_CONSTRAINT', extendedCode: 'SQLITE_BUSY_SNAPSHOT' })
    expect(classifySqliteError(libsql, 'app.db').code).toBe('busy')
    const wrapped = driverError('text', { cause: driverError('inner', { code: 'SQLITE_CORRUPT' }) })
    expect(classifySqliteError(wrapped, 'app.db').code).toBe('corrupt')
  })

  test('a closed handle is closed, an error of a store stays as it is, anything else is unknown', () => {
    expect(classifySqliteError(new TypeError('The database connection is not open'), 'app.db').code).toBe(
      'closed',
    )
    const own = new StoreError('conflict', 'x')
    expect(classifySqliteError(own, 'app.db')).toBe(own)
    expect(classifySqliteError('just text', 'app.db')).toMatchObject({
      code: 'unknown',
      message: 'just text',
    })
  })
})

test('isBusy knows drivers and stores', () => {
  expect(
    [driverError('x', { code: 'SQLITE_BUSY' }), new StoreError('busy', 'x'), driverError('busy')].map(isBusy),
  ).toEqual([true, true, false])
})

test('isStale finds the guard in any depth of causes', () => {
  const guard = driverError("bad JSON path: 'sess.stale'")
  expect([guard, driverError('outer', { cause: guard }), driverError('other')].map(isStale)).toEqual([
    true,
    true,
    false,
  ])
})
