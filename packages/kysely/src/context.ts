// What the parts of the store share.

import type { OnDamage, Operations, StoreContext } from '@sess/core/adapter'
import type { Kysely } from 'kysely'
import type { SqlRunner } from './engine.ts'
import type { Database } from './schema/tables.ts'

export interface StoreParts extends StoreContext {
  /** Compiles statements; what runs them is the engine. */
  readonly db: Kysely<Database>
  readonly engine: SqlRunner
  readonly operations: Operations
  readonly backend: string
  readonly maxMessageBytes: number
  readonly onDamage: OnDamage
  /** Indexes what is stored; inside a transaction nobody does. */
  readonly indexAll: () => Promise<void>
}
