// One owner's view of a store: the same port, in which what belongs to others does not exist. Every method that names a
// session or a thread looks whose it is: a write in the transaction of the write, a read before and after it, because an
// id may be another owner's a moment later (created, or purged and created).

import { z } from 'zod'
import { StoreError, unsupported } from '../errors.ts'
import { check } from '../input/check.ts'
import { ownerIdSchema } from '../input/schemas.ts'
import { limits } from '../limits.ts'
import type { ChangeFeed, SessionChange } from '../port/changes.ts'
import type { Maintenance } from '../port/maintenance.ts'
import type { MessageSearch, SearchPage, SearchQuery } from '../port/search.ts'
import type { SessionStore, StoreScope } from '../port/store.ts'
import { scopeMessages } from './messages.ts'
import { type OwnerOf, Ownership } from './ownership.ts'
import { scopeSessions } from './sessions.ts'
import { scopeThreads } from './threads.ts'
import { inTransactions } from './transactions.ts'

const optionsSchema = z.strictObject({ ownerId: ownerIdSchema })
/** How many changes of all owners are looked at together. */
const feedStep = 500
const wholeStoreTasks = ['check', 'optimize', 'vacuum', 'reindex', 'backup'] as const

/**
 * The store as one owner has it: other owners' sessions, threads, changes and removals do not exist. Only a taken id
 * shows, as `already-exists`. `close` does nothing: the store stays open for the others.
 *
 * A write looks whose the session is in one transaction with the write itself; on a store without transactions just
 * before it, so there ids that two owners could both choose should not be given by callers.
 *
 * @throws {StoreError} invalid an owner that is empty or no id
 */
export function scopeStore(store: SessionStore, options: { readonly ownerId: string }): SessionStore {
  const { ownerId } = check(optionsSchema, options, 'options')
  if (ownerId === '') throw new StoreError('invalid', 'options.ownerId: must not be empty')
  const scopeOf = (parts: StoreScope): StoreScope => {
    const ownerOf = (operation: string) => new Ownership(parts, ownerId, operation)
    return {
      sessions: scopeSessions(parts, ownerOf),
      messages: scopeMessages(parts, ownerOf),
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
    ...(store.capabilities.transactions === 'interactive'
      ? inTransactions(store, ownerId, scopeOf)
      : scopeOf(store)),
    search: scopeSearch(store.search, ownerOf),
    changes: scopeChanges(store.changes, ownerId),
    maintenance: scopeMaintenance(store, ownerOf),
    // What is no function is the store's to refuse.
    transact: (work) =>
      store.transact(typeof work === 'function' ? (parts) => work(scopeOf(parts)) : (work as never)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function scopeSearch(search: MessageSearch, ownerOf: OwnerOf): MessageSearch {
  const own = async <T>(
    name: keyof MessageSearch,
    query: SearchQuery,
    work: (query: SearchQuery) => Promise<SearchPage<T>>,
  ): Promise<SearchPage<T>> => {
    const owner = ownerOf(`search.${name}`)
    const own = owner.ownQuery(query)
    if (typeof own.threadId !== 'string') return work(own)
    return owner.readThread<SearchPage<T>>(own.threadId, { items: [] }, (threadId) =>
      work({ ...own, threadId }),
    )
  }
  return {
    messages: (query) => own('messages', query, (owned) => search.messages(owned)),
    sessions: (query) => own('sessions', query, (owned) => search.sessions(owned)),
  }
}

/** Goes on until there is something of this owner's, so that an empty answer means the end, as everywhere. */
function scopeChanges(changes: ChangeFeed, ownerId: string): ChangeFeed {
  return {
    async since(token, limit = limits.pageDefault) {
      const isOwn = (change: SessionChange) => change.ownerId === ownerId
      let next = token
      // What is no limit is the store's to refuse. A small one would ask for each of the others' changes.
      let size = Number.isInteger(limit) && limit > 0 ? Math.max(limit, feedStep) : limit
      for (;;) {
        const page = await changes.since(next, size)
        const own = page.changes.filter(isOwn)
        if (own.length > limit) {
          // Asked again for as many as end with the last that fits, so that the token is of that place.
          size = page.changes.indexOf(own[limit - 1] as SessionChange) + 1
          continue
        }
        if (own.length > 0 || page.changes.length === 0) return { changes: own, token: page.token }
        next = page.token
      }
    },
  }
}

function scopeMaintenance({ maintenance, backend }: SessionStore, ownerOf: OwnerOf): Maintenance {
  const refuse = (name: string) => async (): Promise<never> => {
    throw unsupported(`maintenance.${name}`, `scoped ${backend}`)
  }
  return {
    async stats(options = {}) {
      return maintenance.stats(ownerOf('maintenance.stats').withOwner(options, 'options'))
    },
    async prune(rule) {
      return maintenance.prune(ownerOf('maintenance.prune').withOwner(rule, 'rule'))
    },
    check: refuse('check'),
    optimize: refuse('optimize'),
    vacuum: refuse('vacuum'),
    reindex: refuse('reindex'),
    backup: refuse('backup'),
  }
}
