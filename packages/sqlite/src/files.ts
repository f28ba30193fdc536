// The file behind a store: who may read it, and whether it is ours at a glance.

import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreError } from '@sess/core'
import { applicationId } from '@sess/kysely'

/** What stands at a path before it is opened. */
export type FileState = 'missing' | 'empty' | 'ours' | 'unknown'

/**
 * Looks at a path without SQLite. "ours" carries the mark in its header; a file whose mark is still in its log is
 * "unknown", like another product's.
 *
 * @throws {StoreError} unavailable a folder, no permission, a part of the path that is no folder
 */
export function inspectFile(path: string): FileState {
  return guard(path, () => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return 'missing'
    if (stat.isDirectory()) throw new StoreError('unavailable', `${path} is a folder, not a file`)
    if (stat.size === 0) return 'empty'
    const header = Buffer.alloc(100)
    const file = openSync(path, 'r')
    try {
      readSync(file, header, 0, header.length, 0)
    } finally {
      closeSync(file)
    }
    // Offset 68 of the header (SQLite file format, 1.3.16).
    return header.readUInt32BE(68) === applicationId ? 'ours' : 'unknown'
  })
}

/** Makes a file that only its owner can read, in a folder of the same kind where there is none. SQLite gives its log the same mode. */
export function createFile(path: string): void {
  guard(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    try {
      closeSync(openSync(path, 'wx', 0o600))
    } catch (cause) {
      // Another process was first.
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    }
  })
}

/** Which file stands at a path: another one after it was replaced. */
export function fileId(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}`
}

/** Renames a file and its log to a name that tells when, and answers it. */
export function setFileAside(path: string, now: () => number): string {
  const stamp = new Date(now()).toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '')
  let target = `${path}.damaged-${stamp}`
  for (let number = 2; existsSync(target); number++) target = `${path}.damaged-${stamp}-${number}`
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix)
  }
  return target
}

function guard<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === undefined || cause instanceof StoreError) throw cause
    throw new StoreError('unavailable', `${path} cannot be opened: ${reasons[code] ?? code}`, { cause })
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'a part of the path is no folder',
  ENAMETOOLONG: 'the name is too long',
  EROFS: 'the file system can only be read',
  ENOSPC: 'the disk is full',
  ELOOP: 'too many symbolic links',
}
