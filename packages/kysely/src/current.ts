// The session a chat of a channel talks to, over SQL. Looking takes no lock; only where one is to be made is it looked for
// once more, in the transaction that makes it, so that two callers get the same.

import type { Session } from '@sess/core'
import { type CurrentPlan, isServing, type PreparedSession } from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { Statement, WriteUnit } from './engine.ts'
import { newSessionId, sessionIn } from './session-rows.ts'
import { asSessionRow, sessionById, sessionSelect } from './sql/columns.ts'
import { answerUnchanged, sessionAbsent } from './sql/guards.ts'
import { insertSession } from './sql/session-writes.ts'

const latest = `FROM sessions s WHERE s.channel_type = ? AND s.channel_key = ? AND s.owner_id = ?
AND s.archived_at IS NULL AND s.deleted_at IS NULL AND s.session_type NOT IN ('hidden', 'sub_agent')
ORDER BY s.last_active_at DESC, s.row_id DESC LIMIT 1`

/** The session that serves, or one that is made where `create` is given. */
export async function currentSession(parts: StoreParts, plan: CurrentPlan): Promise<Session | undefined> {
  const [rows] = await parts.engine.read([latestOf(plan)])
  const row = asSessionRow(rows?.[0])
  if (row !== undefined && isServing(plan, row.lastActiveAt, parts.now())) return sessionIn(parts, rows)
  return plan.create && parts.engine.write(currentUnit(parts, plan, plan.create))
}

function latestOf({ channelType, channelKey, ownerId }: CurrentPlan): Statement {
  return { sql: `SELECT ${sessionSelect} ${latest}`, parameters: [channelType, channelKey, ownerId] }
}

function currentUnit(parts: StoreParts, plan: CurrentPlan, create: PreparedSession): WriteUnit<Session> {
  const now = parts.now()
  const { read, idFrom } = newSessionId(parts, create.id, now)
  return {
    reads: [latestOf(plan), read],
    plan: ([rows, idRows]) => {
      const row = asSessionRow(rows?.[0])
      if (row !== undefined && isServing(plan, row.lastActiveAt, now)) {
        return { statements: [], result: () => sessionIn(parts, rows) }
      }
      const id = idFrom(idRows)
      return {
        guards: [
          sessionAbsent(id),
          answerUnchanged(
            { sql: `SELECT s.change_seq ${latest}`, parameters: latestOf(plan).parameters },
            row?.changeSeq ?? null,
          ),
        ],
        statements: [...insertSession(parts.db, id, create, now, {}), sessionById(id)],
        result: (results) => sessionIn(parts, results.at(-1)),
      }
    },
  }
}
