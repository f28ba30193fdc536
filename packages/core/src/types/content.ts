// What a message is made of: content blocks in the shape of the Anthropic Messages API, which the other
// SDKs' blocks convert to. Unknown blocks are kept as they came, so a newer SDK loses nothing here.

declare const otherBlockType: unique symbol

/** The type-level tag of {@link OtherBlock}; it exists only for the compiler, so that `block.type === 'text'` narrows. */
export type OtherBlockType = typeof otherBlockType

/** Plain text. Blank text (`text.trim() === ''`) is stored, but counts as no text in every rule. */
export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

/** A picture; restore in text mode puts a placeholder in its place. */
export interface ImageBlock {
  readonly type: 'image'
  readonly source: ImageSource
}

export type ImageSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string }

/** A call of a tool by the assistant; the matching {@link ToolResultBlock} carries its `id`. */
export interface ToolUseBlock {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  /** Any JSON value; providers send an object. */
  readonly input: unknown
}

/** What a tool answered, in a user message (or one of role tool) after the use. */
export interface ToolResultBlock {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content?: string | readonly ContentBlock[]
  readonly is_error?: boolean
}

/** Reasoning of the model. The signature is only valid for the model that wrote it. */
export interface ThinkingBlock {
  readonly type: 'thinking'
  readonly thinking: string
  readonly signature?: string
}

/** Encrypted reasoning of the model. */
export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking'
  readonly data: string
}

/**
 * Any block the store does not know, kept as it came. At run time `type` is an ordinary string; where the compiler needs
 * to know (a template literal), write `String(block.type)`.
 */
export interface OtherBlock {
  readonly type: OtherBlockType
  readonly [key: string]: unknown
}

export type ContentBlock =
  | TextBlock
  | ImageBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | OtherBlock

/** Any JSON object, as it is stored. */
export type JsonObject = { readonly [key: string]: unknown }
