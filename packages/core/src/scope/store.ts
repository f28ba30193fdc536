// One owner's view of a store: the same port, in which what belongs to others does not exist. Every method that names a
// session or a thread looks first whose it is; an owner never changes, so looking first is enough.

import { StoreError, unsupported } from '../errors.ts'
import { check } from '../input/check.ts'
import { ownerIdSchema } from '../input/schemas.ts'
import type { ChangeFeed, SessionChange } from '../port/changes.ts'
import type { Maintenance } from '../port/maintenance.ts'
import type { MessageSearch, SearchPage, SearchQuery } from '../port/search.ts'
import type { SessionStore, StoreScope } from '../port/store.ts'
import { scopeMessages } from './messages.ts'
import { type OwnerOf, Ownership } from './ownership.ts'
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
    const ownerOf = (operation: string) => new Ownership(parts, ownerId, operation)
    return {
      sessions: scopeSessions(parts, ownerId, ownerOf),
      messages: scopeMessages(parts, ownerId, ownerOf),
      threads: scopeThreads(parts, ownerId, ownerOf),
    }
  }
  const ownerOf = (operation: string) => new Ownership(store, ownerId, operation)
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
    search: scopeSearch(store.search, ownerId, ownerOf),
    changes: scopeChanges(store.changes, ownerId),
    maintenance: scopeMaintenance(store, ownerId, ownerOf),
    transact: (work) => store.transact((parts) => work(scopeOf(parts))),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function scopeSearch(search: MessageSearch, ownerId: string, ownerOf: OwnerOf): MessageSearch {
  const own = async <T>(
    name: keyof MessageSearch,
    query: SearchQuery,
    work: (query: SearchQuery) => Promise<SearchPage<T>>,
  ): Promise<SearchPage<T>> => {
    if (query.ownerId !== undefined && query.ownerId !== ownerId) return { items: [] }
    const { threadId } = query
    const isForeign =
      typeof threadId === 'string' && (await ownerOf(`search.${name}`).isOthersThread(threadId))
    const page = await work({ ...query, ownerId })
    return isForeign ? { items: [] } : page
  }
  return {
    messages: (query) => own('messages', query, (owned) => search.messages(owned)),
    sessions: (query) => own('sessions', query, (owned) => search.sessions(owned)),
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

function scopeMaintenance(
  { maintenance, backend }: SessionStore,
  ownerId: string,
  ownerOf: OwnerOf,
): Maintenance {
  const refuse = (name: string) => async (): Promise<never> => {
    throw unsupported(`maintenance.${name}`, `scoped ${backend}`)
  }
  return {
    async stats(options = {}) {
      ownerOf('maintenance.stats').assertNoOther(options.ownerId, 'options')
      return maintenance.stats({ ...options, ownerId })
    },
    async prune(rule) {
      ownerOf('maintenance.prune').assertNoOther(rule.ownerId, 'rule')
      return maintenance.prune({ ...rule, ownerId })
    },
    check: refuse('check'),
    optimize: refuse('optimize'),
    vacuum: refuse('vacuum'),
    reindex: refuse('reindex'),
    backup: refuse('backup'),
  }
}
