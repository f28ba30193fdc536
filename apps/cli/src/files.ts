// Text in and out of files, with a store's errors for what the system refuses.

import { type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { StoreError } from '@sess/core'

/** What a path is called in messages. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : path
}

/**
 * The text of a file, `-` for standard input.
 *
 * @throws {StoreError} unavailable a folder, a missing file, no permission; invalid no UTF-8
 */
export async function readInput(path: string): Promise<string> {
  const bytes = await guard(inputName(path), () => (path === '-' ? readAll(process.stdin) : readFile(path)))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new StoreError('invalid', `${inputName(path)}: is no text in UTF-8`, { cause })
  }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * Writes a file that appears when it is complete: into a temporary one beside it, which then takes its place. What is no
 * file (`/dev/stdout`, a named pipe) is written to as it is.
 *
 * @param defer has the temporary file removed when the process is ended before
 * @throws {StoreError} unavailable a folder, no permission, a full disk
 */
export async function writeFileWhole(
  path: string,
  chunks: AsyncIterable<string>,
  defer: (work: () => Promise<void>) => void,
): Promise<void> {
  await guard(path, async () => {
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory()) throw new StoreError('unavailable', `${path}: it is a folder, not a file`)
    if (found !== undefined && !found.isFile()) return writeTo(await open(path, 'w'), chunks)
    const target = found === undefined ? path : await realpath(path)
    const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
    const remove = () => rm(temporary, { force: true })
    // Conversations are private, so a new file is its owner's alone, as the store's own files are.
    const file = await open(temporary, 'wx', found === undefined ? 0o600 : found.mode & 0o777)
    defer(remove)
    try {
      await writeTo(file, chunks)
      await rename(temporary, target)
    } finally {
      await remove()
    }
  })
}

async function writeTo(file: FileHandle, chunks: AsyncIterable<string>): Promise<void> {
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
    // Pipes and terminals cannot.
    await file.sync().catch(() => {})
  } finally {
    await file.close()
  }
}

async function guard<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (cause instanceof StoreError || code === undefined) throw cause
    throw new StoreError('unavailable', `${name}: ${reasons[code] ?? code}`, { cause })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system can only be read',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the name is too long',
}
