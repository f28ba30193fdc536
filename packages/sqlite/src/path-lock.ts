// One process at a time makes a file at a path or sets one aside there. The lock is SQLite's own, on an empty file beside
// the path: the system lets go of it when its holder dies, however it dies, and a file that is left behind locks nothing.

import { type BigIntStats, rmSync, statSync } from 'node:fs'
import { StoreError } from '@sess/core'
import { outcomeOf } from '@sess/core/adapter'
import { retryBusy } from '@sess/kysely'
import type { Database } from 'better-sqlite3'
import { createBeside } from './files.ts'
import { openHandle } from './handle.ts'

const suffix = '.opening'

/**
 * Runs work that nobody else runs for this path meanwhile; it should be short, because the event loop waits for it.
 *
 * @throws {StoreError} busy somebody else did for `busyTimeout` milliseconds; unavailable the folder cannot be written
 */
export function lockPath<T>(path: string, busyTimeout: number, work: () => T): Promise<T> {
  const file = path + suffix
  return retryBusy(busyTimeout, path, async () => {
    createBeside(path, suffix)
    const found = identity(file)
    const lock = await outcomeOf(async () => take(file))
    // Who had it before takes the file away: then this is a lock on nothing that others can find, or none at all.
    if (found === undefined || identity(file) !== found) {
      if ('value' in lock) lock.value.close()
      throw new StoreError('busy', `${file} was removed by another process`)
    }
    if ('error' in lock) throw lock.error
    try {
      return work()
    } finally {
      rmSync(file, { force: true })
      lock.value.close()
    }
  })
}

function take(file: string): Database {
  const lock = openHandle(file, false)
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock.close()
    throw cause
  }
}

function identity(path: string): string | undefined {
  const stat: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
  // A number alone may be given to the next file.
  return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`
}
