// Stores that take what they are given for what it should be, or for their own.

import { StoreError } from '@sess/core'
import { type BrokenStore, replace } from './broken-store.ts'

export const brokenArguments: readonly BrokenStore[] = [
  {
    name: 'throws what JavaScript throws at a name that is none',
    fails: ['ERR-20'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async create(input) {
            if (input?.name?.trim() === '') throw new StoreError('invalid', 'session.name: must not be blank')
            return store.sessions.create(input)
          },
        },
      }),
  },
  {
    name: 'takes a promise for a patch without fields',
    fails: ['ERR-20'],
    wrap: (store) =>
      replace(store, {
        sessions: { update: (id, patch) => store.sessions.update(id, patch instanceof Promise ? {} : patch) },
      }),
  },
  {
    name: 'answers an empty window for a number of turns that is none',
    fails: ['ERR-21'],
    wrap: (store) =>
      replace(store, {
        messages: {
          recentTurns: (id, options) =>
            store.messages.recentTurns(id, Number.isNaN(options?.turns) ? { ...options, turns: 0 } : options),
        },
      }),
  },
  {
    name: 'begins the feed anew with a token that is no text',
    fails: ['ERR-22', 'ERR-23'],
    wrap: (store) =>
      replace(store, {
        changes: {
          since: (token, limit) => store.changes.since(typeof token === 'string' ? token : undefined, limit),
        },
      }),
  },
  {
    name: 'searches for the text of whatever it is given',
    fails: ['ERR-22', 'ERR-23'],
    wrap: (store) =>
      replace(store, {
        search: {
          messages: (query) => store.search.messages({ ...query, text: `${query?.text}` }),
        },
      }),
  },
  {
    name: 'says of a source that throws what it threw',
    fails: ['ERR-24', 'IMP-20'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          import: (session, messages, options) =>
            store.sessions.import(session, messages, options).catch((error: unknown) => {
              const { cause } = error as StoreError
              throw cause === undefined ? error : new StoreError('unknown', 'the source failed', { cause })
            }),
        },
      }),
  },
  {
    name: 'looks at what it was given a moment later',
    fails: ['VAL-50', 'VAL-51'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async append(...input) {
            await Promise.resolve()
            return store.messages.append(...input)
          },
        },
      }),
  },
  {
    name: 'looks at what it imports a moment later',
    fails: ['VAL-52'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async import(...input) {
            await Promise.resolve()
            return store.sessions.import(...input)
          },
        },
      }),
  },
  {
    name: 'answers the same objects each time',
    fails: ['VAL-53'],
    wrap(store) {
      const kept = new Map<string, Awaited<ReturnType<typeof store.messages.get>>>()
      return replace(store, {
        messages: {
          async get(id, messageId) {
            const key = JSON.stringify([id, messageId])
            const message = kept.get(key) ?? (await store.messages.get(id, messageId))
            kept.set(key, message)
            return message
          },
        },
      })
    },
  },
  {
    name: 'reads a query again for its cursor',
    fails: ['VAL-54'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async list(query = {}) {
            await Promise.resolve()
            return store.sessions.list(query)
          },
        },
      }),
  },
  {
    name: 'copies metadata key by key',
    fails: ['VAL-55'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append: (id, messages, options) =>
            store.messages.append(
              id,
              messages.map((message) => {
                const metadata: { [key: string]: unknown } = {}
                for (const [key, value] of Object.entries(message.metadata ?? {})) metadata[key] = value
                return { ...message, metadata }
              }),
              options,
            ),
        },
      }),
  },
  {
    name: 'keeps sessions in an object',
    fails: ['VAL-56'],
    wrap(store) {
      const kept: { [id: string]: Awaited<ReturnType<typeof store.sessions.get>> } = {}
      return replace(store, { sessions: { get: async (id) => kept[id] ?? store.sessions.get(id) } })
    },
  },
]
