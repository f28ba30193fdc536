// What a backend is built from: inputs checked, decisions made without a database, rows turned into the port's values.
// A store that uses these answers like every other one. Hosts need none of it.

export {
  type AppendPlan,
  type AppendRequest,
  type AppendState,
  type NewMessageRow,
  planAppend,
  rowsWithin,
} from './adapter/append.ts'
export { breathe } from './adapter/breathe.ts'
export {
  assertWithinFeed,
  type ChangesPlan,
  changeToken,
  planChanges,
  tombstoneAge,
} from './adapter/changes.ts'
export {
  type Compaction,
  contextAfterEdit,
  contextFields,
  contextOf,
  contextWithout,
  planCompaction,
  type SessionContext,
  type SummaryFacts,
  summaryFacts,
} from './adapter/context.ts'
export { branchOf, checkFork, checkRewind, copySuffixes, forkOf, seqOf } from './adapter/copies.ts'
export { type ChatKey, type CurrentPlan, isServing, planCurrent } from './adapter/current.ts'
export {
  assertIntact,
  type ColumnKinds,
  corruptRow,
  isFarthest,
  rowDamage,
  sessionDamage,
  sortKey,
} from './adapter/damage.ts'
export { editRow, type MessagePatch, prepareMessagePatch } from './adapter/edit.ts'
export { belongs, familyOf } from './adapter/family.ts'
export { TransactionGate } from './adapter/gate.ts'
export {
  decideImport,
  type ImportDecision,
  type ImportedBefore,
  type ImportPlan,
  planImport,
} from './adapter/import.ts'
export {
  createImportChecks,
  type ImportChecks,
  type PlacedMessage,
  type SeqNames,
} from './adapter/import-checks.ts'
export { listPage } from './adapter/list-page.ts'
export { nextDateId, raisedCounter } from './adapter/numbering.ts'
export { type ClassifyError, Operations, type OperationsOptions } from './adapter/operations.ts'
export { patchFields } from './adapter/patch.ts'
export { missingMethods, portMethods } from './adapter/port-methods.ts'
export { type ListPlan, type ListPosition, matchesPlan, planList, shownTypes } from './adapter/query.ts'
export {
  comparePlaces,
  pageBytes,
  planRead,
  type ReadPlan,
  rowsThatFit,
  toMessagePage,
  toTimelinePage,
} from './adapter/range.ts'
export {
  damagedMessage,
  isDamaged,
  type MessageRecord,
  type NewRecordFacts,
  newSessionRecord,
  type OnDamage,
  readMessages,
  readSession,
  type SessionRecord,
  toMessage,
  toSession,
} from './adapter/records.ts'
export {
  planCompact,
  planReplace,
  type RewritePlan,
  type RewriteRequest,
  type RewriteState,
} from './adapter/rewrite.ts'
export {
  compareCodePoints,
  type PagePlan,
  type PreparedThread,
  planThreadList,
  planThreadSessions,
  planTimeline,
  prepareThread,
  prepareThreadPatch,
  readThread,
  type ThreadListPlan,
  type ThreadRecord,
  toThread,
  unknownThread,
} from './adapter/threads.ts'
export {
  type Outcome,
  outcomeOf,
  runInScope,
  scopeOperations,
  transactWith,
  withoutImport,
} from './adapter/transact.ts'
export { trashTime } from './adapter/trash.ts'
export { addToCounts, checkUsage, type UsageEvent } from './adapter/usage.ts'
export {
  isInterrupted,
  type RowWindow,
  type TurnRow,
  toTurnWindow,
  type WindowRequest,
  type WindowRow,
  windowOf,
} from './adapter/window.ts'
export { unsupported, withOperation } from './errors.ts'
export { counterLeap, createDayOf, parseDateId } from './ids.ts'
export { type PreparedAppend, prepareAppend } from './input/append.ts'
export { check, snapshot } from './input/check.ts'
export { checkMessageId, isMessageId, isSessionId } from './input/ids.ts'
export { toJsonText } from './input/json.ts'
export { operationDigest, type PreparedMessage, prepareMessage, prepareMessages } from './input/messages.ts'
export { checkOptions, type OptionRule } from './input/options.ts'
export {
  checkMessageIds,
  checkTruncate,
  type PreparedCompact,
  type PreparedRewrite,
  prepareCompact,
  prepareReplace,
} from './input/rewrite.ts'
export {
  checkSessionId,
  defaultNames,
  type PreparedImport,
  type PreparedPatch,
  type PreparedSession,
  patchConflict,
  prepareImport,
  preparePatch,
  prepareSession,
} from './input/sessions.ts'
export { resolveOptions, type StoreContext } from './options.ts'
export {
  type Candidate,
  type CandidateRange,
  type CandidateSource,
  matchOf,
} from './search/candidates.ts'
export { type Column, columnOf, type SearchColumns, searchColumns } from './search/extract.ts'
export { findTerm, indexTokens, type TokenIndex } from './search/match.ts'
export { type Hit, searchMessages } from './search/messages.ts'
export { toMessageHit, toSearchPage } from './search/page.ts'
export { type Phrase, phraseOf } from './search/phrases.ts'
export { planSearch, type SearchPlan, type Values } from './search/plan.ts'
export { type ParsedQuery, parseQuery, type Term } from './search/query.ts'
export {
  answers,
  anyOf,
  type FoundSession,
  hitsLookedAt,
  type SessionCandidate,
  type SessionRange,
  type SessionSource,
  searchSessions,
  withoutMessages,
} from './search/sessions.ts'
export { preparedText } from './search/tokens.ts'
export { previewLine } from './text/preview.ts'
