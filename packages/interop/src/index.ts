export { readGoose } from './goose/session.ts'
export { type HistoryFormat, type ImportedHistory, readHistory } from './history.ts'
