// The part of the port that keeps sessions.

import type { TokenUsage } from '../types/message.ts'
import type { Page, SessionQuery } from '../types/query.ts'
import type { NewSession, Session, SessionPatch } from '../types/session.ts'
import type { ForkOptions, ImportedMessage, ImportedSession, ImportReceipt } from '../types/transfer.ts'

export interface SessionRecords {
  /**
   * Creates a session; it begins with version 1.
   *
   * @throws {StoreError} already-exists the id is taken, also by a session in the trash
   * @throws {StoreError} invalid a field breaks its rule; the message names it
   */
  create(input?: NewSession): Promise<Session>

  /** The session of that id, whatever its type, archived or in the trash; `undefined` when there is none. */
  get(id: string): Promise<Session | undefined>

  /**
   * One page of sessions, newest activity first unless asked otherwise, ties by order of creation in this store.
   * Following `nextCursor` neither loses nor repeats a row that was there throughout and kept its place, whatever is
   * written between pages. One that takes another place meanwhile (new activity where the list sorts by it, a pin where
   * pinned ones come first) may come twice or not at all: who needs every session once sorts by creation.
   *
   * @throws {StoreError} invalid a limit that is none, an unknown type
   * @throws {StoreError} invalid-cursor a cursor of another query
   */
  list(query?: SessionQuery): Promise<Page<Session>>

  /**
   * Changes what the patch names and answers the session as it is then.
   *
   * @throws {StoreError} not-found no such session, or it is in the trash
   * @throws {StoreError} conflict `ifNameSource` or `ifChangeSeq` does not hold
   */
  update(id: string, patch: SessionPatch): Promise<Session>

  /** Adds a call's usage to the ledger, to `tokenCounts.accumulated`, and puts it into `tokenCounts.last`. */
  addUsage(
    id: string,
    usage: TokenUsage & {
      readonly provider?: string
      readonly model?: string
      readonly messageId?: string
      /** Epoch milliseconds; the store's clock unless given. */
      readonly at?: number
      readonly kind?: string
    },
  ): Promise<Session>

  /**
   * The session a chat of a channel talks to: the last active of that key and owner that is not archived, trashed,
   * sub_agent or hidden. Where there is none, or it was silent for `idleMs` milliseconds, a new one if `create` is
   * given, else `undefined`. Two callers at once get the same.
   */
  current(
    key: { readonly channelType: string; readonly channelKey: string; readonly ownerId?: string },
    options?: { readonly create?: NewSession; readonly idleMs?: number },
  ): Promise<Session | undefined>

  /** Lets the agent's context begin after the last message; nothing is deleted. */
  resetContext(id: string): Promise<Session>

  /**
   * Copies a session, whole or through a message (included): new id, same seqs, message ids `<new id>:<seq>`, usage zero.
   * An `atSeq` beyond the last message copies all of it, 0 copies none.
   *
   * @throws {StoreError} not-found no such session, or `atMessageId` is not in it; already-exists the given id is taken
   * @throws {StoreError} invalid both `atMessageId` and `atSeq`
   */
  fork(id: string, options?: ForkOptions): Promise<Session>

  /**
   * Stores a session from elsewhere with its messages, all or nothing: message ids, seqs, times and context are kept.
   * `parentSessionId`, `branchOf` and `forkedFrom` name sessions of this store, as in `create`; those of the store it came
   * from are for `importConversations` to translate, because here those ids may be of unrelated sessions.
   *
   * @throws {StoreError} invalid a bad field, two messages of one id, seqs that do not grow; `messages[i]` is named
   * @throws {StoreError} conflict the source was imported before and has diverged
   */
  import(
    session: ImportedSession,
    messages: Iterable<ImportedMessage> | AsyncIterable<ImportedMessage>,
    options?: { readonly onExisting?: 'update' | 'skip' | 'copy' },
  ): Promise<ImportReceipt>

  /**
   * Keeps everything through the message (`toSeq` 0: nothing) and moves the rest, ids and seqs kept, to a hidden branch
   * session, which `list({ branchOf: id })` shows. Where nothing comes after it nothing changes and there is no `branch`.
   *
   * @throws {StoreError} not-found no such session, or `toMessageId` is not in it; invalid neither or both are given
   */
  rewind(
    id: string,
    options: { readonly toMessageId?: string; readonly toSeq?: number },
  ): Promise<{ readonly session: Session; readonly branch?: Session }>

  /**
   * Moves a session to the trash with its sub_agent and hidden descendants, all with one `deletedAt`: those of its owner,
   * and of nobody where they were made after what they name. With `purge` it deletes them, trashed or not; other children
   * of these lose their `parentSessionId`. Another owner's sessions stay as they are, whatever they name. False when there
   * was nothing to do.
   */
  remove(id: string, options?: { readonly purge?: boolean }): Promise<boolean>

  /**
   * Brings a session back from the trash, with what went there together with it. One that is not there stays as it is.
   *
   * @throws {StoreError} not-found no such session
   */
  undelete(id: string): Promise<Session>
}
