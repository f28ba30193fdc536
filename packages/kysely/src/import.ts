// Import over SQL: the whole input is checked first, then one transaction.

import type { ImportedMessage, ImportedSession, ImportReceipt } from '@sess/core'
import { foldText, type TokenUsage } from '@sess/core'
import { decideImport, type ImportPlan, type MessageRecord, planImport } from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { Row, Statement, WritePlan } from './engine.ts'
import { newSessionId } from './session-rows.ts'
import {
  asSessionRow,
  messageSelect,
  type SessionRow,
  sessionById,
  sessionOf,
  sessionSelect,
} from './sql/columns.ts'
import { rowUnchanged, sessionAbsent } from './sql/guards.ts'
import { insertMessages } from './sql/message-writes.ts'
import { insertSession, toColumns, updateSession } from './sql/session-writes.ts'

const nothing: Statement = { sql: 'SELECT 1 WHERE 0', parameters: [] }

/** Stores a session from elsewhere; see the port for what comes of a source that was imported before. */
export async function importSession(
  parts: StoreParts,
  input: ImportedSession,
  messages: Iterable<ImportedMessage> | AsyncIterable<ImportedMessage>,
  options: { readonly onExisting?: 'update' | 'skip' | 'copy' },
): Promise<ImportReceipt> {
  const plan = await planImport(input, messages, options, parts, parts.maxMessageBytes)
  const { source, ownerId } = plan.session
  const now = parts.now()
  const { read, idFrom } = newSessionId(parts, plan.session.id, now)
  const match = source === undefined ? nothing : sourceMatch(source.agent, source.sessionId, ownerId)
  const matchMessages =
    source === undefined ? nothing : sourceMessages(source.agent, source.sessionId, ownerId, plan.digest)
  return parts.engine.write({
    reads: [match, matchMessages, read],
    plan: ([matches, stored, idRows]) => {
      const before = asSessionRow(matches?.[0])
      const decision = decideImport(
        plan,
        before && { row: before, messages: (stored ?? []) as unknown as MessageRecord[] },
      )
      if (decision.outcome === 'unchanged' || decision.outcome === 'skipped') {
        const session = sessionOf(before as SessionRow, parts.onDamage)
        return { statements: [], result: () => ({ session, outcome: decision.outcome, added: 0 }) }
      }
      if (decision.outcome === 'updated') {
        const row = before as SessionRow
        const { fields, rows } = decision
        const folded = fields.name === undefined ? undefined : foldText(fields.name)
        const statements = [
          ...insertMessages(row.id, rows),
          updateSession(parts.db, row.id, toColumns(fields, folded), now),
        ]
        return answer(parts, row.id, 'updated', rows.length, statements, rowUnchanged(row.id, row.changeSeq))
      }
      const id = idFrom(idRows)
      const statements = createStatements(parts, plan, id, now, decision.fields)
      return answer(parts, id, decision.outcome, plan.rows.length, statements, sessionAbsent(id))
    },
  })
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
    ...carriedForward(parts, id, plan.session.tokenCounts.accumulated, plan.createdAt),
  ]
}

function answer(
  parts: StoreParts,
  id: string,
  outcome: ImportReceipt['outcome'],
  added: number,
  statements: readonly Statement[],
  guard: Statement,
): WritePlan<ImportReceipt> {
  return {
    guard,
    statements: [...statements, sessionById(id)],
    result: (results: readonly (readonly Row[])[]) => ({
      session: sessionOf(asSessionRow(results.at(-1)?.[0]) as SessionRow, parts.onDamage),
      outcome,
      added,
    }),
  }
}

/** What the session had used before it came here: one row of the ledger, so that totals add up. */
function carriedForward({ db }: StoreParts, id: string, usage: TokenUsage, at: number): Statement[] {
  if (Object.values(usage).every((value) => value === undefined || value === 0)) return []
  const {
    input = null,
    output = null,
    total = null,
    cacheRead = null,
    cacheWrite = null,
    cost = null,
  } = usage
  return [
    db
      .insertInto('usage_events')
      .values({
        session_id: id,
        message_id: null,
        at,
        provider: null,
        model: null,
        input,
        output,
        total,
        cache_read: cacheRead,
        cache_write: cacheWrite,
        cost,
        kind: 'carried_forward',
      })
      .compile(),
  ]
}

const ofSource = 's.source_session_id = ? AND s.source_agent = ? AND s.owner_id = ?'

function sourceMatch(agent: string, sessionId: string, ownerId: string): Statement {
  return {
    sql: `SELECT ${sessionSelect} FROM sessions s WHERE ${ofSource}`,
    parameters: [sessionId, agent, ownerId],
  }
}

/** The stored messages, unless the digests say that nothing has changed. */
function sourceMessages(agent: string, sessionId: string, ownerId: string, digest: string): Statement {
  return {
    sql: `SELECT ${messageSelect} FROM sessions s CROSS JOIN messages m ON m.session_id = s.id
WHERE ${ofSource} AND s.source_digest IS NOT ? ORDER BY m.seq`,
    parameters: [sessionId, agent, ownerId, digest],
  }
}
