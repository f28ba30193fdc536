// generateContent as converters give it, and the little they ask of what they take. The Gemini SDKs' `Content` fits.

/** A turn: its role may be absent, which means user. */
export interface GeminiInputContent {
  readonly role?: string
  readonly parts?: readonly object[]
}

/** A request of generateContent; members but these two are not read. */
export interface GeminiInput {
  readonly systemInstruction?: string | GeminiInputContent
  readonly contents: readonly GeminiInputContent[]
}

export interface GeminiBlob {
  mimeType: string
  data: string
}

export interface GeminiFileData {
  fileUri: string
  mimeType?: string
}

/** One of `text`, `inlineData`, `fileData`, `functionCall`, `functionResponse` and others, and what goes beside it. */
export interface GeminiPart {
  text?: string
  inlineData?: GeminiBlob
  fileData?: GeminiFileData
  functionCall?: { id?: string; name: string; args?: { [key: string]: unknown } }
  functionResponse?: { id?: string; name: string; response: { [key: string]: unknown } }
  thought?: boolean
  /** Base64, of the model that wrote the part. */
  thoughtSignature?: string
}

export interface GeminiContent {
  role?: string
  parts: GeminiPart[]
}

/** A conversation as generateContent takes it. */
export interface GeminiRequest {
  systemInstruction?: string | GeminiContent
  contents: GeminiContent[]
}
