// What an import gives to the store and what it answers.

import type { NewMessage } from './message.ts'
import type { NameSource, NewSession, Session } from './session.ts'

/**
 * A session with its history's facts. Message ids, seqs, times and context are kept; the session id is new unless given.
 * `parentSessionId`, `branchOf` and `forkedFrom` name sessions of the store it goes into.
 */
export interface ImportedSession extends NewSession {
  readonly source?: Session['source']
  readonly nameSource?: NameSource
  readonly forkedFrom?: Session['forkedFrom']
  readonly branchOf?: string
  readonly tokenCounts?: Session['tokenCounts']
  readonly pinned?: boolean
  readonly archivedAt?: number
  readonly updatedAt?: number
  readonly lastActiveAt?: number
  readonly nextSeq?: number
  readonly context?: Session['context']
}

/** `seq` must grow; absent, it follows the one before. `metadata.summary` is allowed here. */
export interface ImportedMessage extends NewMessage {
  readonly seq?: number
}

export interface ImportReceipt {
  readonly session: Session
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'copied'
  /** Messages stored by this call. */
  readonly added: number
}

/** How much of a session a fork copies: all of it, or everything through a message (included). */
export interface ForkOptions {
  readonly atMessageId?: string
  readonly atSeq?: number
  readonly id?: string
  readonly name?: string
}
