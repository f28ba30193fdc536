export {
  type CompactOptions,
  type CompactReceipt,
  compactConversation,
  type Summarize,
} from './conversation/compact.ts'
export {
  type Conversation,
  type ConversationOptions,
  openConversation,
  type ReadyContext,
} from './conversation/open.ts'
export { type PersistOptions, persistRun } from './conversation/persist.ts'
export { type CursorPart, decodeCursor, encodeCursor } from './cursor.ts'
export {
  isStoreError,
  StoreError,
  type StoreErrorCode,
  type StoreErrorOptions,
  storeErrorCodes,
} from './errors.ts'
export {
  type ConversationOutcome,
  type ImportConversationsOptions,
  importConversations,
} from './format/import.ts'
export { readConversations } from './format/read.ts'
export { readTime } from './format/time.ts'
export type {
  ConversationFormat,
  ExportEnvelope,
  ExportedMessage,
  ExportedSession,
  ExportedUsage,
  ExportHeader,
  ImportedConversation,
  ImportedHeader,
  SessionLinks,
} from './format/types.ts'
export { exportLines, toExport } from './format/write.ts'
export { createHash, type Hash, hashText } from './hash.ts'
export { createIds, createUuidV7, type IdGenerator } from './ids.ts'
export { assertJsonValue } from './input/json.ts'
export {
  appendOptionsSchema,
  blockSchema,
  importedMessageSchema,
  importedSessionSchema,
  messageIdSchema,
  messageMetadataSchema,
  messageRangeSchema,
  newMessageSchema,
  newSessionSchema,
  pageSchema,
  recentTurnsSchema,
  removeOptionsSchema,
  sessionIdSchema,
  sessionPatchSchema,
  sessionQuerySchema,
  sessionTypes,
} from './input/schemas.ts'
export { iterate } from './iterate.ts'
export { limits } from './limits.ts'
export { type AutoNamed, type AutoNameOptions, autoName } from './naming/auto-name.ts'
export { autoNameInBackground } from './naming/background.ts'
export { type CleanNameOptions, cleanName } from './naming/clean.ts'
export type { Logger, StoreOptions } from './options.ts'
export type { ChangeFeed, SessionChange } from './port/changes.ts'
export type { CheckReport, Maintenance, MaintenanceTask, StoreStats } from './port/maintenance.ts'
export type {
  AppendOptions,
  AppendReceipt,
  DamagedRow,
  MessageLog,
  MessagePage,
  MessageRange,
  TurnWindow,
  WindowTurn,
} from './port/messages.ts'
export type {
  MessageHit,
  MessageSearch,
  SearchPage,
  SearchQuery,
  SessionHit,
  Snippet,
} from './port/search.ts'
export type { SessionRecords } from './port/sessions.ts'
export type { SessionStore, StoreCapabilities, StoreScope } from './port/store.ts'
export type { Thread, ThreadRecords } from './port/threads.ts'
export { fromAnthropicMessages } from './providers/anthropic/from.ts'
export { toAnthropicMessages } from './providers/anthropic/to.ts'
export type {
  AnthropicBlock,
  AnthropicInput,
  AnthropicInputMessage,
  AnthropicMessage,
  AnthropicRequest,
} from './providers/anthropic/types.ts'
export type { ConvertibleMessage } from './providers/blocks.ts'
export { fromGeminiContents, type GeminiReadOptions } from './providers/gemini/from.ts'
export { type GeminiWriteOptions, toGeminiContents } from './providers/gemini/to.ts'
export type {
  GeminiContent,
  GeminiInput,
  GeminiInputContent,
  GeminiPart,
  GeminiRequest,
} from './providers/gemini/types.ts'
export type { Native, ProviderName } from './providers/native.ts'
export { fromOpenAiMessages } from './providers/openai-chat/from.ts'
export { toOpenAiMessages } from './providers/openai-chat/to.ts'
export type { OpenAiInputMessage, OpenAiMessage } from './providers/openai-chat/types.ts'
export { fromOpenAiItems } from './providers/openai-responses/from.ts'
export { toOpenAiItems } from './providers/openai-responses/to.ts'
export type { OpenAiInputItem, OpenAiItem } from './providers/openai-responses/types.ts'
export type { Finding, RuleBreach } from './providers/rule.ts'
export { fromUiMessages, type UiInputMessage } from './providers/ui/from.ts'
export { type ProviderRequests, type ValidateOptions, validateForProvider } from './providers/validate.ts'
export { classifyProviderError, type ProviderErrorKind } from './recovery/classify.ts'
export {
  type RecoverOptions,
  type Recovery,
  type RecoveryStrategy,
  recoverConversation,
} from './recovery/recover.ts'
export { type ProviderErrorDetails, readProviderError } from './recovery/unwrap.ts'
export {
  type RestoredConversation,
  type RestorePolicy,
  type RestoreReport,
  restoreConversation,
} from './restore/conversation.ts'
export { type FullRestore, type RestoreTarget, restoreFull } from './restore/full.ts'
export { type Locale, restoreText } from './restore/text.ts'
export { type CountTokens, estimateTokens } from './restore/tokens.ts'
export { defaultAgentMaxTurns, isScheduled, restoreWindow } from './restore/window.ts'
export { scopeStore } from './scope/store.ts'
export { type HighlightOptions, highlightSnippet } from './search/highlight.ts'
export {
  type ParsedQuery,
  type ParseOptions,
  parseQuery,
  type QueryFilter,
  type Term,
} from './search/query.ts'
export { type LocalParts, localParts, parseDate } from './text/dates.ts'
export { foldText } from './text/fold.ts'
export { isTextBlock, type TurnPart, textForm, turnPart, turnParts } from './turns/parts.ts'
export type {
  ContentBlock,
  ImageBlock,
  ImageSource,
  JsonObject,
  OtherBlock,
  RedactedThinkingBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './types/content.ts'
export type {
  Message,
  MessageMetadata,
  NewBlock,
  NewMessage,
  RestoredMessage,
  Role,
  TokenUsage,
} from './types/message.ts'
export type { Page, PageRequest, SessionFilter, SessionQuery } from './types/query.ts'
export type { NameSource, NewSession, Session, SessionPatch, SessionType } from './types/session.ts'
export type { ForkOptions, ImportedMessage, ImportedSession, ImportReceipt } from './types/transfer.ts'
