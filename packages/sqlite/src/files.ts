// The file behind a store: who may read it, whether it is ours at a glance, and whether it is still the one that stands at
// its path. Trap: where a process closes any descriptor of a file, the system lets go of all its locks on that file,
// SQLite's too; so a file of an open store is opened once and closed after SQLite has closed it. That is known to one thread
// alone: worker threads of one process must not open the same file.

import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StoreError } from '@sess/core'
import { applicationId } from '@sess/kysely'

/** What an opened file is: "unknown" is another product's, or one whose mark is still in its log. */
export type FileState = 'empty' | 'ours' | 'unknown'

/** A file that is kept open, so that no other one gets its number meanwhile. */
export interface HeldFile {
  /** Which file it is; another one after the path was replaced. */
  readonly id: string
  readonly state: FileState
  /** Where it was opened, absolute: the process may change its folder. */
  readonly path: string
  /** Its first bytes. */
  read(atMost: number): Buffer
  /** Lets go of it, after SQLite did. */
  release(): void
}

/** What SQLite keeps beside a file: its log, the log's index, and pages as they were before a change. */
const companions = ['-wal', '-shm', '-journal']

interface Holding {
  readonly descriptors: number[]
  holders: number
}

/** The files of this thread's open stores. */
const holdings = new Map<string, Holding>()

/**
 * Opens the file at a path for as long as a store has it, without SQLite.
 *
 * @returns undefined where there is none
 * @throws {StoreError} unavailable a folder, no permission, a part of the path that is no folder
 */
export function holdFile(path: string): HeldFile | undefined {
  return guard(path, () => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    if (stat.isDirectory()) throw new StoreError('unavailable', `${path} is a folder, not a file`)
    const known = holdings.get(idOf(stat))
    if (known !== undefined) return hold(path, idOf(stat), known)
    const opened = openIfThere(path)
    if (opened === undefined) return undefined
    const { id, descriptor } = opened
    const holding = holdings.get(id) ?? { descriptors: [], holders: 0 }
    holding.descriptors.push(descriptor)
    holdings.set(id, holding)
    return hold(path, id, holding)
  })
}

/** Which file it is is asked of what was opened: it may not be what stood there before. */
function openIfThere(path: string): { readonly id: string; readonly descriptor: number } | undefined {
  try {
    const descriptor = openSync(path, 'r')
    return { id: idOf(fstatSync(descriptor)), descriptor }
  } catch (cause) {
    // Some systems know nothing more of a file that is deleted right then.
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

function hold(path: string, id: string, holding: Holding): HeldFile {
  const descriptor = holding.descriptors[0] as number
  holding.holders++
  let released = false
  return {
    id,
    path: resolve(path),
    state: stateOf(descriptor),
    read(atMost) {
      const bytes = Buffer.alloc(Math.min(atMost, fstatSync(descriptor).size))
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0))
    },
    release() {
      if (released) return
      released = true
      if (--holding.holders > 0) return
      holdings.delete(id)
      for (const descriptor of holding.descriptors) closeSync(descriptor)
    },
  }
}

function stateOf(descriptor: number): FileState {
  if (fstatSync(descriptor).size === 0) return 'empty'
  const header = Buffer.alloc(100)
  readSync(descriptor, header, 0, header.length, 0)
  // Offset 68 of the header (SQLite file format, 1.3.16).
  return header.readUInt32BE(68) === applicationId ? 'ours' : 'unknown'
}

/** Where a file that is made at a path comes to stand, and its log: behind a link to one that is not there yet. */
export function placeOf(path: string): string {
  try {
    const target = readlinkSync(path)
    return placeOf(resolve(realpathSync(dirname(path)), target))
  } catch {
    return path
  }
}

/**
 * Makes a file that only its owner can read, in a folder of the same kind where there is none. SQLite gives its log the same
 * mode. It comes to its path as a whole; what stands there meanwhile stays. Only for who has the path to itself.
 *
 * @param fill makes the empty file it is given what it is to be
 */
