// Remembers what each method of a store was called with, so that a report can say it. Its one trap: specs look closely
// at a store, so every call goes through as it came and answers the very promise that the store answered.

import { inspect } from 'node:util'
import type { SessionStore, StoreScope } from '@sess/core'

const calls = new WeakMap<object, string>()

/** The store, whose calls {@link callOf} can tell. */
export function traced(store: SessionStore): SessionStore {
  return tracedParts(store, {
    transact: (work) => store.transact(typeof work === 'function' ? (parts) => work(tracedParts(parts)) : work),
  })
}

/** `sessions.get('s')`: the call that answered a promise, where a traced store did. */
export function callOf(promise: unknown): string | undefined {
  return typeof promise === 'object' && promise !== null ? calls.get(promise) : undefined
}
