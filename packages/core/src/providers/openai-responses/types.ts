// Items of the Responses API as converters give them, and the little they ask of what they take.

/** Any item of a request's input or of a response's output. A message may leave its type out. */
export interface OpenAiInputItem {
  readonly type?: string | null
  readonly role?: string
}

export interface OpenAiInputText {
  type: 'input_text'
  text: string
}

export interface OpenAiInputImage {
  type: 'input_image'
  image_url?: string | null
  file_id?: string | null
  detail: 'auto' | 'low' | 'high'
}

export interface OpenAiInputFile {
  type: 'input_file'
  file_data?: string
  file_id?: string | null
  file_url?: string
  filename?: string
}

export type OpenAiInputPart = OpenAiInputText | OpenAiInputImage | OpenAiInputFile

/** A message; the parts of an assistant's own messages (`output_text`) come back as they were read. */
export interface OpenAiMessageItem {
  type?: 'message'
  role: 'user' | 'assistant' | 'system' | 'developer'
  content: string | OpenAiInputPart[]
}

export interface OpenAiFunctionCallItem {
  type: 'function_call'
  call_id: string
  name: string
  arguments: string
  id?: string
  status?: 'in_progress' | 'completed' | 'incomplete'
}

export interface OpenAiFunctionOutputItem {
  type: 'function_call_output'
  call_id: string
  output: string | OpenAiInputPart[]
  id?: string | null
  status?: 'in_progress' | 'completed' | 'incomplete' | null
}

/** Reasoning. In a turn written anew it has no `id` at run time: its text is in `encrypted_content`. */
export interface OpenAiReasoningItem {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
  encrypted_content?: string | null
}

/** An item as the Responses API takes it. Items of other kinds that came from it go back unchanged. */
export type OpenAiItem =
  | OpenAiMessageItem
  | OpenAiFunctionCallItem
  | OpenAiFunctionOutputItem
  | OpenAiReasoningItem
