// The memory store's data: the same rows a database holds, in maps. Everything here is synchronous, so a method that
// does not wait is atomic.

import type { NewMessageRow } from '../adapter/append.ts'
import { nextDateId, raisedCounter } from '../adapter/numbering.ts'
import { newSessionRecord, type OnDamage, type SessionRecord, toSession } from '../adapter/records.ts'
import type { ThreadRecord } from '../adapter/threads.ts'
import type { UsageEvent } from '../adapter/usage.ts'
import { StoreError } from '../errors.ts'
import type { PreparedSession } from '../input/sessions.ts'
import type { StoreContext } from '../options.ts'
import type { Session } from '../types/session.ts'

interface Operation {
  readonly digest: string
  readonly version: number
  readonly firstSeq: number | null
  readonly lastSeq: number | null
}

/** A message's row with its place in the order of storing. */
export interface StoredRow extends NewMessageRow {
  readonly rowId: number
}

/** A session with what hangs on it; rows stand in the order of seq. */
export interface Entry {
  row: SessionRecord
  tags: readonly string[]
  rows: StoredRow[]
  readonly byMessageId: Map<string, StoredRow>
  readonly operations: Map<string, Operation>
  readonly usage: UsageEvent[]
}

/** A thread and the positions of its sessions, in the order of attaching. */
export interface ThreadEntry {
  row: ThreadRecord
  readonly positions: Map<string, number>
}

interface Tombstone {
  readonly ownerId: string
  readonly changeSeq: number
  readonly removedAt: number
}

export class MemoryState {
  readonly context: StoreContext
  entries: Map<string, Entry> = new Map()
  threads: Map<string, ThreadEntry> = new Map()
  counters: Map<string, number> = new Map()
  tombstones: Map<string, Tombstone> = new Map()
  /** The highest change number that was given. */
  changeSeq = 0
  /** The highest row id that a message was given. */
  messageRowId = 0
  #rowId = 0

  constructor(context: StoreContext) {
    this.context = context
  }

  readonly onDamage: OnDamage = (what) => this.context.logger.warn({ what }, 'damaged row')

  /** The session, for a write. */
  live(id: string): Entry {
    const entry = this.entries.get(id)
    if (entry === undefined || entry.row.deletedAt !== null) {
      throw new StoreError('not-found', `there is no session "${id}"`)
    }
    return entry
  }

  session(entry: Entry): Session {
    return toSession(entry.row, entry.tags, this.onDamage)
  }

  /** Changes a session's row; the change feed sees it. */
  change(entry: Entry, fields: Partial<SessionRecord>): void {
    entry.row = { ...entry.row, ...fields, updatedAt: this.context.now(), changeSeq: ++this.changeSeq }
  }

  /** Adds a session row. The caller has checked that the id is free. */
  add(id: string, session: PreparedSession, now: number, fields: Partial<SessionRecord> = {}): Entry {
    const facts = { id, rowId: ++this.#rowId, changeSeq: ++this.changeSeq, now }
    const row = newSessionRecord(session, facts, fields)
    const entry: Entry = {
      row,
      tags: session.tags,
      rows: [],
      byMessageId: new Map(),
      operations: new Map(),
      usage: [],
    }
    this.entries.set(id, entry)
    this.tombstones.delete(id)
    this.#raiseCounter(id)
    return entry
  }

  /** Stores rows, newest last in the order of storing. */
  addRows(entry: Entry, rows: readonly NewMessageRow[]): void {
    this.moveRows(
      entry,
      rows.map((row) => ({ ...row, rowId: ++this.messageRowId })),
    )
  }

  /** Takes over rows that are stored already. */
  moveRows(entry: Entry, rows: readonly StoredRow[]): void {
    for (const row of rows) {
      entry.rows.push(row)
      entry.byMessageId.set(row.messageId, row)
    }
  }

  /** Keeps the rows that stay, and answers those that went. */
  keepRows(entry: Entry, stays: (row: NewMessageRow) => boolean): StoredRow[] {
    const gone = entry.rows.filter((row) => !stays(row))
    entry.rows = entry.rows.filter(stays)
    for (const row of gone) entry.byMessageId.delete(row.messageId)
    return gone
  }

  /** Takes a session away for good and remembers that it was there. */
  purge({ row: { id, ownerId } }: Entry, removedAt: number): void {
    this.entries.delete(id)
    for (const thread of this.threads.values()) thread.positions.delete(id)
    this.tombstones.set(id, { ownerId, changeSeq: ++this.changeSeq, removedAt })
  }

  /** The id a new session gets: given and free, or made. */
  newSessionId(given: string | undefined, now: number): string {
    const { ids, dayOf } = this.context
    if (given !== undefined || ids.session !== 'date') {
      const id = given ?? (ids.session as (now: number) => string)(now)
      this.#assertFree(id)
      return id
    }
    const day = dayOf(now)
    return nextDateId(day, this.counters.get(day) ?? 0, (id) => this.entries.has(id))
  }

  /** Everything as it is now, to go back to: rows are never changed in place, so the copy is shallow. */
  snapshot(): () => void {
    const { changeSeq, counters, tombstones, messageRowId } = this
    const rowId = this.#rowId
    const entries = new Map([...this.entries].map(([id, entry]) => [id, copyEntry(entry)]))
    const threads = new Map(
      [...this.threads].map(([id, { row, positions }]) => [id, { row, positions: new Map(positions) }]),
    )
    this.counters = new Map(counters)
    this.tombstones = new Map(tombstones)
    return () => {
      Object.assign(this, { changeSeq, counters, tombstones, entries, threads, messageRowId })
      this.#rowId = rowId
    }
  }

  #assertFree(id: string): void {
    const taken = this.entries.get(id)
    if (taken === undefined) return
    const where = taken.row.deletedAt === null ? 'exists already' : 'exists already, in the trash'
    throw new StoreError('already-exists', `session "${id}" ${where}`)
  }

  /** An id of the date shape, made or given, is not made again. */
  #raiseCounter(id: string): void {
    const raised = raisedCounter(id, (day) => this.counters.get(day) ?? 0)
    if (raised !== undefined) this.counters.set(raised.day, raised.number)
  }
}

function copyEntry(entry: Entry): Entry {
  return {
    row: entry.row,
    tags: entry.tags,
    rows: [...entry.rows],
    byMessageId: new Map(entry.byMessageId),
    operations: new Map(entry.operations),
    usage: [...entry.usage],
  }
}
