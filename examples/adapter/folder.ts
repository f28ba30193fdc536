// Everything that touches the disk: a folder with one JSON file a session and one for the counters. A file is written
// beside its place and renamed, so a crash leaves the old one or the new one, never half of it. All of it is synchronous:
// between reading and writing nothing of this process comes in between, which is what makes each method atomic here. One
// process at a time may open the folder: `capabilities.processes` says so.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashText, limits, StoreError } from '@sess/core'
import type { NewMessageRow, SessionRecord } from '@sess/core/adapter'

/** The receipt of an operation id, without its messages. */
export interface StoredOperation {
  readonly id: string
  readonly digest: string
  readonly version: number
  readonly firstSeq: number | null
  readonly lastSeq: number | null
}

/** What a list or a `get` needs of a session: the index holds it in memory. */
export interface IndexEntry {
  readonly row: SessionRecord
  readonly tags: readonly string[]
}

/** One file: a session with everything that hangs on it. */
export interface SessionFile extends IndexEntry {
  readonly messages: readonly NewMessageRow[]
  readonly operations: readonly StoredOperation[]
}

/** Numbers that are never used twice, also after the session that had them is gone. */
interface Counters {
  changeSeq: number
  rowId: number
  /** The last number of each day's ids. */
  days: { [day: string]: number }
}

const countersFile = 'counters.json'
const suffix = '.session.json'

/** Any id becomes a file name: ids may be long, hold slashes, or differ in case alone. */
function nameOf(sessionId: string): string {
  return `${hashText(sessionId)}${suffix}`
}

export class Folder {
  readonly index: Map<string, IndexEntry> = new Map()
  readonly counters: Counters
  /** Files that cannot be read. They stay as they are, and nothing is written over them. */
  readonly unreadable: Set<string> = new Set()
  readonly #path: string
  readonly #flush: boolean

  /** Opens the folder, makes it where there is none, and reads the index out of its files. */
  constructor(path: string, flush: boolean) {
    this.#path = path
    this.#flush = flush
    mkdirSync(path, { recursive: true })
    const names = readdirSync(path)
    this.counters = names.includes(countersFile)
      ? (this.#read(countersFile) as Counters)
      : { changeSeq: 0, rowId: 0, days: {} }
    for (const name of names.filter((found) => found.endsWith(suffix))) {
      try {
        const { row, tags } = this.#read(name) as SessionFile
        this.index.set(row.id, { row, tags })
      } catch {
        this.unreadable.add(name)
      }
    }
  }

  /** A session with its messages; `undefined` when there is none. */
  read(sessionId: string): SessionFile | undefined {
    return this.index.has(sessionId) ? (this.#read(nameOf(sessionId)) as SessionFile) : undefined
  }

  /**
   * Writes a session as it is from now on. The counters go first: after a crash in between a number is lost, which is
   * allowed; the other way round one could be given twice.
   */
  write(file: SessionFile): void {
    const name = nameOf(file.row.id)
    if (this.unreadable.has(name))
      throw new StoreError('corrupt', `${name} cannot be read and is kept as it is`)
    this.#write(countersFile, this.counters)
    this.#write(name, {
      ...file,
      operations: file.operations.filter(
        ({ version }) => version >= file.row.version - limits.operationVersions,
      ),
    })
    this.index.set(file.row.id, { row: file.row, tags: file.tags })
  }

  /** Writes a changed row; the messages stay. */
  writeRow(row: SessionRecord, tags: readonly string[]): void {
    const { messages, operations } = this.read(row.id) ?? { messages: [], operations: [] }
    this.write({ row, tags, messages, operations })
  }

  /** Deletes a session for good. The counters go first here, too: the change number of what is deleted stays used. */
  delete(sessionId: string): void {
    this.counters.changeSeq++
    this.#write(countersFile, this.counters)
    rmSync(join(this.#path, nameOf(sessionId)), { force: true })
    this.index.delete(sessionId)
  }

  #read(name: string): unknown {
    return JSON.parse(readFileSync(join(this.#path, name), 'utf8'))
  }

  #write(name: string, value: unknown): void {
    const file = join(this.#path, name)
    writeFileSync(`${file}.tmp`, JSON.stringify(value), { flush: this.#flush })
    renameSync(`${file}.tmp`, file)
  }
}