export function createFile(path: string, fill: (path: string) => void): void {
  const draft = `${path}.opening-new`
  guard(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    try {
      rmSync(draft, { force: true })
      closeSync(openSync(draft, 'wx', 0o600))
      fill(draft)
      linkSync(draft, path)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).syscall !== 'link') throw cause
      // A file system that knows only one name a file.
      if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    } finally {
      rmSync(draft, { force: true })
    }
  })
}

/** The same beside a path, where nothing stands there; a file that is there is not opened. */
export function createBeside(path: string, suffix: string): void {
  guard(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    try {
      closeSync(openSync(path + suffix, 'wx', 0o600))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    }
  })
}

/** Which file stands at a path; '' where none does. */
export function fileId(path: string): string {
  const stat = guard(path, () => statSync(path, { throwIfNoEntry: false }))
  return stat === undefined ? '' : idOf(stat)
}

function idOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

/** The log of a file that is there: SQLite keeps it where a link leads to. */
export function logOf(path: string): string {
  return `${realpathSync(path)}-wal`
}

/**
 * Whether a file is empty though its log is not, which SQLite would delete.
 *
 * @returns whose log it is, where it can be told
 */
export function emptiedBeside(path: string): 'no log' | 'our log' | 'a log' {
  return guard(path, () => {
    const log = logOf(path)
    // In this order: who makes a file writes to it before there is a log.
    const isEmptied = existsSync(log) && statSync(log).size > 0 && statSync(path).size === 0
    if (!isEmptied) return 'no log'
    return hasMark(readFileSync(log)) ? 'our log' : 'a log'
  })
}

/** SQLite file format, 4.1: behind 32 bytes pages, each behind its number and 20 bytes more. */
function hasMark(log: Buffer): boolean {
  if (log.length < 32) return false
  const size = 24 + log.readUInt32BE(8)
  for (let at = 32; at + 124 <= log.length; at += size) {
    if (log.readUInt32BE(at) === 1 && log.readUInt32BE(at + 24 + 68) === applicationId) return true
  }
  return false
}

/**
 * Renames a file and its log to a name that tells when, and answers it. The file goes first: nobody can open it any more
 * who would then miss its log.
 */
export function setFileAside(path: string, now: () => number): string {
  return guard(path, () => {
    const target = freeName(path, 'damaged', now)
    renameSync(path, target)
    for (const suffix of companions) renameIfThere(path + suffix, target + suffix)
    return target
  })
}

/**
 * Renames the log of a file that stands there no more, and answers the name without its ending: SQLite would write it into
 * whatever file came next, and then delete it. Only for who has the path to itself.
 *
 * @returns undefined where nothing was left
 */
export function setRestAside(path: string, now: () => number): string | undefined {
  return guard(path, () => {
    if (fileId(path) !== '' || !companions.some((suffix) => existsSync(path + suffix))) return undefined
    const target = freeName(path, 'left', now)
    const moved = companions.filter((suffix) => renameIfThere(path + suffix, target + suffix))
    return moved.length === 0 ? undefined : target
  })
}

function freeName(path: string, why: string, now: () => number): string {
  const stamp = new Date(now()).toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '')
  const isTaken = (target: string) => ['', ...companions].some((suffix) => existsSync(target + suffix))
  const first = `${path}.${why}-${stamp}`
  let target = first
  for (let number = 2; isTaken(target); number++) target = `${first}-${number}`
  return target
}

/** Who closes the file last, in another process, deletes its log right then. */
function renameIfThere(path: string, target: string): boolean {
  try {
    renameSync(path, target)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw cause
  }
}

/** Errors of the file system as errors of a store. */
export function guard<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === undefined || cause instanceof StoreError || code.startsWith('SQLITE_')) throw cause
    throw new StoreError('unavailable', `${path} cannot be opened: ${reasons[code] ?? code}`, { cause })
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  ENOENT: 'it, or a folder of its path, is not there',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'a part of the path is no folder',
  ENAMETOOLONG: 'the name is too long',
  EROFS: 'the file system can only be read',
  ENOSPC: 'the disk is full',
  ELOOP: 'too many symbolic links',
}
