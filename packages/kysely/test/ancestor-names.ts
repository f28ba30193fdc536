// The table "Goose / CowAgent name -> ours" of docs/schema.md.

interface AncestorName {
  readonly goose: string
  readonly cowAgent: string
  readonly ours: string
  readonly why: string
}

const row = (goose: string, cowAgent: string, ours: string, why = ''): AncestorName => ({
  goose,
  cowAgent,
  ours,
  why,
})

export const ancestors: readonly AncestorName[] = [
  row(
    '`sessions.id`',
    '`sessions.session_id`',
    '`sessions.id`',
    'the number of a date id comes from a counter: Goose uses a deleted one again',
  ),
  row('`sessions.name`, `description`', '`sessions.title`', '`sessions.name`'),
  row(
    '`user_set_name`',
    '',
    '`name_source`',
    'three states: a default name may still be replaced by a model',
  ),
  row('`session_type`', '', '`session_type`', 'one table of what a list shows, for every caller'),
  row('`working_dir`', '', '`working_dir`'),
  row(
    '',
    '`channel_type`',
    '`channel_type`, `channel_key`',
    'the chat within the channel is a column, not part of the id',
  ),
  row(
    '`created_at`, `updated_at` (text)',
    '`created_at`, `last_active` (seconds)',
    '`created_at`, `updated_at`, `last_active_at`',
    'epoch milliseconds everywhere; reading moves none of them',
  ),
  row('`extension_data`', '', '`extension_data`'),
  row(
    '`total_tokens`, ... (ten columns)',
    '',
    '`token_counts`',
    'last call and sum, both named; `usage_events` is the truth',
  ),
  row('`usage_ledger`', '', '`usage_events`'),
  row('`provider_name`, `model_config_json`', '', '`provider_name`, `model_config`'),
  row('`goose_mode`', '', '`mode`'),
  row('`archived_at`', '', '`archived_at`', 'lists do leave archived sessions out'),
  row('', '`pinned`', '`pinned`'),
  row('`parent_session_id`', '', '`parent_session_id`', 'sub-agents go to the trash with their parent'),
  row('`schedule_id`, `recipe_json`, `project_id`', '', '`metadata`', "a host's own facts"),
  row('(counted)', '`msg_count`', '`message_count`'),
  row(
    '',
    '`context_start_seq`',
    '`context_start_seq`',
    'seqs are never used again, so a cleared context stays cleared',
  ),
  row('`messages.id`', '`messages.id`', '`messages.row_id`'),
  row('`message_id` (not unique)', '', '`message_id`', 'unique in its session: a retried append lands once'),
  row('order by `created_timestamp`', '`seq`', '`seq`', 'equal or wrong clocks never mix up messages'),
  row('`content_json`', '`content`', '`content_json`'),
  row('`metadata_json`', '`extras`', '`metadata_json`'),
  row('`thread_messages` (rows are sessions)', '', '`thread_sessions`', 'the name of what it holds'),
  row(
    '`schema_version`',
    '(columns are probed)',
    '`schema_meta`',
    'a newer file is refused, not silently opened',
  ),
  row('(LIKE)', '(none)', '`messages_fts`, `sessions_fts`', 'ranked, and right for scripts without spaces'),
]
