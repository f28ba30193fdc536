CREATE TABLE sessions (
  row_id INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  name_source TEXT NOT NULL,
  session_type TEXT NOT NULL,
  owner_id TEXT NOT NULL DEFAULT '',
  working_dir TEXT,
  channel_type TEXT,
  channel_key TEXT,
  parent_session_id TEXT,
  forked_from_session_id TEXT,
  forked_from_seq INTEGER,
  branch_of TEXT,
  source_agent TEXT,
  source_session_id TEXT,
  source_digest TEXT,
  provider_name TEXT,
  mode TEXT,
  preview TEXT NOT NULL DEFAULT '',
  pinned INTEGER NOT NULL DEFAULT 0,
  archived_at INTEGER,
  deleted_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL,
  message_count INTEGER NOT NULL DEFAULT 0,
  next_seq INTEGER NOT NULL DEFAULT 1,
  version INTEGER NOT NULL DEFAULT 1,
  change_seq INTEGER NOT NULL,
  context_start_seq INTEGER NOT NULL DEFAULT 1,
  context_summary_seq INTEGER,
  token_counts TEXT NOT NULL DEFAULT '{"last":{},"accumulated":{}}',
  model_config TEXT,
  extension_data TEXT NOT NULL DEFAULT '{}',
  metadata TEXT NOT NULL DEFAULT '{}'
);

CREATE INDEX sessions_active ON sessions (last_active_at DESC, row_id DESC)
WHERE archived_at IS NULL AND deleted_at IS NULL AND session_type NOT IN ('hidden', 'sub_agent');

CREATE INDEX sessions_created ON sessions (created_at DESC, row_id DESC)
WHERE archived_at IS NULL AND deleted_at IS NULL AND session_type NOT IN ('hidden', 'sub_agent');

CREATE INDEX sessions_type ON sessions (session_type, last_active_at DESC, row_id DESC);

CREATE INDEX sessions_pinned ON sessions (last_active_at DESC, row_id DESC) WHERE pinned = 1;

CREATE INDEX sessions_archived ON sessions (last_active_at DESC, row_id DESC) WHERE archived_at IS NOT NULL;

CREATE INDEX sessions_deleted ON sessions (last_active_at DESC, row_id DESC) WHERE deleted_at IS NOT NULL;

CREATE INDEX sessions_owner ON sessions (owner_id, last_active_at DESC, row_id DESC) WHERE owner_id <> '';

CREATE INDEX sessions_parent ON sessions (parent_session_id, last_active_at DESC, row_id DESC)
WHERE parent_session_id IS NOT NULL;

CREATE INDEX sessions_branch ON sessions (branch_of) WHERE branch_of IS NOT NULL;

CREATE INDEX sessions_channel ON sessions (channel_type, channel_key) WHERE channel_type IS NOT NULL;

CREATE UNIQUE INDEX sessions_source ON sessions (source_session_id, source_agent, owner_id)
WHERE source_session_id IS NOT NULL;

CREATE INDEX sessions_change ON sessions (change_seq);

CREATE TABLE session_tags (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (session_id, tag)
);

CREATE INDEX session_tags_tag ON session_tags (tag, session_id);

CREATE TABLE messages (
  row_id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  turn_part INTEGER,
  metadata_json TEXT NOT NULL,
  text_json TEXT,
  content_json TEXT NOT NULL,
  UNIQUE (session_id, seq),
  UNIQUE (session_id, message_id)
);

CREATE INDEX messages_turn_part ON messages (session_id, turn_part, seq) WHERE turn_part IS NOT NULL;

CREATE TABLE threads (
  thread_id TEXT NOT NULL PRIMARY KEY,
  owner_id TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TABLE thread_sessions (
  thread_id TEXT NOT NULL REFERENCES threads (thread_id) ON DELETE CASCADE,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  PRIMARY KEY (thread_id, session_id)
);

CREATE INDEX thread_sessions_session ON thread_sessions (session_id);

CREATE TABLE usage_events (
  row_id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  message_id TEXT,
  at INTEGER NOT NULL,
  provider TEXT,
  model TEXT,
  input INTEGER,
  output INTEGER,
  total INTEGER,
  cache_read INTEGER,
  cache_write INTEGER,
  cost REAL,
  kind TEXT
);

CREATE INDEX usage_events_session ON usage_events (session_id);

CREATE TABLE id_counters (
  day TEXT NOT NULL PRIMARY KEY,
  last INTEGER NOT NULL
);

CREATE TABLE operations (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  operation_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  version INTEGER NOT NULL,
  first_seq INTEGER,
  last_seq INTEGER,
  PRIMARY KEY (session_id, operation_id)
) WITHOUT ROWID;

CREATE INDEX operations_version ON operations (session_id, version);

CREATE TABLE session_tombstones (
  session_id TEXT NOT NULL PRIMARY KEY,
  owner_id TEXT NOT NULL DEFAULT '',
  change_seq INTEGER NOT NULL,
  removed_at INTEGER NOT NULL
);

CREATE INDEX session_tombstones_change ON session_tombstones (change_seq);

CREATE VIRTUAL TABLE messages_fts USING fts5(
  text, tool, scope, content='', contentless_delete=1, prefix='1', tokenize="ascii tokenchars '+#'"
);

CREATE VIRTUAL TABLE sessions_fts USING fts5(
  name, content='', contentless_delete=1, prefix='1', tokenize="ascii tokenchars '+#'"
);

CREATE TABLE index_dirty (row_id INTEGER PRIMARY KEY);

CREATE TRIGGER messages_after_delete AFTER DELETE ON messages BEGIN
  DELETE FROM messages_fts WHERE rowid = old.row_id;
  DELETE FROM index_dirty WHERE row_id = old.row_id;
END;

CREATE TRIGGER messages_after_update AFTER UPDATE OF session_id, content_json, metadata_json ON messages BEGIN
  DELETE FROM messages_fts WHERE rowid = old.row_id;
  INSERT OR IGNORE INTO index_dirty (row_id) VALUES (new.row_id);
END;

CREATE TRIGGER sessions_after_delete AFTER DELETE ON sessions BEGIN
  DELETE FROM sessions_fts WHERE rowid = old.row_id;
END;

CREATE TABLE schema_meta (
  key TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
);
