// The ledger of what calls of models cost.

import type { TokenUsage } from '@sess/core'
import type { UsageEvent } from '@sess/core/adapter'
import type { Kysely } from 'kysely'
import type { Statement } from './engine.ts'
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
      input: event.input ?? null,
      output: event.output ?? null,
      total: event.total ?? null,
      cache_read: event.cacheRead ?? null,
      cache_write: event.cacheWrite ?? null,
      cost: event.cost ?? null,
      kind: event.kind ?? null,
    })
    .compile()
}

/** What an imported session had used before it came here: one row, so that totals add up. None where it was nothing. */
export function carriedForward(db: Kysely<Database>, id: string, usage: TokenUsage, at: number): Statement[] {
  if (Object.values(usage).every((count) => count === undefined || count === 0)) return []
  return [insertUsage(db, id, { ...usage, at, kind: 'carried_forward' })]
}
