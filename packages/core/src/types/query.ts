// Pages, and what a list of sessions can be asked for.

import type { SessionType } from './session.ts'

/** One page; `nextCursor` is absent on the last one. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor?: string
}

export interface PageRequest {
  /** 1 to 1000, default 50; anything else is `invalid`. */
  readonly limit?: number
  /** A cursor of the same query; another query's, or a damaged one, is `invalid-cursor`. */
  readonly cursor?: string
}

/** All given conditions must hold. Absent `archived` and `deleted` mean false. */
export interface SessionFilter {
  /** Absent: the types a plain list shows. */
  readonly types?: readonly SessionType[] | 'all'
  readonly ownerId?: string
  readonly workingDir?: string
  readonly channelType?: string
  readonly channelKey?: string
  /** Children of this session; sub_agent sessions show here without being asked for by type. */
  readonly parentSessionId?: string
  /** What rewinds of this session took away; hidden sessions show here without being asked for by type. */
  readonly branchOf?: string
  readonly sourceAgent?: string
  readonly sourceSessionId?: string
  readonly threadId?: string
  /** All of them must be there. */
  readonly tags?: readonly string[]
  /** Top-level keys compared for equality; null: the key is there and null. */
  readonly metadata?: { readonly [key: string]: string | number | boolean | null }
  readonly archived?: boolean | 'any'
  readonly deleted?: boolean | 'any'
  readonly pinned?: boolean
  readonly idPrefix?: string
  /** Looks in the name, folded as search folds. */
  readonly nameContains?: string
  /** Epoch milliseconds, included; applies to the time the list sorts by. */
  readonly since?: number
  /** Epoch milliseconds, excluded. */
  readonly until?: number
  readonly withMessages?: boolean
}

export interface SessionQuery extends SessionFilter, PageRequest {
  /** By last activity (default) or by creation; ties by order of creation in this store. */
  readonly sort?: 'active' | 'created'
  /** Newest first (default) or oldest first. */
  readonly order?: 'desc' | 'asc'
  readonly pinnedFirst?: boolean
}
