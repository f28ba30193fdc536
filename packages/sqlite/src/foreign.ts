// Whether a file without our mark is another product's, found out without a trace: a handle on a file with a log makes
// the files beside it, and one that may write folds the log into the file when it closes.

import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isStoreError } from '@sess/core'
import type { Database } from 'better-sqlite3'
import { guard, type HeldFile, logOf } from './files.ts'
import { openBytes, openHandle } from './handle.ts'

/** Looks at a database and closes it; throws where it is not one to open. */
export type Look = (database: Database) => Promise<void>

/** The schema of most files stands within it; what holds more is looked at in place. */
const glance = 1_048_576

/**
 * Throws what `look` throws of the file, and leaves it and its folder as they are.
 *
 * @param isShared whether other tables may stand in it by right: then its log is not looked at
 */
export async function refuseForeign(
  path: string,
  file: HeldFile,
  isShared: boolean,
  look: Look,
): Promise<void> {
  const isRead =
    (await isReadable(look, openBytes(file.read(glance)))) &&
    (isShared || !hasLog(path) || (await isReadableCopy(path, file, look)))
  if (!isRead) await look(openHandle(path, true))
}

/** With its log, because the tables of a file whose writer died may stand there alone; then the file itself is small. */
async function isReadableCopy(path: string, file: HeldFile, look: Look): Promise<boolean> {
  const folder = guard(path, () => mkdtempSync(join(tmpdir(), 'sess-')))
  try {
    const copy = join(folder, 'copy.db')
    guard(path, () => {
      writeFileSync(copy, file.read(glance))
      copyFileSync(logOf(path), `${copy}-wal`)
    })
    return await isReadable(look, openHandle(copy, true))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function hasLog(path: string): boolean {
  return (guard(path, () => statSync(logOf(path), { throwIfNoEntry: false }))?.size ?? 0) > 0
}

/** What is a part, or was read without a lock, may seem damaged where it is not. */
async function isReadable(look: Look, database: Database): Promise<boolean> {
  try {
    await look(database)
    return true
  } catch (error) {
    if (isStoreError(error) && (error.code === 'corrupt' || error.retryable)) return false
    throw error
  }
}
