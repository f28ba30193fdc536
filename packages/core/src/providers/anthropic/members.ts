// The members each block of the Messages API may have. The API refuses a request for one member too many
// (anthropics/claude-code#4378), so this list decides what is sent and what is reported.
// From the API reference (platform.claude.com/docs/en/api/messages) and its SDK's types, beta blocks included.

const cached = ['type', 'cache_control'] as const
const serverResult = [...cached, 'tool_use_id', 'content'] as const

/** Block types that the API knows, with their members. */
export const anthropicMembers: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['text', [...cached, 'text', 'citations']],
  ['image', [...cached, 'source', 'transformations']],
  ['document', [...cached, 'source', 'citations', 'context', 'title']],
  ['search_result', [...cached, 'content', 'source', 'title', 'citations']],
  ['thinking', ['type', 'thinking', 'signature']],
  ['redacted_thinking', ['type', 'data']],
  ['tool_use', [...cached, 'id', 'name', 'input', 'caller', 'toolset_name']],
  ['tool_result', [...cached, 'tool_use_id', 'content', 'is_error', 'toolset_name']],
  ['tool_reference', [...cached, 'tool_name']],
  ['browser_state', [...cached, 'tabs', 'state_changes']],
  ['server_tool_use', [...cached, 'id', 'name', 'input', 'caller']],
  ['web_search_tool_result', [...serverResult, 'caller']],
  ['web_fetch_tool_result', [...serverResult, 'caller']],
  ['code_execution_tool_result', serverResult],
  ['bash_code_execution_tool_result', serverResult],
  ['text_editor_code_execution_tool_result', serverResult],
  ['tool_search_tool_result', serverResult],
  ['advisor_tool_result', serverResult],
  ['container_upload', [...cached, 'file_id']],
  ['mcp_tool_use', [...cached, 'id', 'name', 'input', 'server_name']],
  ['mcp_tool_result', [...serverResult, 'is_error']],
  ['mcp_tool_listing', ['type', 'mcp_server_name', 'tools']],
  ['compaction', [...cached, 'content', 'encrypted_content', 'signature', 'tool_changes']],
  ['fallback', ['type', 'from', 'to', 'trigger']],
  ['tool_addition', [...cached, 'tool']],
  ['tool_removal', [...cached, 'tool']],
])

/** What stands only in an assistant message, only in one of the user; all else may stand in both. */
export const assistantOnly: ReadonlySet<string> = new Set([
  'thinking',
  'redacted_thinking',
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
])
export const userOnly: ReadonlySet<string> = new Set(['tool_result', 'image', 'document', 'search_result'])

/** The pictures the API takes. */
export const anthropicImageTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
