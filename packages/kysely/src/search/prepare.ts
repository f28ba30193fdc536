// What stands in the index for a message and for a name. Whatever changes here, or in core's tokens and columns, changes
// what an index must hold: then `indexVersion` goes up, and every index is made anew.

import {
  columnOf,
  isDamaged,
  type MessageRecord,
  preparedText,
  searchColumns,
  toMessage,
} from '@sess/core/adapter'

/** Of how texts are prepared; 0 is an index that was never made. */
export const indexVersion = 1

/** A message with what the index needs to know of its session; without one it is not searched. */
export interface IndexedRow extends MessageRecord {
  readonly rowId: number
  readonly sessionRowId: number | null
  readonly sessionType: string | null
}

/** Row id, text, tool, scope. */
export type IndexEntry = readonly [rowId: number, text: string, tool: string, scope: string]

export function sessionToken(rowId: number): string {
  return `s${rowId}`
}

export function roleToken(role: string): string {
  return `r${role}`
}

export function kindToken(sessionType: string): string {
  return sessionType === 'hidden' ? 'khidden' : sessionType === 'sub_agent' ? 'ksubagent' : 'kplain'
}

/** The entry of a message; an empty one for what is damaged or what people cannot see, so that every row has one. */
export function indexEntry(row: IndexedRow): IndexEntry {
  const { rowId, sessionRowId, sessionType } = row
  const message = toMessage('', row)
  const columns = isDamaged(message) ? undefined : searchColumns(message.content, message.metadata)
  if (columns === undefined || sessionRowId === null) return [rowId, '', '', '']
  return [
    rowId,
    preparedText(columns.text.tokens),
    preparedText(columns.tool.tokens),
    [sessionToken(sessionRowId), roleToken(row.role), kindToken(sessionType ?? '')].join(' '),
  ]
}

/** The entry of a session's name; an empty one for what is no text. */
export function nameEntry(name: unknown): string {
  return typeof name === 'string' ? preparedText(columnOf([name]).tokens) : ''
}
