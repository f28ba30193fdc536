// The tables as Kysely sees them. The names are fixed: other programs read these files. What each column means stands
// in docs/schema.md.

import type { Generated } from 'kysely'

export interface SessionsTable {
  row_id: Generated<number>
  id: string
  name: string
  name_folded: string
  name_source: string
  session_type: string
  owner_id: string
  working_dir: string | null
  channel_type: string | null
  channel_key: string | null
  parent_session_id: string | null
  forked_from_session_id: string | null
  forked_from_seq: number | null
  branch_of: string | null
  source_agent: string | null
  source_session_id: string | null
  source_digest: string | null
  provider_name: string | null
  mode: string | null
  preview: string
  pinned: number
  archived_at: number | null
  deleted_at: number | null
  created_at: number
  updated_at: number
  last_active_at: number
  message_count: number
  next_seq: number
  version: number
  change_seq: number
  context_start_seq: number
  context_summary_seq: number | null
  token_counts: string
  model_config: string | null
  extension_data: string
  metadata: string
}

export interface SessionTagsTable {
  session_id: string
  tag: string
}

export interface MessagesTable {
  row_id: Generated<number>
  message_id: string
  session_id: string
  seq: number
  role: string
  created_at: number
  turn_part: number | null
  metadata_json: string
  text_json: string | null
  content_json: string
}

export interface ThreadsTable {
  thread_id: string
  owner_id: string
  name: string
  metadata: string
  created_at: number
  updated_at: number
}

export interface ThreadSessionsTable {
  thread_id: string
  session_id: string
  position: number
}

export interface UsageEventsTable {
  row_id: Generated<number>
  session_id: string
  message_id: string | null
  at: number
  provider: string | null
  model: string | null
  input: number | null
  output: number | null
  total: number | null
  cache_read: number | null
  cache_write: number | null
  cost: number | null
  kind: string | null
}

export interface IdCountersTable {
  day: string
  last: number
}

export interface OperationsTable {
  session_id: string
  operation_id: string
  digest: string
  version: number
  first_seq: number | null
  last_seq: number | null
}

export interface SessionTombstonesTable {
  session_id: string
  owner_id: string
  change_seq: number
  removed_at: number
}

export interface IndexDirtyTable {
  row_id: number
}

export interface SchemaMetaTable {
  key: string
  value: number
}

/** Every table that Kysely queries; the full-text tables `messages_fts` and `sessions_fts` are only reached by SQL. */
export interface Database {
  sessions: SessionsTable
  session_tags: SessionTagsTable
  messages: MessagesTable
  threads: ThreadsTable
  thread_sessions: ThreadSessionsTable
  usage_events: UsageEventsTable
  id_counters: IdCountersTable
  operations: OperationsTable
  session_tombstones: SessionTombstonesTable
  index_dirty: IndexDirtyTable
  schema_meta: SchemaMetaTable
}
