// The session a chat of a channel talks to, over SQL: found or made in one transaction, so two callers get the same.

import type { Session } from '@sess/core'
import { type CurrentPlan, isServing } from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { WriteUnit } from './engine.ts'
import { newSessionId, sessionIn } from './session-rows.ts'
import { asSessionRow, sessionById, sessionSelect } from './sql/columns.ts'
import { answerUnchanged, sessionAbsent } from './sql/guards.ts'
import { insertSession } from './sql/session-writes.ts'

const latest = `FROM sessions s WHERE s.channel_type = ? AND s.channel_key = ? AND s.owner_id = ?
AND s.archived_at IS NULL AND s.deleted_at IS NULL AND s.session_type NOT IN ('hidden', 'sub_agent')
ORDER BY s.last_active_at DESC, s.row_id DESC LIMIT 1`

export function currentUnit(parts: StoreParts, plan: CurrentPlan): WriteUnit<Session | undefined> {
  const now = parts.now()
  const key = [plan.channelType, plan.channelKey, plan.ownerId]
  const { read, idFrom } = newSessionId(parts, plan.create?.id, now)
  return {
    reads: [{ sql: `SELECT ${sessionSelect} ${latest}`, parameters: key }, read],
    plan: ([rows, idRows]) => {
      const row = asSessionRow(rows?.[0])
      if (row !== undefined && isServing(plan, row.lastActiveAt, now)) {
        return { statements: [], result: () => sessionIn(parts, rows) }
      }
      if (plan.create === undefined) return { statements: [], result: () => undefined }
      const id = idFrom(idRows)
      return {
        guards: [
          sessionAbsent(id),
          answerUnchanged({ sql: `SELECT s.change_seq ${latest}`, parameters: key }, row?.changeSeq ?? null),
        ],
        statements: [...insertSession(parts.db, id, plan.create, now, {}), sessionById(id)],
        result: (results) => sessionIn(parts, results.at(-1)),
      }
    },
  }
}
