// A rule of the store contract as data: an id that never changes, a sentence, what it needs, and how to prove it. Specs
// know no test runner; they assert with node:assert and are given everything they touch.

import type { SessionStore, StoreOptions } from '@sess/core'
import type { TestClock } from './clock.ts'
import type { DamageTarget } from './harness.ts'
import type { PortMethod } from './methods.ts'
import type { Tier } from './tiers.ts'

/** The parts of the contract; each has the prefix of its specs' ids. */
export type SpecGroup =
  | 'sessions'
  | 'lists'
  | 'messages'
  | 'turns'
  | 'import'
  | 'values'
  | 'forks'
  | 'edits'
  | 'contexts'
  | 'usage'
  | 'current'
  | 'threads'
  | 'changes'
  | 'transactions'
  | 'search'
  | 'errors'
  | 'lifecycle'

/** What a {@link StoreHandle} may have beside its store. */
export type HandleFeature = 'reopen' | 'peer' | 'damage'

/** One rule of the contract. */
export interface Spec {
  /** 'SES-01': stands in test names and reports, never changes, is never given to another rule. */
  readonly id: string
  readonly group: SpecGroup
  /** A sentence about behaviour. */
  readonly title: string
  /** Methods it calls beside `sessions.create`, `sessions.get`, `messages.append` and `messages.read`. */
  readonly needs?: readonly PortMethod[]
  readonly needsHandle?: readonly HandleFeature[]
  /** The least `capabilities.maxMessageBytes` it can be shown with. */
  readonly needsMessageBytes?: number
  /** Options of the store beside clock and ids. */
  readonly options?: StoreOptions
  /** Rejects where the store breaks the rule. */
  run(context: SpecContext): Promise<void>
}

/** A rule in the list of all. */
export interface StoreSpec extends Spec {
  /** That of the methods it needs. */
  readonly tier: Tier
}

/** What a spec works with. */
export interface SpecContext {
  /** New and empty. */
  readonly store: SessionStore
  readonly clock: TestClock
  /** Closes the store and opens its data anew; needs 'reopen'. */
  reopen(): Promise<SessionStore>
  /** A second handle on the same data; needs 'peer'. */
  peer(): Promise<SessionStore>
  /** Makes one message unreadable; needs 'damage'. */
  damage(target: DamageTarget): Promise<void>
  /** One more new and empty store, of the same options. */
  another(): Promise<SessionStore>
}
