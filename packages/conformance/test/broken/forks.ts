// Stores that copy, rewind and bring back wrongly.

import type { Session, SessionStore } from '@sess/core'
import { type BrokenStore, replace } from './broken-store.ts'

type Fork = SessionStore['sessions']['fork']
type Rewind = SessionStore['sessions']['rewind']

const withFork = (store: SessionStore, fork: Fork): SessionStore => replace(store, { sessions: { fork } })
const withRewind = (store: SessionStore, rewind: Rewind): SessionStore =>
  replace(store, { sessions: { rewind } })

async function childrenOf(store: SessionStore, id: string): Promise<readonly Session[]> {
  const all = { types: 'all', deleted: 'any', limit: 1000 } as const
  const { items } = await store.sessions.list(all)
  return items.filter(({ parentSessionId, branchOf, type }) => {
    return (parentSessionId === id || branchOf === id) && (type === 'sub_agent' || type === 'hidden')
  })
}

export const brokenForks: readonly BrokenStore[] = [
  {
    name: 'forks by creating a session and appending the messages to it',
    fails: ['FRK-01', 'FRK-02', 'FRK-06', 'FRK-21', 'CUR-10', 'CTX-65'],
    wrap: (store) =>
      withFork(store, async (id, options = {}) => {
        const { channelType, channelKey, name } = (await store.sessions.get(id)) as Session
        const chat = channelType !== undefined && channelKey !== undefined ? { channelType, channelKey } : {}
        const fork = await store.sessions.create({ ...(options.id ? { id: options.id } : {}), name, ...chat })
        const { items } = await store.messages.read(id, { limit: 1000 })
        await store.messages.append(fork.id, items)
        return (await store.sessions.get(fork.id)) as Session
      }),
  },
  {
    name: 'forks up to a message and not through it',
    fails: ['FRK-03', 'FRK-27', 'CTX-65'],
    wrap: (store) =>
      withFork(store, async (id, options = {}) => {
        const last = (await store.sessions.get(id))?.nextSeq ?? 1
        const { atMessageId, atSeq, ...rest } = options
        const named = atMessageId === undefined ? undefined : await store.messages.get(id, atMessageId)
        return store.sessions.fork(id, {
          ...rest,
          atSeq: Math.max(0, (named?.seq ?? atSeq ?? last - 1) - 1),
        })
      }),
  },
  {
    name: 'names a fork as its source is named',
    fails: ['FRK-20', 'FRK-24', 'FRK-25', 'FRK-26'],
    wrap: (store) =>
      withFork(store, async (id, options) => {
        const name = (await store.sessions.get(id))?.name ?? 'n'
        return store.sessions.fork(id, { name, ...options })
      }),
  },
  {
    name: 'gives a fork the usage of its source, so that it counts twice',
    fails: ['USG-07'],
    wrap: (store) =>
      withFork(store, async (id, options) => {
        const fork = await store.sessions.fork(id, options)
        const usage = (await store.sessions.get(id))?.tokenCounts.accumulated ?? {}
        return store.sessions.addUsage(fork.id, usage)
      }),
  },
  {
    name: 'takes a fork for a change of its source',
    fails: ['FRK-07'],
    wrap: (store) =>
      withFork(store, async (id, options) => {
        const fork = await store.sessions.fork(id, options)
        await store.sessions.update(id, { metadata: { forks: 1 } })
        return fork
      }),
  },
  {
    name: 'deletes what a rewind takes away',
    fails: ['FRK-40', 'FRK-43', 'FRK-45', 'FRK-46', 'LIF-42'],
    wrap: (store) =>
      withRewind(store, async (id, { toSeq, toMessageId }) => {
        const named = toMessageId === undefined ? undefined : await store.messages.get(id, toMessageId)
        await store.messages.truncate(id, { fromSeq: (named?.seq ?? toSeq ?? 0) + 1 })
        return { session: (await store.sessions.get(id)) as Session }
      }),
  },
  {
    name: 'shows the branches of rewinds to everybody',
    fails: ['FRK-40', 'FRK-46'],
    wrap: (store) =>
      withRewind(store, async (id, options) => {
        const { session, branch } = await store.sessions.rewind(id, options)
        if (branch === undefined) return { session }
        return { session, branch: await store.sessions.update(branch.id, { type: 'user' }) }
      }),
  },
  {
    name: 'makes a branch also where there is nothing to move',
    fails: ['FRK-44', 'FRK-51'],
    wrap: (store) =>
      withRewind(store, async (id, options) => {
        const { session, branch } = await store.sessions.rewind(id, options)
        return { session, branch: branch ?? (await store.sessions.create({ type: 'hidden' })) }
      }),
  },
  {
    name: 'brings back a session and leaves its sub-agents in the trash',
    fails: ['FRK-64', 'FRK-65', 'FRK-66', 'LIF-23'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async undelete(id) {
            const session = await store.sessions.undelete(id)
            for (const child of await childrenOf(store, id)) await store.sessions.remove(child.id)
            return session
          },
        },
      }),
  },
  {
    name: 'brings back everything below a session, whenever it went',
    fails: ['FRK-64'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async undelete(id) {
            const session = await store.sessions.undelete(id)
            for (const child of await childrenOf(store, id)) await store.sessions.undelete(child.id)
            return session
          },
        },
      }),
  },
]
