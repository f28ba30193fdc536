// Sessions as they go in, are patched, and come back.

import type { JsonObject } from './content.ts'
import type { TokenUsage } from './message.ts'

/** A plain list shows user, scheduled, terminal, gateway and acp; sub_agent and hidden only when asked for. */
export type SessionType = 'user' | 'scheduled' | 'sub_agent' | 'hidden' | 'terminal' | 'gateway' | 'acp'

/** Who gave the name: nobody, a model, or a person. A person's name is never overwritten by a model's. */
export type NameSource = 'default' | 'auto' | 'user'

/** A stored conversation, without its messages. All times are epoch milliseconds. */
export interface Session {
  readonly id: string
  readonly name: string
  readonly nameSource: NameSource
  readonly type: SessionType
  /** '' means nobody in particular. */
  readonly ownerId: string
  readonly workingDir?: string
  /** 'cli', 'telegram', 'web', ...; that of the session's creation. */
  readonly channelType?: string
  /** The chat within the channel. */
  readonly channelKey?: string
  /** The session this one is a sub-agent's of. */
  readonly parentSessionId?: string
  readonly forkedFrom?: { readonly sessionId: string; readonly seq: number }
  /** Set on the hidden session a rewind moved a tail to. */
  readonly branchOf?: string
  /** Where an import came from; `digest` is core's digest of the imported messages. */
  readonly source?: { readonly agent: string; readonly sessionId: string; readonly digest: string }
  readonly providerName?: string
  readonly modelConfig?: JsonObject
  /** What Goose calls goose_mode. */
  readonly mode?: string
  readonly extensionData: JsonObject
  readonly metadata: JsonObject
  /** Sorted by code unit, without repeats. */
  readonly tags: readonly string[]
  /** Of the last call, and of all calls together. */
  readonly tokenCounts: { readonly last: TokenUsage; readonly accumulated: TokenUsage }
  readonly pinned: boolean
  readonly archivedAt?: number
  /** When it went to the trash. */
  readonly deletedAt?: number
  readonly createdAt: number
  /** The store's clock at the last change of anything. */
  readonly updatedAt: number
  /** The max of itself and the `createdAt` of what is appended. */
  readonly lastActiveAt: number
  /** Stored rows, whoever may see them. */
  readonly messageCount: number
  /** The seq the next message gets; the first is 1. */
  readonly nextSeq: number
  /** First non-blank line of the newest user-visible text of a user or assistant, at most 128 code points. */
  readonly preview: string
  /** Where the agent's context begins, and the summary that stands for what lies before. */
  readonly context: { readonly startSeq: number; readonly summarySeq?: number }
  /** Grows by one with each change of the conversation (messages, context); names, usage and tags do not touch it. */
  readonly version: number
  /** Grows with every change of anything, over the whole store: the ETag and the change feed's clock. */
  readonly changeSeq: number
}

/** A session to create; every field has a default. */
export interface NewSession {
  /** 1 to 256 code points without control characters, not `.` or `..`; a date id unless given. */
  readonly id?: string
  /** At most 500 code points; a given name is the user's. */
  readonly name?: string
  readonly type?: SessionType
  readonly ownerId?: string
  readonly workingDir?: string
  readonly channelType?: string
  readonly channelKey?: string
  readonly parentSessionId?: string
  readonly providerName?: string
  readonly modelConfig?: object
  readonly mode?: string
  readonly extensionData?: object
  readonly metadata?: object
  /** Each 1 to 100 code points. */
  readonly tags?: readonly string[]
  readonly createdAt?: number
}

/**
 * What to change. An absent field stays, null clears, an object or a list replaces the whole.
 * `ifNameSource` and `ifChangeSeq` are conditions: when one does not hold, nothing changes and the call is a `conflict`.
 */
export interface SessionPatch {
  readonly name?: string
  /** 'user' where a name is given without it. */
  readonly nameSource?: NameSource
  readonly ifNameSource?: readonly NameSource[]
  readonly ifChangeSeq?: number
  readonly type?: SessionType
  readonly workingDir?: string | null
  readonly providerName?: string | null
  readonly modelConfig?: object | null
  readonly mode?: string | null
  readonly extensionData?: object
  readonly metadata?: object
  readonly tags?: readonly string[]
  readonly pinned?: boolean
  readonly archived?: boolean
}
