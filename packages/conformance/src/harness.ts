// What a store's author hands to the suite. Each spec opens a store of its own, so a harness never has to clean one up
// for the next; what it must get right is that two stores share nothing and that `options` arrive as they are.

import type { SessionStore, StoreOptions } from '@sess/core'

/** Makes stores of one kind for the specs. */
export interface StoreHarness {
  /** Names the store in test titles: 'sqlite file', 'libsql over HTTP'. */
  readonly name: string
  /** Milliseconds a spec may take; the test runner's own limit unless given. */
  readonly timeout?: number
  /**
   * Opens a new, empty store that shares nothing with any other one, also none opened at the same time.
   *
   * `options` hold the spec's clock and id generator, and for some specs a time zone, a prefix or a locale: pass them on
   * untouched, also to what `reopen` and `peer` open. Everything else (paths, migrations, pragmas) is the harness's own.
   */
  open(options: StoreOptions): Promise<StoreHandle>
}

/** One open store, and what can be done to it from outside. A spec that needs what is absent is skipped. */
export interface StoreHandle {
  readonly store: SessionStore
  /**
   * Closes `store` (or what the last `reopen` gave) and opens the same data anew, as another process would after this one
   * ended: nothing may be carried over in memory. Leave it out where nothing outlives `close`.
   */
  reopen?(): Promise<SessionStore>
  /**
   * Opens one more handle on the same data, independent of `store`: own connection, own caches, own `close`. What one
   * writes, the other sees with its next call. Leave it out where the data has one handle only.
   */
  peer?(): Promise<SessionStore>
  /**
   * Makes the row of one message unreadable behind the store's back (its content is no JSON any more) and leaves the row,
   * its seq and its session where they are.
   */
  damage?(target: DamageTarget): Promise<void>
  /**
   * Closes whatever is still open, peers too, and lets go of files and servers. Called once, also after a failed spec;
   * the store may be closed already.
   */
  dispose(): Promise<void>
}

/** The message {@link StoreHandle.damage} makes unreadable. */
export interface DamageTarget {
  readonly sessionId: string
  readonly messageId: string
}
