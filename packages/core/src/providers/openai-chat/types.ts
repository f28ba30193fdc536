// Chat Completions as converters give it, and the little they ask of what they take. Members beyond OpenAI's own that
// compatible servers know (`reasoning_content`) go in and out with the message they came in.

/** Any message of Chat Completions: a parameter, or a response's. */
export interface OpenAiInputMessage {
  readonly role: string
  readonly content?: string | readonly { readonly type: string }[] | null
}

export interface OpenAiTextPart {
  type: 'text'
  text: string
}

export interface OpenAiImagePart {
  type: 'image_url'
  image_url: { url: string; detail?: 'auto' | 'low' | 'high' }
}

export interface OpenAiFilePart {
  type: 'file'
  file: { file_data?: string; file_id?: string; filename?: string }
}

export interface OpenAiAudioPart {
  type: 'input_audio'
  input_audio: { data: string; format: 'wav' | 'mp3' }
}

export interface OpenAiRefusalPart {
  type: 'refusal'
  refusal: string
}

export interface OpenAiFunctionCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export interface OpenAiCustomCall {
  id: string
  type: 'custom'
  custom: { name: string; input: string }
}

export interface OpenAiSystemMessage {
  role: 'system' | 'developer'
  content: string | OpenAiTextPart[]
  name?: string
}

export interface OpenAiUserMessage {
  role: 'user'
  content: string | (OpenAiTextPart | OpenAiImagePart | OpenAiFilePart | OpenAiAudioPart)[]
  name?: string
}

export interface OpenAiAssistantMessage {
  role: 'assistant'
  content?: string | (OpenAiTextPart | OpenAiRefusalPart)[] | null
  tool_calls?: (OpenAiFunctionCall | OpenAiCustomCall)[]
  refusal?: string | null
  audio?: { id: string } | null
  name?: string
  /** Of DeepSeek, Kimi, vLLM and others: the reasoning they want back. */
  reasoning_content?: string
}

export interface OpenAiToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string | OpenAiTextPart[]
}

/** A message as Chat Completions takes it. */
export type OpenAiMessage =
  | OpenAiSystemMessage
  | OpenAiUserMessage
  | OpenAiAssistantMessage
  | OpenAiToolMessage
