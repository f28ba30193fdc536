// Files that the command line writes. They appear when they are complete, and never in the place of what is no plain file.

import { randomBytes } from 'node:crypto'
import { constants, openSync, type Stats } from 'node:fs'
import { access, type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StoreError } from '@sess/core'
import { isDatabaseFile } from './database-file.ts'
import { guardFile } from './file-errors.ts'
import { isStoreFile } from './store-file.ts'

export interface WriteOptions {
  /** The URL of the store that is read, whose own files are not written over. */
  readonly url: string
  /** Has the temporary file removed when the process is ended before. */
  defer(work: () => Promise<void>): void
}

/**
 * Writes a file that appears when it is complete: into a temporary one beside it, which then takes its place. A named
 * pipe, a terminal and the like (`/dev/stdout`) are written to as they are.
 *
 * @throws {StoreError} invalid a file of the store or of another database, a disk, a socket; unavailable a folder, no permission, a write
 * protected file, a full disk
 */
export async function writeFileWhole(
  path: string,
  chunks: AsyncIterable<string>,
  { url, defer }: WriteOptions,
): Promise<void> {
  await guardFile(path, async () => {
    if (isStoreFile(path, url)) {
      throw new StoreError('invalid', `${path}: is the store's own file: write to another one`)
    }
    const found = await findFile(path)
    if (found?.isDirectory()) throw new StoreError('unavailable', `${path}: it is a folder, not a file`)
    if (found?.isBlockDevice() || found?.isSocket()) {
      throw new StoreError('invalid', `${path}: it is a ${found.isSocket() ? 'socket' : 'disk'}, not a file`)
    }
    if (found?.isFIFO()) return writePipe(path, chunks)
    if (found?.isCharacterDevice()) return writeTo(await open(path, 'w'), chunks)
    const target = found === undefined ? path : await realpath(path)
    if (found !== undefined) await assertWritable(target, found.mode)
    if (isDatabaseFile(target)) {
      throw new StoreError('invalid', `${path}: is a SQLite database: write to another file`)
    }
    // A name of its own: the target's may be as long as names can be, or that of a run that was killed.
    const temporary = join(dirname(target), `.sess-${randomBytes(8).toString('hex')}.tmp`)
    const remove = () => rm(temporary, { force: true })
    defer(remove)
    try {
      // Conversations are private, so a new file is its owner's alone, as the store's own files are.
      await writeTo(await open(temporary, 'wx', found === undefined ? 0o600 : found.mode & 0o777), chunks)
      await rename(temporary, target)
    } finally {
      await remove()
    }
  })
}

/** What is there, links followed; `undefined` for nothing. A link to nothing would be replaced, which nobody means. */
async function findFile(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const link = await lstat(path).catch(() => undefined)
    if (link !== undefined)
      throw new StoreError('unavailable', `${path}: it is a link to a file that is not there`)
    return undefined
  }
}

/** A file that may not be written is not replaced either, which the folder alone would allow. */
async function assertWritable(path: string, mode: number): Promise<void> {
  // The superuser has access to everything.
  if ((mode & 0o222) === 0) throw new StoreError('unavailable', `${path}: it is write-protected`)
  await access(path, constants.W_OK)
}

async function writeTo(file: FileHandle, chunks: AsyncIterable<string>): Promise<void> {
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
    // Terminals cannot.
    await file.sync().catch(() => {})
  } finally {
    await file.close()
  }
}

const pipePause = 50

/** Waits for a reader without a thread, which would keep Ctrl-C from ending the process. */
async function writePipe(path: string, chunks: AsyncIterable<string>): Promise<void> {
  let file = openPipe(path)
  while (file === undefined) {
    await delay(pipePause)
    file = openPipe(path)
  }
  const socket = new Socket({ fd: file, readable: false, writable: true })
  // `write` hears of errors by its callback; without a listener they would end the process beside it.
  socket.on('error', () => {})
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      socket.write(text, (error) => (error ? reject(error) : resolve()))
    })
  try {
    for await (const chunk of chunks) if (chunk !== '') await write(chunk)
  } finally {
    await new Promise<void>((resolve) => socket.end(resolve))
  }
}

/** `undefined` where nobody reads yet. */
function openPipe(path: string): number | undefined {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return undefined
    throw error
  }
}
