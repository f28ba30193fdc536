// One owner's view of a store: the same port, in which what belongs to others does not exist. Every method that names a
// session or a thread looks first whose it is; an owner never changes, so looking first is enough.

import { StoreError, unsupported } from '../errors.ts'
import { check } from '../input/check.ts'
import { ownerIdSchema } from '../input/schemas.ts'
import type { ChangeFeed, SessionChange } from '../port/changes.ts'
import type { Maintenance } from '../port/maintenance.ts'
import type { MessageSearch } from '../port/search.ts'
import type { SessionStore, StoreScope } from '../port/store.ts'
import { scopeMessages } from './messages.ts'
import { Ownership } from './ownership.ts'
import { scopeSessions } from './sessions.ts'
import { scopeThreads } from './threads.ts'

const wholeStoreTasks = ['check', 'optimize', 'vacuum', 'reindex', 'backup'] as const

/**
 * The store as one owner has it: other owners' sessions, threads, changes and removals do not exist. Only a taken id
 * shows, as `already-exists`. `close` does nothing: the store stays open for the others.
 *
 * @throws {StoreError} invalid an owner that is empty or no id
 */
export function scopeStore(store: SessionStore, { ownerId }: { readonly ownerId: string }): SessionStore {
  check(ownerIdSchema, ownerId, 'ownerId')
  if (ownerId === '') throw new StoreError('invalid', 'ownerId: must not be empty')
  const scopeOf = (parts: StoreScope): StoreScope => {
    const owner = new Ownership(parts, ownerId)
    return {
      sessions: scopeSessions(parts, owner),
      messages: scopeMessages(parts, owner),
      threads: scopeThreads(parts, owner),
    }
  }
  const close = async () => {}
  return {
    backend: store.backend,
    capabilities: {
      ...store.capabilities,
      maintenance: store.capabilities.maintenance.filter((task) => task === 'prune'),
      missing: [
        ...new Set([...store.capabilities.missing, ...wholeStoreTasks.map((name) => `maintenance.${name}`)]),
      ],
    },
    ...scopeOf(store),
    search: scopeSearch(store.search, ownerId),
    changes: scopeChanges(store.changes, ownerId),
    maintenance: scopeMaintenance(store, ownerId),
    transact: (work) => store.transact((parts) => work(scopeOf(parts))),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function scopeSearch(search: MessageSearch, ownerId: string): MessageSearch {
  return {
    messages: (query) => search.messages({ ...query, ownerId }),
    sessions: (query) => search.sessions({ ...query, ownerId }),
  }
}

/** Goes on until there is something of this owner's, so that an empty answer means the end, as everywhere. */
function scopeChanges(changes: ChangeFeed, ownerId: string): ChangeFeed {
  return {
    async since(token, limit) {
      let next = token
      for (;;) {
        const page = await changes.since(next, limit)
        const own = page.changes.filter((change: SessionChange) => change.ownerId === ownerId)
        if (own.length > 0 || page.changes.length === 0) return { changes: own, token: page.token }
        next = page.token
      }
    },
  }
}

function scopeMaintenance({ maintenance, backend }: SessionStore, ownerId: string): Maintenance {
  const refuse = (name: string) => async (): Promise<never> => {
    throw unsupported(`maintenance.${name}`, `scoped ${backend}`)
  }
  return {
    stats: (options) => maintenance.stats({ ...options, ownerId }),
    prune: (rule) => maintenance.prune({ ...rule, ownerId }),
    check: refuse('check'),
    optimize: refuse('optimize'),
    vacuum: refuse('vacuum'),
    reindex: refuse('reindex'),
    backup: refuse('backup'),
  }
}
