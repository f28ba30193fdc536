// What a deliberately wrong store is made of: one thing done wrong over a right one, and the specs that must notice.

import type { SessionStore, StoreOptions } from '@sess/core'

export interface BrokenStore {
  /** What it does wrong. */
  readonly name: string
  /** Specs that must fail; others may. */
  readonly fails: readonly string[]
  wrap(store: SessionStore, options: StoreOptions): SessionStore
}

/** A store with some methods done otherwise. */
export function replace(
  store: SessionStore,
  parts: {
    readonly sessions?: Partial<SessionStore['sessions']>
    readonly messages?: Partial<SessionStore['messages']>
    readonly threads?: Partial<SessionStore['threads']>
    readonly search?: Partial<SessionStore['search']>
    readonly changes?: Partial<SessionStore['changes']>
  },
): SessionStore {
  return {
    ...store,
    sessions: { ...store.sessions, ...parts.sessions },
    messages: { ...store.messages, ...parts.messages },
    threads: { ...store.threads, ...parts.threads },
    search: { ...store.search, ...parts.search },
    changes: { ...store.changes, ...parts.changes },
  }
}
