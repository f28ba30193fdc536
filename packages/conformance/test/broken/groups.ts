// Stores that are wrong about chats, threads, the change feed and transactions.

import type { Page, Session, SessionStore, StoreScope, Thread } from '@sess/core'
import { isStoreError, StoreError } from '@sess/core'
import { type BrokenStore, replace } from './broken-store.ts'

const withSince = (store: SessionStore, since: SessionStore['changes']['since']): SessionStore =>
  replace(store, { changes: { since } })

export const brokenGroups: readonly BrokenStore[] = [
  {
    name: 'looks for the current session and makes one in two steps',
    fails: ['CUR-07', 'LIF-40'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async current(key, options = {}) {
            const found = await store.sessions.current(key, { ...options, create: undefined } as object)
            if (found !== undefined || options.create === undefined) return found
            return store.sessions.create({ ...options.create, ...key })
          },
        },
      }),
  },
  {
    name: 'takes a chat for that of every owner',
    fails: ['CUR-02', 'CUR-04'],
    wrap: (store) =>
      replace(store, {
        sessions: { current: ({ ownerId: _, ...key }, options) => store.sessions.current(key, options) },
      }),
  },
  {
    name: 'lets a session serve that was silent for all of idleMs',
    fails: ['CUR-06'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          current: (key, options) =>
            store.sessions.current(
              key,
              options?.idleMs === undefined ? options : { ...options, idleMs: options.idleMs + 1 },
            ),
        },
      }),
  },
  {
    name: 'lists the sessions of a thread by their ids',
    fails: ['THR-20', 'THR-23', 'LIF-21'],
    wrap: (store) =>
      replace(store, {
        threads: {
          async sessions(id, page): Promise<Page<Session>> {
            const found = await store.threads.sessions(id, page)
            return { ...found, items: found.items.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
          },
        },
      }),
  },
  {
    name: 'moves a session to the end of its thread when it is attached again',
    fails: ['THR-20'],
    wrap: (store) =>
      replace(store, {
        threads: {
          async attach(id, sessionId) {
            await store.threads.detach(id, sessionId)
            await store.threads.attach(id, sessionId)
          },
        },
      }),
  },
  {
    name: 'removes the sessions of a thread with it',
    fails: ['THR-07'],
    wrap: (store) =>
      replace(store, {
        threads: {
          async remove(id) {
            for (const session of (await store.threads.sessions(id)).items) {
              await store.sessions.remove(session.id)
            }
            return store.threads.remove(id)
          },
        },
      }),
  },
  {
    name: 'counts the sessions in the trash among those of a thread',
    fails: ['THR-25'],
    wrap(store) {
      const counts = new Map<string, number>()
      return replace(store, {
        threads: {
          async attach(id, sessionId) {
            await store.threads.attach(id, sessionId)
            counts.set(id, (counts.get(id) ?? 0) + 1)
          },
          async get(id): Promise<Thread | undefined> {
            const thread = await store.threads.get(id)
            return thread && { ...thread, sessionCount: counts.get(id) ?? 0 }
          },
        },
      })
    },
  },
  {
    name: 'gives a timeline session by session',
    fails: ['THR-50', 'THR-51'],
    wrap: (store) =>
      replace(store, {
        threads: {
          async timeline(id, page) {
            const found = await store.threads.timeline(id, page)
            const bySession = (a: { sessionId: string }, b: { sessionId: string }) =>
              a.sessionId < b.sessionId ? -1 : Number(a.sessionId > b.sessionId)
            return { ...found, items: found.items.toSorted(bySession) }
          },
        },
      }),
  },
  {
    name: 'forgets what was purged',
    fails: ['CHG-06', 'CHG-07', 'CHG-20', 'CHG-25', 'LIF-22'],
    wrap: (store) =>
      withSince(store, async (token, limit) => {
        const page = await store.changes.since(token, limit)
        return { ...page, changes: page.changes.filter(({ removed }) => !removed) }
      }),
  },
  {
    name: 'does not take the trash for a change',
    fails: ['CHG-05'],
    wrap: (store) =>
      withSince(store, async (token, limit) => {
        const page = await store.changes.since(token, limit)
        const trashed = new Set(
          (await store.sessions.list({ types: 'all', deleted: true })).items.map(({ id }) => id),
        )
        return { ...page, changes: page.changes.filter(({ sessionId }) => !trashed.has(sessionId)) }
      }),
  },
  {
    name: 'orders the feed by the creation of sessions',
    fails: ['CHG-01', 'CHG-02', 'CHG-20'],
    wrap: (store) =>
      withSince(store, async (token, limit) => {
        const page = await store.changes.since(token, limit)
        const { items } = await store.sessions.list({ types: 'all', sort: 'created', order: 'asc' })
        const order = items.map(({ id }) => id)
        const place = (change: { sessionId: string }) => order.indexOf(change.sessionId)
        return { ...page, changes: page.changes.toSorted((a, b) => place(a) - place(b)) }
      }),
  },
  {
    name: 'gives the present token with every page',
    fails: ['CHG-20', 'CHG-22'],
    wrap: (store) =>
      withSince(store, async (token, limit) => ({
        ...(await store.changes.since(token, limit)),
        token: (await store.changes.since('now')).token,
      })),
  },
  {
    name: 'begins at the beginning with a token it does not know',
    fails: ['CHG-24'],
    wrap: (store) =>
      withSince(store, (token, limit) =>
        store.changes.since(token, limit).catch((error: unknown) => {
          if (isStoreError(error) && error.code === 'invalid-cursor')
            return store.changes.since(undefined, limit)
          throw error
        }),
      ),
  },
  {
    name: 'runs transactions without one',
    fails: ['TXN-02', 'TXN-05', 'TXN-06', 'TXN-10', 'TXN-11', 'TXN-12', 'TXN-34', 'TXN-36'],
    wrap: (store) => ({ ...store, transact: (work) => work(store) }),
  },
  {
    name: 'rejects with an error of its own when the work does',
    fails: ['TXN-02', 'TXN-08', 'TXN-32'],
    wrap: (store) => ({
      ...store,
      transact: (work) =>
        store.transact(work).catch((cause: unknown) => {
          throw new StoreError('unknown', 'the transaction failed', { cause })
        }),
    }),
  },
  {
    name: 'takes everything back when one operation rejects, though it was caught',
    fails: ['TXN-04', 'TXN-09'],
    wrap: (store) => ({
      ...store,
      transact: (work) =>
        store.transact(async (scope) => {
          const failures: unknown[] = []
          const result = await work(telling(scope, (error) => failures.push(error)))
          if (failures.length > 0) throw failures[0]
          return result
        }),
    }),
  },
  {
    name: 'runs the work of a transaction twice',
    fails: ['TXN-01', 'TXN-07', 'TXN-35'],
    wrap: (store) => ({
      ...store,
      transact: async (work) => {
        await store.transact(work)
        return store.transact(work)
      },
    }),
  },
]

/** A scope that tells of every operation that rejects. */
function telling(scope: StoreScope, tell: (error: unknown) => void): StoreScope {
  type Call = (...input: never[]) => Promise<unknown>
  const part = <Part extends object>(methods: Part): Part =>
    Object.fromEntries(
      Object.entries(methods as { [name: string]: Call }).map(([name, method]) => [
        name,
        async (...input: never[]) => {
          try {
            return await method(...input)
          } catch (error) {
            tell(error)
            throw error
          }
        },
      ]),
    ) as Part
  return { sessions: part(scope.sessions), messages: part(scope.messages), threads: part(scope.threads) }
}
