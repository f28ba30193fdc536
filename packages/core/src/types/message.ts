// Messages as they go in (NewMessage) and as they come back (Message).

import type { ContentBlock, OtherBlockType } from './content.ts'

/** Anything with a type: an SDK's block of its own kind, or a literal written by hand. */
export type NewBlock =
  | ContentBlock
  | { readonly type: string | OtherBlockType }
  | { readonly type: string; readonly [key: string]: unknown }

export type Role = 'system' | 'user' | 'assistant' | 'tool'

/** Tokens as providers count them; `cost` is in the currency of the host's choice (US dollars by custom). */
export interface TokenUsage {
  readonly input?: number
  readonly output?: number
  readonly total?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly cost?: number
}

/** Known keys of a message's metadata; any other key is kept as given. */
export interface MessageMetadata {
  /** Whether people see the message in a history; true unless given. */
  readonly userVisible?: boolean
  /** Whether an agent gets the message back; true unless given. */
  readonly agentVisible?: boolean
  readonly provider?: string
  readonly model?: string
  /** The channel this message came through, where it differs from the session's. */
  readonly channelType?: string
  readonly stopReason?: string
  readonly usage?: TokenUsage
  /** Set by `compact` alone: what this summary stands for, and the seqs of the summaries it builds on. */
  readonly summary?: {
    readonly fromSeq: number
    readonly throughSeq: number
    readonly line: readonly number[]
  }
  readonly [key: string]: unknown
}

/** A message to store. `content` takes what an SDK gives: a string (one text block) or an array of blocks. */
export interface NewMessage {
  /** 1 to 300 code points, unique in its session; a UUIDv7 unless given. */
  readonly id?: string
  readonly role: Role
  readonly content: string | readonly NewBlock[]
  /** Epoch milliseconds; the store's clock unless given. Order never depends on it. */
  readonly createdAt?: number
  readonly metadata?: object
}

/** A stored message. Deep-equal to what was given, once a string content has become one text block. */
export interface Message {
  readonly id: string
  readonly sessionId: string
  /** Position in the session, from 1, growing, never used twice; gaps are legal after removals. */
  readonly seq: number
  readonly role: Role
  readonly content: readonly ContentBlock[]
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly metadata: MessageMetadata
}

/** A message of a restored context: bare, as providers take it. */
export interface RestoredMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly ContentBlock[]
}
