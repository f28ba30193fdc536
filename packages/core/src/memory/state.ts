// The memory store's data: the same rows a database holds, in maps. Everything here is synchronous, so a method that
// does not wait is atomic.

import type { NewMessageRow } from '../adapter/append.ts'
import { type SessionRecord, toSession } from '../adapter/records.ts'
import { StoreError } from '../errors.ts'
import { counterLeap, parseDateId } from '../ids.ts'
import type { PreparedSession } from '../input/sessions.ts'
import type { StoreContext } from '../options.ts'
import type { Session } from '../types/session.ts'

/** A session with what hangs on it; rows stand in the order of seq. */
export interface Entry {
  row: SessionRecord
  tags: readonly string[]
  rows: NewMessageRow[]
  readonly byMessageId: Map<string, NewMessageRow>
  readonly operations: Map<
    string,
    {
      readonly digest: string
      readonly version: number
      readonly firstSeq: number | null
      readonly lastSeq: number | null
    }
  >
}

export class MemoryState {
  readonly context: StoreContext
  readonly entries: Map<string, Entry> = new Map()
  readonly counters: Map<string, number> = new Map()
  /** Of sessions that were purged, so that changeSeq never goes back. */
  #changeSeq = 0
  #rowId = 0

  constructor(context: StoreContext) {
    this.context = context
  }

  nextChange(): number {
    return ++this.#changeSeq
  }

  /** The session, for a write. */
  live(id: string): Entry {
    const entry = this.entries.get(id)
    if (entry === undefined || entry.row.deletedAt !== null) {
      throw new StoreError('not-found', `there is no session "${id}"`)
    }
    return entry
  }

  session(entry: Entry): Session {
    return toSession(entry.row, [...entry.tags], (what) => this.context.logger.warn({ what }, 'damaged session'))
  }

  /** Changes a session's row; the change feed sees it. */
  change(entry: Entry, fields: Partial<SessionRecord>): void {
    entry.row = { ...entry.row, ...fields, updatedAt: this.context.now(), changeSeq: this.nextChange() }
  }

  /** Adds a session row. The caller has checked that the id is free. */
  add(id: string, session: PreparedSession, now: number, fields: Partial<SessionRecord> = {}): Entry {
    const createdAt = session.createdAt ?? now
    const row: SessionRecord = {
      rowId: ++this.#rowId,
      id,
      name: session.name,
      nameSource: session.nameSource,
      sessionType: session.type,
      ownerId: session.ownerId,
      workingDir: session.workingDir ?? null,
      channelType: session.channelType ?? null,
      channelKey: session.channelKey ?? null,
      parentSessionId: session.parentSessionId ?? null,
      forkedFromSessionId: null,
      forkedFromSeq: null,
      branchOf: null,
      sourceAgent: null,
      sourceSessionId: null,
      sourceDigest: null,
      providerName: session.providerName ?? null,
      mode: session.mode ?? null,
      preview: '',
      pinned: 0,
      archivedAt: null,
      deletedAt: null,
      createdAt,
      updatedAt: now,
      lastActiveAt: createdAt,
      messageCount: 0,
      nextSeq: 1,
      version: 1,
      changeSeq: this.nextChange(),
      contextStartSeq: 1,
      contextSummarySeq: null,
      tokenCounts: '{"last":{},"accumulated":{}}',
      modelConfig: session.modelConfigJson ?? null,
      extensionData: session.extensionDataJson,
      metadata: session.metadataJson,
      ...fields,
    }
    const entry: Entry = { row, tags: session.tags, rows: [], byMessageId: new Map(), operations: new Map() }
    this.entries.set(id, entry)
    this.#raiseCounter(id)
    return entry
  }

  addRows(entry: Entry, rows: readonly NewMessageRow[]): void {
    for (const row of rows) {
      entry.rows.push(row)
      entry.byMessageId.set(row.messageId, row)
    }
  }

  /** The id a new session gets. */
  newSessionId(now: number): string {
    const { ids, dayOf } = this.context
    if (ids.session !== 'date') return ids.session(now)
    const day = dayOf(now)
    let number = (this.counters.get(day) ?? 0) + 1
    while (this.entries.has(`${day}_${number}`)) number++
    this.counters.set(day, number)
    return `${day}_${number}`
  }

  assertFree(id: string): void {
    const taken = this.entries.get(id)
    if (taken === undefined) return
    const where = taken.row.deletedAt === null ? 'exists already' : 'exists already, in the trash'
    throw new StoreError('already-exists', `session "${id}" ${where}`)
  }

  /** A given id of the date shape is not made again. */
  #raiseCounter(id: string): void {
    const parsed = parseDateId(id)
    if (parsed === undefined) return
    const last = this.counters.get(parsed.day) ?? 0
    if (parsed.number > last && parsed.number <= last + counterLeap)
      this.counters.set(parsed.day, parsed.number)
  }
}
