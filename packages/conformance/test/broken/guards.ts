// Stores that append without the care a retry and a race need.

import type { AppendReceipt } from '@sess/core'
import { type BrokenStore, replace } from './broken-store.ts'

export const brokenGuards: readonly BrokenStore[] = [
  {
    name: 'ignores expectedVersion',
    fails: ['MSG-20', 'MSG-21', 'MSG-42', 'MSG-45'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append(id, messages, options) {
            const { expectedVersion: _, ...rest } = options ?? {}
            return store.messages.append(id, messages, rest)
          },
        },
      }),
  },
  {
    name: 'ignores operationId',
    fails: ['MSG-30', 'MSG-31', 'MSG-33', 'MSG-43', 'LIF-13'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append(id, messages, options) {
            const { operationId: _, ...rest } = options ?? {}
            return store.messages.append(id, messages, rest)
          },
        },
      }),
  },
  {
    name: 'looks at the version before the operation',
    fails: ['MSG-31'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async append(id, messages, options) {
            const { expectedVersion } = options ?? {}
            if (typeof expectedVersion === 'number' && options?.createSession === undefined) {
              await store.messages.append(id, [], { expectedVersion })
            }
            return store.messages.append(id, messages, options)
          },
        },
      }),
  },
  {
    name: 'gives a message whose id it has a new one',
    fails: ['MSG-23', 'MSG-24', 'MSG-26'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async append(id, messages, options) {
            const taken = new Set((await store.messages.read(id, { limit: 1000 })).items.map((row) => row.id))
            const fresh = messages.map((message) =>
              message?.id !== undefined && taken.has(message.id)
                ? { ...message, id: `${message.id}'` }
                : message,
            )
            return store.messages.append(id, fresh, options)
          },
        },
      }),
  },
  {
    name: 'makes a session for an empty batch',
    fails: ['MSG-08'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async append(id, messages, options) {
            if (options?.createSession && (await store.sessions.get(id)) === undefined) {
              await store.sessions.create({
                ...(options.createSession === true ? {} : options.createSession),
                id,
              })
            }
            return store.messages.append(id, messages, options)
          },
        },
      }),
  },
  {
    name: 'writes the fields of createSession over a session that exists',
    fails: ['MSG-06'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async append(id, messages, options) {
            const receipt = await store.messages.append(id, messages, options)
            const { createSession } = options ?? {}
            if (typeof createSession === 'object' && createSession.name !== undefined) {
              await store.sessions.update(id, { name: createSession.name })
            }
            return receipt
          },
        },
      }),
  },
  {
    name: 'remembers an operation for ever',
    fails: ['MSG-39'],
    wrap(store) {
      const receipts = new Map<string, AppendReceipt>()
      return replace(store, {
        messages: {
          async append(id, messages, options) {
            const key = JSON.stringify([id, options?.operationId, messages])
            const known = options?.operationId === undefined ? undefined : receipts.get(key)
            if (known !== undefined) return known
            const receipt = await store.messages.append(id, messages, options)
            receipts.set(key, receipt)
            return receipt
          },
        },
      })
    },
  },
  {
    name: 'remembers the last 256 operations and not those of 256 versions',
    fails: ['MSG-39'],
    wrap(store) {
      const operations: string[] = []
      return replace(store, {
        messages: {
          append(id, messages, options) {
            const { operationId, ...rest } = options ?? {}
            if (operationId !== undefined && !operations.includes(operationId)) operations.push(operationId)
            const isForgotten = operations.indexOf(operationId ?? '') < operations.length - 256
            return store.messages.append(id, messages, isForgotten ? rest : options)
          },
        },
      })
    },
  },
  {
    name: 'takes one byte less of a message than it says',
    fails: ['VAL-42'],
    wrap: (store) => ({
      ...store,
      capabilities: { ...store.capabilities, maxMessageBytes: store.capabilities.maxMessageBytes + 1 },
    }),
  },
  {
    name: 'takes values that are a level deeper, and cuts them',
    fails: ['VAL-43'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append: (id, messages, options) =>
            store.messages.append(id, messages, options).catch((error: unknown) => {
              if (!String(error).includes('levels deep')) throw error
              return store.messages.append(id, [{ role: 'user', content: 'too deep' }], options)
            }),
        },
      }),
  },
  {
    name: 'takes the ids . and .. for others',
    fails: ['VAL-41'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append: (id, messages, options) =>
            store.messages.append(
              id,
              Array.isArray(messages)
                ? messages.map((message) =>
                    message?.id === '.' || message?.id === '..'
                      ? { ...message, id: `%2E${message.id}` }
                      : message,
                  )
                : messages,
              options,
            ),
        },
      }),
  },
]
