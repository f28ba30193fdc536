// Text out of files and standard input. What is read ends somewhere: a device that never does, or a file that no string
// can hold, is refused. A named pipe is waited for without a thread, which would keep Ctrl-C from ending the process.

import { closeSync, constants, createReadStream, fstatSync, openSync, type Stats } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { isatty, ReadStream } from 'node:tty'
import { StoreError } from '@sess/core'
import { isDatabase } from './database-file.ts'
import { guardFile } from './file-errors.ts'

/** The most that is read of one input, in bytes; no string of this engine is longer than 512 MiB. */
export const maxInputBytes: number = 511 * 1024 * 1024

/** What a path is called in messages. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : path
}

/**
 * The text of a file, `-` for standard input: UTF-8, or UTF-16 with a byte order mark. The mark is taken off.
 *
 * @throws {StoreError} unavailable a folder, a missing file, no permission; too-large more than `limit` bytes; invalid
 * no text, or a database
 */
export async function readInput(path: string, limit: number = maxInputBytes): Promise<string> {
  const name = inputName(path)
  const bytes = await guardFile(name, async () =>
    path === '-' ? readStream(process.stdin, name, limit) : readFile(path, name, limit),
  )
  return decode(bytes, name)
}

function readFile(path: string, name: string, limit: number): Promise<Buffer> {
  // Without waiting: for a pipe that nobody writes to yet, a thread would wait that cannot be called back.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const found = fstatSync(file)
  if (found.isFile() && found.size > limit) {
    closeSync(file)
    throw tooLarge(name, limit)
  }
  return readStream(streamOf(file, found), name, limit)
}

/** A stream that closes the file at its end. */
function streamOf(file: number, found: Stats): Readable {
  if (found.isFIFO()) return new Socket({ fd: file, readable: true, writable: false })
  if (isatty(file)) return new ReadStream(file)
  return createReadStream('', { fd: file, highWaterMark: 1024 * 1024 })
}

async function readStream(stream: Readable, name: string, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop closes the stream.
    if (size > limit) throw tooLarge(name, limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function tooLarge(name: string, limit: number): StoreError {
  const most = limit >= 1024 * 1024 ? `${Math.floor(limit / 1024 / 1024)} MiB` : `${limit} bytes`
  return new StoreError(
    'too-large',
    `${name}: has more than ${most}, which is the most that is read of one input`,
  )
}

function decode(bytes: Buffer, name: string): string {
  if (isDatabase(bytes)) {
    const hint = `"sess --db FILE export --all" writes what "sess import" reads`
    throw new StoreError('invalid', `${name}: is a SQLite database, no text (${hint})`)
  }
  const encoding = encodings.find(({ mark }) => bytes.subarray(0, mark.length).equals(mark))?.name ?? 'utf-8'
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new StoreError('invalid', `${name}: is no text in UTF-8`, { cause })
  }
  // Neither JSON nor a summary has one; UTF-16 without a byte order mark has many.
  if (text.includes('\0')) throw new StoreError('invalid', `${name}: is no text in UTF-8 (it has a NUL)`)
  return text
}

/** What editors and shells of Windows write. */
const encodings = [
  { name: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { name: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
] as const
