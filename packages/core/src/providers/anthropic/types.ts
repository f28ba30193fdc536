// The Messages API as converters give it, and the little they ask of what they take. An SDK's own types fit both ways;
// examples/providers proves it.

/** Any message of the Messages API: a parameter, or a response with its further members. */
export interface AnthropicInputMessage {
  readonly role: string
  readonly content?: string | readonly { readonly type: string }[]
}

/** A request of the Messages API; members but these two are not read. */
export interface AnthropicInput {
  readonly system?: string | readonly { readonly type: string }[]
  readonly messages: readonly AnthropicInputMessage[]
}

export interface AnthropicCacheControl {
  type: 'ephemeral'
  ttl?: '5m' | '1h'
}

export interface AnthropicText {
  type: 'text'
  text: string
  cache_control?: AnthropicCacheControl | null
}

export interface AnthropicImage {
  type: 'image'
  source:
    | {
        type: 'base64'
        media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
        data: string
      }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string }
  cache_control?: AnthropicCacheControl | null
}

export interface AnthropicDocument {
  type: 'document'
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string }
  title?: string | null
  cache_control?: AnthropicCacheControl | null
}

export interface AnthropicToolUse {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
  cache_control?: AnthropicCacheControl | null
}

export interface AnthropicToolResult {
  type: 'tool_result'
  tool_use_id: string
  content?: string | (AnthropicText | AnthropicImage | AnthropicDocument)[]
  is_error?: boolean
  cache_control?: AnthropicCacheControl | null
}

export interface AnthropicThinking {
  type: 'thinking'
  thinking: string
  signature: string
}

export interface AnthropicRedactedThinking {
  type: 'redacted_thinking'
  data: string
}

/** The blocks that converters write. Blocks of other kinds that came from this API go back to it unchanged. */
export type AnthropicBlock =
  | AnthropicText
  | AnthropicImage
  | AnthropicDocument
  | AnthropicToolUse
  | AnthropicToolResult
  | AnthropicThinking
  | AnthropicRedactedThinking

export type AnthropicMessage =
  | { role: 'user'; content: string | AnthropicBlock[] }
  | { role: 'assistant'; content: string | AnthropicBlock[] }

/** A conversation as the Messages API takes it. */
export interface AnthropicRequest {
  system?: string | AnthropicText[]
  messages: AnthropicMessage[]
}
