// Forks and rewinds over SQL: rows are copied or moved inside the database.

import type { ForkOptions, Session, SessionRecords } from '@sess/core'
import { StoreError } from '@sess/core'
import { branchOf, contextFields, contextOf, contextWithout, forkOf, seqOf } from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { Results, WriteUnit } from './engine.ts'
import { liveRow, newSessionId, sessionIn } from './session-rows.ts'
import { asSessionRow, sessionById, tagsOf } from './sql/columns.ts'
import { rowUnchanged, sessionAbsent } from './sql/guards.ts'
import {
  boundOf,
  countOf,
  newestPreview,
  not,
  readCount,
  readPreview,
  readSummaries,
  seqOfMessage,
  summariesWith,
} from './sql/history.ts'
import { insertSession, toColumns, updateSession } from './sql/session-writes.ts'

export function forkUnit(parts: StoreParts, sourceId: string, options: ForkOptions): WriteUnit<Session> {
  const now = parts.now()
  const { atMessageId, atSeq = Number.MAX_SAFE_INTEGER } = options
  const bound = boundOf(sourceId, atMessageId ?? atSeq)
  const stays = { sql: `m.seq <= ${bound.sql}`, parameters: bound.parameters }
  const { read, idFrom } = newSessionId(parts, options.id, now)
  return {
    reads: [
      sessionById(sourceId),
      read,
      countOf(sourceId, stays),
      summariesWith(sourceId, not(stays)),
      newestPreview(sourceId, stays),
      ...(atMessageId === undefined ? [] : [seqOfMessage(sourceId, atMessageId)]),
    ],
    plan: ([sourceRows, idRows, countRows, summaryRows, previewRows, namedRows]) => {
      const source = asSessionRow(sourceRows?.[0])
      if (source === undefined) throw new StoreError('not-found', `there is no session "${sourceId}"`)
      const last = source.nextSeq - 1
      const at =
        atMessageId === undefined ? Math.min(atSeq, last) : seqOf(sourceId, atMessageId, seqIn(namedRows))
      const id = idFrom(idRows)
      const { summaries, survives } = readSummaries(summaryRows)
      const context = contextWithout(contextOf(source), summaries, survives)
      const fork = forkOf(source, tagsOf(source, parts.onDamage), options, parts.locale)
      const fields = {
        forkedFromSessionId: sourceId,
        forkedFromSeq: at,
        messageCount: readCount(countRows),
        nextSeq: at + 1,
        preview: readPreview(previewRows).preview,
        ...contextFields({ ...context, startSeq: Math.min(context.startSeq, at + 1) }),
      }
      return {
        guards: [sessionAbsent(id), rowUnchanged(sourceId, source.changeSeq)],
        statements: [
          ...insertSession(parts.db, id, fork, now, fields),
          { sql: copyRows, parameters: [id, id, sourceId, at] },
          sessionById(id),
        ],
        result: (results) => sessionIn(parts, results.at(-1)),
      }
    },
  }
}

const copied = 'role, created_at, turn_part, metadata_json, text_json, content_json'
const copyRows =
  `INSERT INTO messages (message_id, session_id, seq, ${copied}) ` +
  `SELECT ? || ':' || seq, ?, seq, ${copied} FROM messages WHERE session_id = ? AND seq <= ? ORDER BY seq`

export function rewindUnit(
  parts: StoreParts,
  id: string,
  { toMessageId, toSeq = 0 }: Parameters<SessionRecords['rewind']>[1],
): WriteUnit<{ readonly session: Session; readonly branch?: Session }> {
  const now = parts.now()
  const bound = boundOf(id, toMessageId ?? toSeq)
  const moves = { sql: `m.seq > ${bound.sql}`, parameters: bound.parameters }
  const { read, idFrom } = newSessionId(parts, undefined, now)
  return {
    reads: [
      sessionById(id),
      read,
      countOf(id, moves),
      summariesWith(id, moves),
      newestPreview(id, not(moves)),
      newestPreview(id, moves),
      ...(toMessageId === undefined ? [] : [seqOfMessage(id, toMessageId)]),
    ],
    plan: ([sourceRows, idRows, countRows, summaryRows, previewRows, movedPreview, namedRows]: Results) => {
      const source = liveRow(id, sourceRows?.[0])
      const to = toMessageId === undefined ? toSeq : seqOf(id, toMessageId, seqIn(namedRows))
      const count = readCount(countRows)
      if (count === 0) return { statements: [], result: () => ({ session: sessionIn(parts, sourceRows) }) }
      const branchId = idFrom(idRows)
      const { summaries, survives } = readSummaries(summaryRows)
      const before = contextOf(source)
      const branchFields = {
        branchOf: id,
        messageCount: count,
        nextSeq: source.nextSeq,
        preview: readPreview(movedPreview).preview,
        ...contextFields(contextWithout(before, summaries, (seq) => !survives(seq))),
      }
      const fields = {
        messageCount: source.messageCount - count,
        preview: readPreview(previewRows).preview,
        version: source.version + 1,
        ...contextFields(contextWithout(before, summaries, survives)),
      }
      return {
        guards: [sessionAbsent(branchId), rowUnchanged(id, source.changeSeq)],
        statements: [
          ...insertSession(
            parts.db,
            branchId,
            branchOf(source, tagsOf(source, parts.onDamage)),
            now,
            branchFields,
          ),
          {
            sql: 'UPDATE messages SET session_id = ? WHERE session_id = ? AND seq > ?',
            parameters: [branchId, id, to],
          },
          updateSession(parts.db, id, toColumns(fields), now),
          sessionById(id),
          sessionById(branchId),
        ],
        result: (results) => ({
          session: sessionIn(parts, results.at(-2)),
          branch: sessionIn(parts, results.at(-1)),
        }),
      }
    },
  }
}

function seqIn(rows: Results[number] = []): number | undefined {
  return (rows[0] as { readonly seq: number } | undefined)?.seq
}
