// The change feed over SQL: one walk along two indexes, in the order of change numbers.

import type { ChangeFeed, SessionChange } from '@sess/core'
import {
  assertIntact,
  assertWithinFeed,
  type ColumnKinds,
  changeToken,
  corruptRow,
  planChanges,
  rowDamage,
} from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { Statement } from './engine.ts'
import { lastChange } from './sql/columns.ts'

interface ChangeRow {
  readonly sessionId: string
  readonly ownerId: string
  readonly changeSeq: number
  readonly version: number | null
  readonly lastSeq: number | null
}

const changeKinds: ColumnKinds<ChangeRow> = {
  sessionId: 'text',
  ownerId: 'text',
  changeSeq: 'integer',
  version: 'integer?',
  lastSeq: 'integer?',
}

/** The counter and the horizon: `counter`, `horizon`. */
export const feedBounds: Statement = {
  sql: `SELECT ${lastChange} AS "counter",
(SELECT value FROM schema_meta WHERE key = 'feed_horizon') AS "horizon"`,
  parameters: [],
}

/** The UNION ALL stands at the top: inside a sub-select SQLite may sort it. */
export function changesAfter(after: number, limit: number): Statement {
  return {
    sql: `SELECT id AS "sessionId", owner_id AS "ownerId", change_seq AS "changeSeq", version AS "version", next_seq - 1 AS "lastSeq"
FROM sessions WHERE change_seq > ? AND change_seq < ${2 ** 53 - 1}
UNION ALL SELECT session_id, owner_id, change_seq, NULL, NULL FROM session_tombstones WHERE change_seq > ? AND change_seq < ${2 ** 53 - 1}
ORDER BY change_seq LIMIT ?`,
    parameters: [after, after, limit],
  }
}

export function createChangeFeed({ engine, operations, onDamage }: StoreParts): ChangeFeed {
  return {
    since: (token, limit) =>
      operations.call(
        'changes.since',
        () => planChanges(token, limit),
        async (plan) => {
          const reads =
            plan.after === 'now' ? [feedBounds] : [feedBounds, changesAfter(plan.after, plan.limit)]
          const [bounds = [], rows = []] = await engine.read(reads)
          const { counter, horizon } = bounds[0] as {
            readonly counter: number
            readonly horizon: number | null
          }
          assertIntact('schema_meta', 'feed_horizon', { value: horizon ?? 0 }, { value: 'integer' })
          if (plan.after !== 'now') assertWithinFeed(plan.after, horizon ?? 0, counter)
          const found = rows as unknown as readonly ChangeRow[]
          const changes = found.flatMap((row) => {
            const damage = rowDamage(row, changeKinds)
            if (damage === undefined) return [toChange(row)]
            onDamage(corruptRow('sessions', row.sessionId, damage).message)
            return []
          })
          return { changes, token: changeToken(Math.trunc(found.at(-1)?.changeSeq ?? counter)) }
        },
      ),
  }
}

function toChange({ sessionId, ownerId, changeSeq, version, lastSeq }: ChangeRow): SessionChange {
  if (version === null || lastSeq === null) return { sessionId, ownerId, changeSeq, removed: true }
  return { sessionId, ownerId, changeSeq, removed: false, version, lastSeq }
}
