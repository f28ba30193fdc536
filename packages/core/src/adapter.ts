// What a backend is built from: inputs checked, decisions made without a database, rows turned into the port's values.
// A store that uses these answers like every other one. Hosts need none of it.

export {
  type AppendPlan,
  type AppendRequest,
  type AppendState,
  type NewMessageRow,
  planAppend,
} from './adapter/append.ts'
export {
  decideImport,
  type ImportDecision,
  type ImportedBefore,
  type ImportPlan,
  planImport,
} from './adapter/import.ts'
export { type ClassifyError, Operations } from './adapter/operations.ts'
export { patchFields } from './adapter/patch.ts'
export { missingMethods, portMethods } from './adapter/port-methods.ts'
export { type ListPlan, type ListPosition, matchesPlan, planList, shownTypes } from './adapter/query.ts'
export { planRead, type ReadPlan, rowsThatFit, toMessagePage } from './adapter/range.ts'
export {
  damagedMessage,
  isDamaged,
  type MessageRecord,
  type OnDamage,
  readMessages,
  type SessionRecord,
  toMessage,
  toSession,
} from './adapter/records.ts'
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
export { check } from './input/check.ts'
export { isMessageId, isSessionId } from './input/ids.ts'
export { toJsonText } from './input/json.ts'
export { operationDigest, type PreparedMessage, prepareMessage, prepareMessages } from './input/messages.ts'
export {
  checkSessionId,
  defaultNames,
  type PreparedImport,
  type PreparedPatch,
  type PreparedSession,
  patchConflict,
  preparePatch,
  prepareSession,
} from './input/sessions.ts'
export { resolveOptions, type StoreContext } from './options.ts'
export { previewLine } from './text/preview.ts'
