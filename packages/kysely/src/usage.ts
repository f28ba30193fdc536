// The ledger of what calls of models cost.

import type { TokenUsage } from '@sess/core'
import type { UsageEvent } from '@sess/core/adapter'
import type { Kysely } from 'kysely'
import type { Row, Statement } from './engine.ts'
import type { Database } from './schema/tables.ts'

/** One row of the ledger. */
export function insertUsage(
  db: Kysely<Database>,
  id: string,
  event: UsageEvent & { readonly at: number },
): Statement {
  return db
    .insertInto('usage_events')
    .values({
      session_id: id,
      message_id: event.messageId ?? null,
      at: event.at,
      provider: event.provider ?? null,
      model: event.model ?? null,
      ...countColumns(event),
      kind: event.kind ?? null,
    })
    .compile()
}

/** The select list of what {@link carriedIn} reads, over `usage_events AS u`. */
export const usageSelect: string = `u.row_id AS "rowId", u.input AS "input", u.output AS "output", u.total AS "total",
u.cache_read AS "cacheRead", u.cache_write AS "cacheWrite", u.cost AS "cost"`

/** The ledger's row of what an imported session had used before it came here. */
export interface CarriedRow {
  readonly rowId: number
  readonly usage: TokenUsage
}

/** What is no number in it counts as nothing. */
export function carriedIn(rows: readonly Row[] = []): CarriedRow | undefined {
  const row = rows[0] as ({ readonly rowId: number } & Record<string, unknown>) | undefined
  if (row === undefined) return undefined
  const { rowId, ...counts } = row
  const numbers = Object.entries(counts).filter(([, count]) => Number.isFinite(count))
  return { rowId, usage: Object.fromEntries(numbers) }
}

/** Writes what an imported session had used, so that totals add up: one row. None where it was nothing. */
export function carryForward(
  db: Kysely<Database>,
  id: string,
  usage: TokenUsage,
  at: number,
  before?: CarriedRow,
): Statement[] {
  if (before !== undefined) {
    const update = db.updateTable('usage_events').set(countColumns(usage)).where('row_id', '=', before.rowId)
    return [update.compile()]
  }
  if (Object.values(usage).every((count) => count === undefined || count === 0)) return []
  return [insertUsage(db, id, { ...usage, at, kind: 'carried_forward' })]
}

function countColumns(usage: TokenUsage) {
  return {
    input: usage.input ?? null,
    output: usage.output ?? null,
    total: usage.total ?? null,
    cache_read: usage.cacheRead ?? null,
    cache_write: usage.cacheWrite ?? null,
    cost: usage.cost ?? null,
  }
}
