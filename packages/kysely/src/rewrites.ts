// Replacement and compaction over SQL.

import type { AppendReceipt } from '@sess/core'
import {
  contextFields,
  contextOf,
  type MessageRecord,
  type PreparedCompact,
  type PreparedRewrite,
  planCompact,
  planReplace,
  type RewritePlan,
  type RewriteRequest,
  type RewriteState,
  summaryFacts,
} from '@sess/core/adapter'
import { operationReads, operationUnchanged, readOperation, rememberOperation } from './append.ts'
import type { StoreParts } from './context.ts'
import type { Results, Row, Statement, WriteUnit } from './engine.ts'
import { asSessionRow, type SessionRow, sessionById } from './sql/columns.ts'
import { rowUnchanged } from './sql/guards.ts'
import { messagesByIds } from './sql/message-reads.ts'
import { insertMessages } from './sql/message-writes.ts'
import { toColumns, updateSession } from './sql/session-writes.ts'

export function replaceUnit(
  parts: StoreParts,
  id: string,
  rewrite: PreparedRewrite,
): WriteUnit<AppendReceipt> {
  const deleteAll: Statement = { sql: 'DELETE FROM messages WHERE session_id = ?', parameters: [id] }
  return rewriteUnit(parts, id, rewrite, [deleteAll], planReplace)
}

export function compactUnit(
  parts: StoreParts,
  id: string,
  compaction: PreparedCompact,
): WriteUnit<AppendReceipt> {
  return rewriteUnit(parts, id, compaction, [], (state, request, current) =>
    planCompact(state, request, compaction, current, parts.maxMessageBytes),
  )
}

type Decide = (
  state: RewriteState,
  request: RewriteRequest,
  current: ReturnType<typeof summaryFacts>,
) => RewritePlan

function rewriteUnit(
  parts: StoreParts,
  id: string,
  rewrite: PreparedRewrite,
  first: readonly Statement[],
  decide: Decide,
): WriteUnit<AppendReceipt> {
  const now = parts.now()
  const ids = rewrite.messages.flatMap((message) => message.id ?? [])
  return {
    reads: [
      sessionById(id),
      currentSummary(id),
      messagesByIds(id, ids),
      ...operationReads(id, rewrite.operationId),
    ],
    plan: ([sessionRows, summaryRows, stored, ...rest]: Results) => {
      const row = asSessionRow(sessionRows?.[0])
      const known = readOperation(rest)
      const state: RewriteState = {
        session: row && { ...row, context: contextOf(row) },
        stored: (stored ?? []) as unknown as readonly MessageRecord[],
        operation: known,
      }
      const request = { ...rewrite, sessionId: id, now, newId: parts.ids.message }
      const plan = decide(state, request, currentFacts(summaryRows))
      const writes =
        plan.write === undefined ? [] : rewriteStatements(parts, row as SessionRow, plan.write, first, now)
      const operation = plan.remember ? rememberOperation(id, rewrite, plan.receipt) : []
      return {
        guards:
          row === undefined
            ? []
            : [rowUnchanged(id, row.changeSeq), ...operationUnchanged(id, rewrite.operationId, known)],
        statements: [...writes, ...operation],
        result: () => plan.receipt,
      }
    },
  }
}

function rewriteStatements(
  { db }: StoreParts,
  row: SessionRow,
  { rows, version, nextSeq, lastActiveAt, preview, context }: NonNullable<RewritePlan['write']>,
  first: readonly Statement[],
  now: number,
): Statement[] {
  const fields = {
    version,
    nextSeq,
    lastActiveAt,
    messageCount: (first.length > 0 ? 0 : row.messageCount) + rows.length,
    preview: preview ?? row.preview,
    ...contextFields(context),
  }
  return [...first, ...insertMessages(row.id, rows), updateSession(db, row.id, toColumns(fields), now)]
}

function currentSummary(id: string): Statement {
  return {
    sql: `SELECT m.seq AS "seq", m.metadata_json AS "metadataJson" FROM sessions s
CROSS JOIN messages m ON m.session_id = s.id AND m.seq = s.context_summary_seq WHERE s.id = ?`,
    parameters: [id],
  }
}

function currentFacts(rows: readonly Row[] = []) {
  const row = rows[0] as unknown as Pick<MessageRecord, 'seq' | 'metadataJson'> | undefined
  return row && summaryFacts(row)
}
