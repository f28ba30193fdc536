// The storage port: what a backend implements and a host calls. Terms: a session is one conversation, a message one
// entry of it, a turn what begins at a user's question, the context what an agent gets back, a thread a group of sessions.

import type { ChangeFeed } from './changes.ts'
import type { Maintenance, MaintenanceTask } from './maintenance.ts'
import type { MessageLog } from './messages.ts'
import type { MessageSearch } from './search.ts'
import type { SessionRecords } from './sessions.ts'
import type { ThreadRecords } from './threads.ts'

/**
 * A store of conversations.
 *
 * Each method is atomic by itself: all of it is stored, or nothing. A read of an unknown session is empty, a write to
 * one is `not-found` (`remove` and `detach` answer false). Absent values are `undefined`, never null. Values come back
 * deep-equal to what was stored. There are no optional methods: what a backend lacks stands in
 * {@link StoreCapabilities} and rejects with `unsupported`. After `close` every method rejects with `closed`.
 */
export interface SessionStore extends AsyncDisposable {
  /** A short name: 'memory', 'sqlite', 'libsql'. */
  readonly backend: string
  readonly capabilities: StoreCapabilities
  readonly sessions: SessionRecords
  readonly messages: MessageLog
  readonly threads: ThreadRecords
  readonly search: MessageSearch
  readonly changes: ChangeFeed
  readonly maintenance: Maintenance
  /**
   * Runs several operations as one: all are stored when `work` resolves, none when it rejects. Each operation in the
   * scope is a savepoint, so one that rejects and is caught leaves nothing of itself. Meanwhile every other
   * call of the same store waits, reads too, and is `busy` once that takes longer than the store waits for a lock: let
   * `work` wait for the scope alone, not for a model or a person.
   *
   * @throws {StoreError} invalid a call on the outer store from inside `work` ("use the scope")
   */
  transact<T>(work: (scope: StoreScope) => Promise<T>): Promise<T>
  /**
   * Waits for what is under way, then lets go of files and connections. A second call waits for the first. A transaction
   * or an import that a caller's own code keeps open is given up after `busyTimeout`: nothing of it is stored, and its
   * call rejects with `closed`.
   *
   * @throws {StoreError} invalid from inside `transact` or the messages of an import, which it would wait for
   */
  close(): Promise<void>
}

/** What `transact` hands out. */
export type StoreScope = Pick<SessionStore, 'sessions' | 'messages' | 'threads'>

/** What a backend can do; a host reads it instead of trying. */
export interface StoreCapabilities {
  readonly transactions: 'interactive' | 'none'
  readonly search: 'ranked' | 'scan' | 'none'
  readonly threads: boolean
  readonly changes: boolean
  readonly maintenance: readonly MaintenanceTask[]
  /** The largest message in bytes of JSON; a larger one is `too-large`. */
  readonly maxMessageBytes: number
  /** Whether several processes may open the store at once. */
  readonly processes: 'one' | 'many'
  /** Whether what is stored outlives the process. */
  readonly persistent: boolean
  /** Methods that reject with `unsupported`, by name: 'sessions.fork', 'transact', ... */
  readonly missing: readonly string[]
}
