// The part of the port that keeps messages. Order is `seq`, never a clock.

import type { Message, NewMessage } from '../types/message.ts'
import type { Page, PageRequest } from '../types/query.ts'
import type { NewSession, Session } from '../types/session.ts'

export interface AppendOptions {
  /** Creates the session when there is none, with these fields. */
  readonly createSession?: NewSession | true
  /** The version the session must have; 0: it must not exist. */
  readonly expectedVersion?: number
  /** Makes a retry safe: the same id with the same messages answers the first receipt again. */
  readonly operationId?: string
}

export interface AppendReceipt {
  /** The session's version after the call. */
  readonly version: number
  /** Bounds of the rows this call stored; absent when it stored none. */
  readonly firstSeq?: number
  readonly lastSeq?: number
  /** One for each message given, in that order; one that was stored before stands here with its stored seq. */
  readonly messages: readonly Message[]
}

/** A stored row that cannot be read; it is left out of items and messages and stays where it is. */
export interface DamagedRow {
  /** Where the page is of several sessions (`threads.timeline`): whose row it is. */
  readonly sessionId?: string
  readonly seq: number
  readonly reason: string
}

export interface MessagePage extends Page<Message> {
  readonly damaged?: readonly DamagedRow[]
}

/** One turn of a window. Text mode cuts tool blocks away, so without this nobody could tell an opener from steering. */
export interface WindowTurn {
  readonly seq: number
  readonly interrupted: boolean
}

/** What a restore is made of. */
export interface TurnWindow {
  /** By seq, without summary rows. */
  readonly messages: readonly Message[]
  /** The current summary, in scope "context" only. */
  readonly summary?: Message
  /** Agent-visible rows but system ones before the first turn, when the window reaches the start; 0 beside a summary. */
  readonly dropped: number
  /** Turns whose reply stands beside a tool_use, or that have agent-visible rows behind their opener and no reply text. */
  readonly interrupted: number
  /** No turn begins before the first one given. */
  readonly reachedStart: boolean
  /** The turns given, oldest first: the seq of each one's first message, and whether it counts as interrupted. */
  readonly turns: readonly WindowTurn[]
  /** Absent when there is no such session. */
  readonly session?: Session
  readonly damaged?: readonly DamagedRow[]
}

export interface MessageRange extends PageRequest {
  /** Included. */
  readonly fromSeq?: number
  /** Included. */
  readonly toSeq?: number
  readonly order?: 'asc' | 'desc'
}

export interface MessageLog {
  /**
   * Appends a batch, all or nothing, in the given order. Checked in this order: `operationId`, existence,
   * `expectedVersion`, message ids (stored with equal content: skipped; with other content: `conflict`). An empty batch
   * never creates a session.
   *
   * @throws {StoreError} not-found no such session (or it is in the trash) and no `createSession`
   * @throws {StoreError} already-exists `createSession` for an id in the trash
   * @throws {StoreError} conflict another version, a message id stored with other content, an operation id used before
   * @throws {StoreError} invalid a message breaks a rule; its path is named: `messages[1].content[0].text`
   * @throws {StoreError} too-large a message over `capabilities.maxMessageBytes`
   */
  append(id: string, messages: readonly NewMessage[], options?: AppendOptions): Promise<AppendReceipt>

  /** One page of messages by seq. It ends after `limit` items or 4 MiB of content and metadata, and holds at least one item. */
  read(id: string, range?: MessageRange): Promise<MessagePage>

  /**
   * One message by its id.
   *
   * @throws {StoreError} corrupt the row is there and cannot be read
   */
  get(id: string, messageId: string): Promise<Message | undefined>

  /**
   * The latest turns: rows from the n-th latest turn's first message on, oldest first, without summaries; `turns` < 1
   * gives nothing. `mode` "text" answers only what a text restore uses, cut to text blocks or one placeholder block, and
   * reads no tool payload. `scope` "context" (default) begins at the context's start, "all" at the beginning;
   * `beforeSeq` (excluded) pages back. The cost depends on what is returned, not on how long the session is.
   */
  recentTurns(
    id: string,
    options: {
      readonly turns: number
      readonly mode?: 'text' | 'full'
      readonly beforeSeq?: number
      readonly scope?: 'context' | 'all'
    },
  ): Promise<TurnWindow>

  /** Changes one message in place: content and metadata as given, the rest stays. */
  update(
    id: string,
    messageId: string,
    patch: { readonly content?: NewMessage['content']; readonly metadata?: object },
  ): Promise<Message>

  /** Deletes messages by id and answers how many there were. */
  remove(id: string, messageIds: readonly string[]): Promise<number>

  /** Deletes all messages and stores these, as one; seq goes on, the context starts at the first new seq. */
  replace(
    id: string,
    messages: readonly NewMessage[],
    options?: { readonly expectedVersion?: number; readonly operationId?: string },
  ): Promise<AppendReceipt>

  /**
   * Appends a summary that stands for everything through `throughSeq` in the agent's context; nothing is rewritten, and
   * people see everything where it happened. `metadata.summary` says what it stands for.
   *
   * @throws {StoreError} not-found conflict (as `append`); invalid `throughSeq` lies before the context's start or behind
   *   the last message
   */
  compact(
    id: string,
    options: {
      readonly throughSeq: number
      readonly summary: NewMessage
      readonly expectedVersion?: number
      readonly operationId?: string
    },
  ): Promise<AppendReceipt>

  /** Deletes the messages from the given one on (included) and answers how many there were. */
  truncate(
    id: string,
    options: { readonly fromSeq?: number; readonly fromMessageId?: string },
  ): Promise<number>

  /** Deletes all messages and answers how many there were; seq goes on. */
  clear(id: string): Promise<number>
}
