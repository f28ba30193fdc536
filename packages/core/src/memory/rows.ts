// What changes of a session's rows mean for the session: count, preview, context.

import type { NewMessageRow } from '../adapter/append.ts'
import { type SummaryFacts, summaryFacts } from '../adapter/context.ts'
import { isDamaged, toMessage } from '../adapter/records.ts'
import { previewLine } from '../text/preview.ts'
import { turnParts } from '../turns/parts.ts'
import type { Entry } from './state.ts'

/** Every summary of a session. */
export function summariesOf({ rows }: Entry): SummaryFacts[] {
  return rows.filter((row) => row.turnPart === turnParts.summary).flatMap((row) => summaryFacts(row) ?? [])
}

/** The preview of the newest row that has one. */
export function previewOf(rows: readonly NewMessageRow[]): string {
  for (const row of rows.toReversed()) {
    const message = toMessage('', row)
    const line = isDamaged(message) ? undefined : previewLine(message.role, message.content, message.metadata)
    if (line !== undefined) return line
  }
  return ''
}
