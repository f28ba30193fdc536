// The part of the port that keeps a store healthy.

import type { TokenUsage } from '../types/message.ts'
import type { SessionType } from '../types/session.ts'

export type MaintenanceTask = 'check' | 'optimize' | 'vacuum' | 'reindex' | 'backup' | 'prune'

export interface StoreStats {
  readonly sessions: number
  readonly messages: number
  readonly bytes?: number
  /** Epoch milliseconds. */
  readonly oldest?: number
  readonly newest?: number
  readonly tokens: TokenUsage
  readonly groups: readonly {
    readonly key: { readonly [by: string]: string }
    readonly sessions: number
    readonly messages: number
    readonly tokens: TokenUsage
  }[]
}

export interface CheckReport {
  readonly ok: boolean
  readonly problems: readonly {
    readonly kind: string
    readonly detail: string
    readonly sessionId?: string
    readonly seq?: number
    readonly repaired: boolean
  }[]
}

export interface Maintenance {
  stats(options?: {
    readonly by?: readonly ('type' | 'channel' | 'owner' | 'provider' | 'model' | 'day')[]
    readonly ownerId?: string
    readonly since?: number
    readonly until?: number
  }): Promise<StoreStats>
  /** Looks for damage; `repair` recomputes only what is derived. */
  check(options?: { readonly deep?: boolean; readonly repair?: boolean }): Promise<CheckReport>
  optimize(): Promise<void>
  vacuum(): Promise<{ readonly bytesBefore: number; readonly bytesAfter: number }>
  reindex(onProgress?: (done: number, total: number) => void): Promise<void>
  /** A consistent copy, also while others write. Copying a live file by hand is not one. */
  backup(target: string): Promise<void>
  /** Purges sessions that meet all of the rule. Only says what it would do unless `dryRun` is false. */
  prune(rule: {
    /** Milliseconds without activity; with `trashed`, in the trash that long. */
    readonly olderThan?: number
    readonly keep?: number
    readonly types?: readonly SessionType[]
    readonly ownerId?: string
    readonly empty?: boolean
    readonly trashed?: boolean
    readonly dryRun?: boolean
  }): Promise<{ readonly sessions: number; readonly messages: number; readonly bytes?: number }>
}
