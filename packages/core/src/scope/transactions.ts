// The writes of one owner's view, each in a transaction with the look whose the session is. Creating needs none: a taken
// id is `already-exists` whoever has it.

import type { SessionStore, StoreScope } from '../port/store.ts'
import { Ownership } from './ownership.ts'

const writes = {
  sessions: ['update', 'addUsage', 'resetContext', 'fork', 'rewind', 'remove', 'undelete'],
  messages: ['append', 'update', 'remove', 'replace', 'compact', 'truncate', 'clear'],
  threads: ['update', 'remove', 'attach', 'detach'],
} as const satisfies { readonly [part in keyof StoreScope]: readonly (keyof StoreScope[part])[] }

/** The view's parts over the whole store: reads as they are, each write in a transaction of its own. */
export function inTransactions(
  store: SessionStore,
  ownerId: string,
  scopeOf: (parts: StoreScope) => StoreScope,
): StoreScope {
  const scope = scopeOf(store)
  const part = <Part extends keyof StoreScope>(name: Part): StoreScope[Part] => ({
    ...scope[name],
    ...Object.fromEntries(
      writes[name].map((method) => [
        method,
        (...given: readonly unknown[]) =>
          new Ownership(store, ownerId, `${name}.${method}`).as(() =>
            store.transact(
              (parts) => methodsOf(scopeOf(parts)[name])[method]?.(...given) as Promise<unknown>,
            ),
          ),
      ]),
    ),
  })
  return { sessions: part('sessions'), messages: part('messages'), threads: part('threads') }
}

type Methods = { readonly [name: string]: (...given: readonly unknown[]) => unknown }

const methodsOf = (part: StoreScope[keyof StoreScope]) => part as unknown as Methods
