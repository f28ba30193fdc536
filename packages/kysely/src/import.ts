// Import over SQL: the whole input is checked first, then one transaction.

import { foldText, type ImportReceipt } from '@sess/core'
import { decideImport, type ImportPlan, type MessageRecord } from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { Statement, WritePlan, WriteUnit } from './engine.ts'
import { newSessionId, sessionIn } from './session-rows.ts'
import { asSessionRow, messageSelect, type SessionRow, sessionById, sessionSelect } from './sql/columns.ts'
import { answerUnchanged, rowUnchanged, sessionAbsent } from './sql/guards.ts'
import { insertMessages } from './sql/message-writes.ts'
import { indexChanges, insertSession, toColumns, updateSession } from './sql/session-writes.ts'
import { carriedIn, carryForward, usageSelect } from './usage.ts'

/** Stores a session from elsewhere; see the port for what comes of a source that was imported before. */
export function importUnit(parts: StoreParts, plan: ImportPlan): WriteUnit<ImportReceipt> {
  const { source, ownerId } = plan.session
  const now = parts.now()
  const { read, idFrom } = newSessionId(parts, plan.session.id, now)
  const before = source === undefined ? [] : [source.sessionId, source.agent, ownerId]
  return {
    reads: [
      read,
      ...(source === undefined
        ? []
        : [sourceMatch(before), sourceMessages(before, plan.digest), sourceUsage(before)]),
    ],
    plan: ([idRows, matches, stored, usageRows]) => {
      const match = asSessionRow(matches?.[0])
      const messages = (stored ?? []) as unknown as readonly MessageRecord[]
      const carried = carriedIn(usageRows)
      const decision = decideImport(plan, match && { row: match, messages, carried: carried?.usage })
      if (decision.outcome === 'unchanged' || decision.outcome === 'skipped') {
        const session = sessionIn(parts, matches)
        return { statements: [], result: () => ({ session, outcome: decision.outcome, added: 0 }) }
      }
      if (decision.outcome === 'updated') {
        const row = match as SessionRow
        const { fields, rows } = decision
        const folded = fields.name === undefined ? undefined : foldText(fields.name)
        const update = updateSession(parts.db, row.id, toColumns(fields, folded), now)
        const usage =
          decision.carried && carryForward(parts.db, row.id, decision.carried, plan.createdAt, carried)
        const index = indexChanges(row.id, row, fields)
        const statements = [...insertMessages(row.id, rows), update, ...index, ...(usage ?? [])]
        return answer(parts, row.id, 'updated', rows.length, statements, [
          rowUnchanged(row.id, row.changeSeq),
        ])
      }
      const id = idFrom(idRows)
      const statements = createStatements(parts, plan, id, now, decision.fields)
      return answer(parts, id, decision.outcome, plan.rows.length, statements, [
        sessionAbsent(id),
        ...(source === undefined ? [] : [answerUnchanged(sourceChange(before), match?.changeSeq ?? null)]),
      ])
    },
  }
}

function createStatements(
  parts: StoreParts,
  plan: ImportPlan,
  id: string,
  now: number,
  sourceFields: ImportPlan['sourceFields'],
): Statement[] {
  return [
    ...insertSession(parts.db, id, plan.session, now, { ...plan.fields, ...sourceFields }),
    ...insertMessages(id, plan.rows),
    ...carryForward(parts.db, id, plan.session.tokenCounts.accumulated, plan.createdAt),
  ]
}

function answer(
  parts: StoreParts,
  id: string,
  outcome: ImportReceipt['outcome'],
  added: number,
  statements: readonly Statement[],
  guards: readonly Statement[],
): WritePlan<ImportReceipt> {
  return {
    guards,
    statements: [...statements, sessionById(id)],
    result: (results) => ({ session: sessionIn(parts, results.at(-1)), outcome, added }),
  }
}

const ofSource = 's.source_session_id = ? AND s.source_agent = ? AND s.owner_id = ?'

function sourceMatch(source: readonly string[]): Statement {
  return { sql: `SELECT ${sessionSelect} FROM sessions s WHERE ${ofSource}`, parameters: source }
}

/** What its ledger has as carried forward: the first such row. */
function sourceUsage(source: readonly string[]): Statement {
  return {
    sql: `SELECT ${usageSelect} FROM sessions s CROSS JOIN usage_events u ON u.session_id = s.id
WHERE ${ofSource} AND u.kind = 'carried_forward' ORDER BY u.row_id LIMIT 1`,
    parameters: source,
  }
}

/** The change number of that session: one value, none where nobody imported it. */
function sourceChange(source: readonly string[]): Statement {
  return { sql: `SELECT s.change_seq FROM sessions s WHERE ${ofSource}`, parameters: source }
}

/** The stored messages, unless the digests say that nothing has changed. */
function sourceMessages(source: readonly string[], digest: string): Statement {
  return {
    sql: `SELECT ${messageSelect} FROM sessions s CROSS JOIN messages m ON m.session_id = s.id
WHERE ${ofSource} AND s.source_digest IS NOT ? ORDER BY m.seq`,
    parameters: [...source, digest],
  }
}
