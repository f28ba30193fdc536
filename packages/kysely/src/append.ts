// Append over SQL, the hot path: one read of a session's numbers, then one batch.

import type { AppendReceipt } from '@sess/core'
import { limits } from '@sess/core'
import {
  type AppendPlan,
  type AppendState,
  assertIntact,
  type ColumnKinds,
  type MessageRecord,
  type PreparedAppend,
  planAppend,
} from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { Results, Statement, WriteUnit } from './engine.ts'
import { nextChange } from './sql/columns.ts'
import { answerUnchanged, sessionAbsent, sessionUnchanged } from './sql/guards.ts'
import { messagesByIds, messagesOfOperation } from './sql/message-reads.ts'
import { insertMessages } from './sql/message-writes.ts'
import { insertSession } from './sql/session-writes.ts'

const sessionNumbers =
  'SELECT version AS "version", next_seq AS "nextSeq", last_active_at AS "lastActiveAt", deleted_at AS "deletedAt", ' +
  'message_count AS "messageCount" FROM sessions WHERE id = ?'

const advance =
  'UPDATE sessions SET version = ?, next_seq = ?, message_count = message_count + ?, ' +
  'last_active_at = max(last_active_at, ?), updated_at = ?, preview = coalesce(?, preview), ' +
  `change_seq = ${nextChange} WHERE id = ?`

const operationById =
  'SELECT operation_id AS "operationId", digest AS "digest", version AS "version", first_seq AS "firstSeq", last_seq AS "lastSeq" ' +
  'FROM operations WHERE session_id = ? AND operation_id = ?'

interface SessionNumbers {
  readonly version: number
  readonly nextSeq: number
  readonly lastActiveAt: number
  readonly deletedAt: number | null
  /** Added to by the statement; only looked at. */
  readonly messageCount: number
}

const numberKinds: ColumnKinds<SessionNumbers> = {
  version: 'integer',
  nextSeq: 'integer',
  lastActiveAt: 'integer',
  deletedAt: 'integer?',
  messageCount: 'integer',
}

/** What an append reads and writes. */
export function appendUnit(parts: StoreParts, id: string, append: PreparedAppend): WriteUnit<AppendReceipt> {
  const now = parts.now()
  const ids = append.messages.flatMap((message) => message.id ?? [])
  const { operationId } = append
  const reads: Statement[] = [{ sql: sessionNumbers, parameters: [id] }]
  if (ids.length > 0) reads.push(messagesByIds(id, ids))
  reads.push(...operationReads(id, operationId))
  return {
    reads,
    plan: (results) => {
      const rest = [...results]
      const session = rest.shift()?.[0] as unknown as SessionNumbers | undefined
      if (session !== undefined) assertIntact('sessions', id, session, numberKinds)
      const stored = (ids.length > 0 ? rest.shift() : []) as unknown as readonly MessageRecord[]
      const operation = readOperation(rest)
      const plan = planAppend(
        { session, stored, operation },
        {
          sessionId: id,
          messages: append.messages,
          createSession: append.createSession,
          expectedVersion: append.expectedVersion,
          digest: append.digest,
          now,
          newId: parts.ids.message,
        },
      )
      return {
        guards: [
          session === undefined ? sessionAbsent(id) : sessionUnchanged(id, session.version),
          ...operationUnchanged(id, operationId, operation),
        ],
        statements: appendStatements(parts, id, append, plan, now),
        result: () => plan.receipt,
      }
    },
  }
}

function appendStatements(
  { db }: StoreParts,
  id: string,
  append: PreparedAppend,
  { write, receipt, remember }: AppendPlan,
  now: number,
): readonly Statement[] {
  const operation = remember ? rememberOperation(id, append, receipt) : []
  if (write === undefined) return operation
  const { rows, version, nextSeq, lastActiveAt, preview } = write
  const { createSession } = append
  if (write.create && createSession) {
    const fields = { nextSeq, messageCount: rows.length, lastActiveAt, preview: preview ?? '' }
    return [...insertSession(db, id, createSession, now, fields), ...insertMessages(id, rows), ...operation]
  }
  const parameters = [version, nextSeq, rows.length, lastActiveAt, now, preview ?? null, id]
  return [...insertMessages(id, rows), { sql: advance, parameters }, ...operation]
}

/** Keeps the operation for the session's next 256 versions. */
export function rememberOperation(
  id: string,
  { operationId = '', digest = '' }: Pick<PreparedAppend, 'operationId' | 'digest'>,
  { version, firstSeq = null, lastSeq = null }: Nullable<AppendReceipt>,
): Statement[] {
  return [
    {
      sql: 'INSERT OR REPLACE INTO operations (session_id, operation_id, digest, version, first_seq, last_seq) VALUES (?, ?, ?, ?, ?, ?)',
      parameters: [id, operationId, digest, version, firstSeq, lastSeq],
    },
    {
      sql: 'DELETE FROM operations WHERE session_id = ? AND version < ?',
      parameters: [id, (version ?? 0) - limits.operationVersions],
    },
  ]
}

type Nullable<T> = { readonly [key in keyof T]: T[key] | null }

/** What is read of an operation id; {@link readOperation} takes the answers. */
export function operationReads(id: string, operationId: string | undefined): Statement[] {
  if (operationId === undefined) return []
  return [{ sql: operationById, parameters: [id, operationId] }, messagesOfOperation(id, operationId)]
}

/** Nobody has used the operation id meanwhile; an operation that writes nothing else changes no version. */
export function operationUnchanged(
  id: string,
  operationId: string | undefined,
  operation: AppendState['operation'],
): Statement[] {
  if (operationId === undefined) return []
  const version = 'SELECT version FROM operations WHERE session_id = ? AND operation_id = ?'
  return [answerUnchanged({ sql: version, parameters: [id, operationId] }, operation?.version ?? null)]
}

export function readOperation([rows, messages]: Results): AppendState['operation'] {
  const row = rows?.[0]
  if (row === undefined) return undefined
  const operation = row as unknown as NonNullable<AppendState['operation']> & { readonly operationId: string }
  const { operationId, digest, version, firstSeq, lastSeq } = operation
  assertIntact('operations', operationId, operation, {
    digest: 'text',
    version: 'integer',
    firstSeq: 'integer?',
    lastSeq: 'integer?',
  })
  return {
    digest,
    version,
    firstSeq,
    lastSeq,
    messages: (messages ?? []) as unknown as readonly MessageRecord[],
  }
}
