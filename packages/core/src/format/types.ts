// The shapes of sess's own files, version "1.0". Keys of the envelope are snake_case; what callers gave (`content`,
// `metadata`, `model_config`, `extension_data`) stands in it as it is stored. Times are ISO 8601 in UTC.

import type { ContentBlock, JsonObject } from '../types/content.ts'
import type { MessageMetadata, Role } from '../types/message.ts'
import type { NameSource, SessionType } from '../types/session.ts'
import type { ImportedMessage, ImportedSession } from '../types/transfer.ts'

/** The version that is written; every `1.x` is read. */
export const exportVersion = '1.0'

/** Tokens and cost; a count that is not known is left out. */
export interface ExportedUsage {
  readonly input?: number
  readonly output?: number
  readonly total?: number
  readonly cache_read?: number
  readonly cache_write?: number
  readonly cost?: number
}

/** A `Session` in a file. */
export interface ExportedSession {
  readonly id: string
  readonly name: string
  readonly name_source: NameSource
  readonly type: SessionType
  readonly owner_id: string
  readonly working_dir?: string
  readonly channel_type?: string
  readonly channel_key?: string
  readonly parent_session_id?: string
  readonly forked_from?: { readonly session_id: string; readonly seq: number }
  readonly branch_of?: string
  readonly source?: { readonly agent: string; readonly session_id: string; readonly digest: string }
  readonly provider_name?: string
  readonly model_config?: JsonObject
  readonly mode?: string
  readonly extension_data: JsonObject
  readonly metadata: JsonObject
  readonly tags: readonly string[]
  readonly token_counts: { readonly last: ExportedUsage; readonly accumulated: ExportedUsage }
  readonly pinned: boolean
  readonly archived_at?: string
  readonly deleted_at?: string
  readonly created_at: string
  readonly updated_at: string
  readonly last_active_at: string
  readonly message_count: number
  readonly next_seq: number
  readonly preview: string
  readonly context: { readonly start_seq: number; readonly summary_seq?: number }
  readonly version: number
  readonly change_seq: number
}

/** A `Message` in a file. */
export interface ExportedMessage {
  readonly id: string
  readonly seq: number
  readonly role: Role
  readonly content: readonly ContentBlock[]
  readonly created_at: string
  readonly metadata: MessageMetadata
}

/** The first line of a session in the JSON lines form; one line a message follows. */
export interface ExportHeader {
  readonly format: 'sess'
  readonly version: typeof exportVersion
  readonly exported_at: string
  readonly session: ExportedSession
}

/** One session with its messages: a whole JSON file, or an item of an array of them. */
export interface ExportEnvelope extends ExportHeader {
  readonly messages: readonly ExportedMessage[]
}

/** Which form a conversation was read from. */
export type ConversationFormat = 'sess-json' | 'sess-jsonl' | 'message-lines'

/** Which other sessions a session belongs to. In a file these are ids of the store it came from. */
export type SessionLinks = Pick<ImportedSession, 'parentSessionId' | 'branchOf' | 'forkedFrom'>

/** A session read from a file. */
export interface ImportedHeader {
  readonly session: Omit<ImportedSession, keyof SessionLinks>
  /** Absent where it is linked to none. */
  readonly links?: SessionLinks
}

/**
 * A conversation read from a file, checked. `importConversations` stores it with its links; by itself the session goes
 * into `sessions.import`, linked to nothing, because here its links' ids may be those of unrelated sessions.
 */
export interface ImportedConversation<Format extends string = ConversationFormat> extends ImportedHeader {
  readonly messages: readonly ImportedMessage[]
  readonly format: Format
}
