// Stores that change histories wrongly: one message, many, all, and what the agent gets of them.

import type { Message, Session, SessionStore } from '@sess/core'
import { type BrokenStore, replace } from './broken-store.ts'

/** A store that does something more after each call that takes messages away. */
function afterCuts(store: SessionStore, then: (id: string) => Promise<unknown>): SessionStore {
  const after = async <T>(id: string, work: Promise<T>): Promise<T> => {
    const result = await work
    await then(id)
    return result
  }
  const { messages } = store
  return replace(store, {
    messages: {
      remove: (id, ids) => after(id, messages.remove(id, ids)),
      truncate: (id, options) => after(id, messages.truncate(id, options)),
    },
  })
}

export const brokenEdits: readonly BrokenStore[] = [
  {
    name: 'takes null in a patch of a message for what is absent',
    fails: ['EDT-12'],
    wrap: (store) =>
      replace(store, {
        messages: {
          update: (id, messageId, patch) => {
            const given = Object.entries(patch).filter(([, value]) => value !== null)
            return store.messages.update(id, messageId, Object.fromEntries(given))
          },
        },
      }),
  },
  {
    name: 'merges metadata instead of replacing it',
    fails: ['EDT-01', 'EDT-04'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async update(id, messageId, patch) {
            const before = await store.messages.get(id, messageId)
            const { summary: _, ...kept } = before?.metadata ?? {}
            const metadata = patch.metadata && !Array.isArray(patch.metadata) ? patch.metadata : undefined
            return store.messages.update(
              id,
              messageId,
              metadata ? { ...patch, metadata: { ...kept, ...metadata } } : patch,
            )
          },
        },
      }),
  },
  {
    name: 'changes a message by removing it and appending another',
    fails: ['EDT-01', 'EDT-02', 'EDT-70'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async update(id, messageId, patch) {
            const before = (await store.messages.get(id, messageId)) as Message
            await store.messages.remove(id, [messageId])
            const { messages } = await store.messages.append(id, [{ ...before, ...patch } as Message])
            return messages[0] as Message
          },
        },
      }),
  },
  {
    name: 'leaves the preview when messages are changed or go',
    fails: ['EDT-04', 'EDT-21', 'EDT-31', 'EDT-40'],
    wrap(store) {
      const previews = new Map<string, string>()
      return replace(store, {
        messages: {
          async append(id, messages, options) {
            const receipt = await store.messages.append(id, messages, options)
            previews.set(id, (await store.sessions.get(id))?.preview ?? '')
            return receipt
          },
        },
        sessions: {
          async get(id) {
            const session = await store.sessions.get(id)
            return session && { ...session, preview: previews.get(id) ?? session.preview }
          },
        },
      })
    },
  },
  {
    name: 'answers how many ids were given, not how many messages there were',
    fails: ['EDT-20', 'EDT-22'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async remove(id, messageIds) {
            await store.messages.remove(id, messageIds)
            return messageIds.length
          },
        },
      }),
  },
  {
    name: 'truncates behind the message and not from it on',
    fails: ['EDT-30', 'EDT-31', 'CTX-63'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async truncate(id, { fromSeq, fromMessageId }) {
            const named =
              fromMessageId === undefined ? undefined : await store.messages.get(id, fromMessageId)
            return store.messages.truncate(id, { fromSeq: (named?.seq ?? fromSeq ?? 0) + 1 })
          },
        },
      }),
  },
  {
    name: 'clears a session by making it anew, so that seqs begin at 1 again',
    fails: ['EDT-40', 'EDT-41', 'CTX-66', 'USG-09'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async clear(id) {
            const count = (await store.sessions.get(id))?.messageCount ?? 0
            await store.sessions.remove(id, { purge: true })
            await store.sessions.create({ id })
            return count
          },
        },
      }),
  },
  {
    name: 'replaces in two steps',
    fails: ['EDT-50', 'EDT-51', 'EDT-57', 'EDT-59'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async replace(id, messages, options) {
            await store.messages.clear(id)
            return store.messages.append(id, messages, options)
          },
        },
      }),
  },
  {
    name: 'ignores what a replacement and a compaction expect and how they are known again',
    fails: ['EDT-54', 'EDT-55', 'EDT-56', 'EDT-59', 'CTX-24', 'CTX-25', 'CTX-26', 'LIF-24', 'LIF-43'],
    wrap: (store) =>
      replace(store, {
        messages: {
          replace: (id, messages) => store.messages.replace(id, messages),
          compact: (id, { throughSeq, summary }) => store.messages.compact(id, { throughSeq, summary }),
        },
      }),
  },
  {
    name: 'deletes what a summary stands for',
    fails: ['CTX-03', 'CTX-20', 'CTX-21', 'CTX-23'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async compact(id, options) {
            const receipt = await store.messages.compact(id, options)
            const { items } = await store.messages.read(id, { toSeq: options.throughSeq, limit: 1000 })
            await store.messages.remove(
              id,
              items.map((message) => message.id),
            )
            return receipt
          },
        },
      }),
  },
  {
    name: 'takes any bound of a compaction for one within the context',
    fails: ['CTX-09', 'CTX-13', 'CTX-26', 'CTX-27'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async compact(id, options) {
            const { nextSeq, context } = (await store.sessions.get(id)) as Session
            const throughSeq = Math.min(Math.max(options.throughSeq, context.startSeq), nextSeq - 1)
            return store.messages.compact(id, { ...options, throughSeq })
          },
        },
      }),
  },
  {
    name: 'begins anew when a summary is lost, whatever it was built on',
    fails: ['CTX-03', 'CTX-04', 'CTX-10', 'CTX-11', 'CTX-60', 'CTX-63'],
    wrap(store) {
      return afterCuts(store, async (id) => {
        const session = await store.sessions.get(id)
        if (session !== undefined) await store.sessions.resetContext(id)
      })
    },
  },
  {
    name: 'deletes the messages when the context is reset',
    fails: ['CTX-40', 'CTX-42'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async resetContext(id) {
            await store.messages.clear(id)
            return store.sessions.resetContext(id)
          },
        },
      }),
  },
  {
    name: 'keeps the last call’s usage for the sum of all',
    fails: ['USG-01', 'USG-06', 'LIF-44'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async get(id) {
            const session = await store.sessions.get(id)
            const { last } = session?.tokenCounts ?? { last: {} }
            return session && { ...session, tokenCounts: { last, accumulated: last } }
          },
        },
      }),
  },
]
