// Stores that append without the care a retry and a race need.

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
]
