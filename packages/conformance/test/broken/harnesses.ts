// Stores that are right while they are open, and wrong about their handles: closing, opening again, sharing.

import type { SessionStore } from '@sess/core'
import { missingMethods } from '@sess/core/adapter'
import { createMemoryStore } from '@sess/core/memory'
import type { StoreHarness } from '../../src/index.ts'
import { createSharedMemoryHarness, openHandle } from '../memory-harness.ts'

export interface BrokenHarness {
  readonly harness: StoreHarness
  readonly fails: readonly string[]
}

const whole = createSharedMemoryHarness()

/** A whole harness whose store is another one. */
function withStore(name: string, change: (store: SessionStore) => SessionStore): StoreHarness {
  return {
    name,
    async open(options) {
      const handle = await whole.open(options)
      return { ...handle, store: change(handle.store) }
    },
  }
}

const nowhere = openHandle(createMemoryStore(), new Set())

export const brokenHarnesses: readonly BrokenHarness[] = [
  {
    harness: withStore('go on after close', (store) => ({
      ...store,
      close: async () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    })),
    fails: ['LIF-01', 'LIF-02', 'LIF-05', 'LIF-06', 'TRN-90'],
  },
  {
    harness: withStore('take a work that is none for one that does nothing', (store) => ({
      ...store,
      transact: async (work) =>
        typeof work === 'function' ? store.transact(work) : (undefined as unknown as never),
    })),
    fails: ['ERR-25'],
  },
  {
    harness: withStore('close before what is under way is done', (store) => {
      let closed = false
      const append: SessionStore['messages']['append'] = async (...input) => {
        await Promise.resolve()
        await Promise.resolve()
        if (closed) throw new Error('the connection is gone')
        return store.messages.append(...input)
      }
      const close = async () => {
        closed = true
        await store.close()
      }
      return { ...store, messages: { ...store.messages, append }, close }
    }),
    fails: ['LIF-03'],
  },
  {
    harness: withStore('throw before they answer a promise', (store) => ({
      ...store,
      sessions: {
        ...store.sessions,
        get(id) {
          if (typeof id !== 'string') throw new TypeError('id must be a string')
          return store.sessions.get(id)
        },
      },
    })),
    fails: ['ERR-01', 'ERR-03'],
  },
  {
    harness: withStore('say less than they lack', (store) => ({
      ...store,
      capabilities: { ...store.capabilities, missing: ['sessions.unknown', 'sessions.fork'] },
      sessions: { ...store.sessions, fork: (id) => store.sessions.create({ id: `fork of ${id}` }) },
    })),
    fails: ['ERR-04', 'ERR-05'],
  },
  {
    harness: withStore('let everybody into their transactions', (store) => ({
      ...store,
      transact: (work) => work(store),
    })),
    fails: ['TXN-02', 'TXN-30', 'TXN-31', 'TXN-33', 'TXN-34', 'TXN-40', 'LIF-46'],
  },
  {
    harness: withStore('lack a method and do not say so', (store) => ({
      ...store,
      sessions: { ...store.sessions, ...missingMethods('broken', 'sessions', ['fork']) },
    })),
    fails: ['ERR-08', 'FRK-01', 'FRK-20', 'CTX-65'],
  },
  {
    harness: withStore('have a method that they name as missing', (store) => ({
      ...store,
      capabilities: { ...store.capabilities, missing: [...store.capabilities.missing, 'sessions.fork'] },
    })),
    fails: ['ERR-04'],
  },
  {
    harness: {
      name: 'forget everything when they are opened again',
      async open(options) {
        const handle = await whole.open(options)
        return { ...handle, reopen: async () => (await whole.open(options)).store }
      },
    },
    fails: [
      ...['LIF-10', 'LIF-11', 'LIF-12', 'LIF-13', 'LIF-14', 'LIF-15', 'LIF-20', 'LIF-21', 'LIF-22', 'LIF-23'],
      ...['LIF-24', 'TXN-39'],
    ],
  },
  {
    harness: {
      name: 'do not see each other',
      async open(options) {
        const handle = await whole.open(options)
        return { ...handle, peer: async () => (await whole.open(options)).store }
      },
    },
    fails: [
      ...['LIF-30', 'LIF-31', 'LIF-32', 'LIF-33', 'LIF-34', 'LIF-35', 'LIF-36', 'LIF-37', 'LIF-40', 'LIF-41'],
      ...['LIF-42', 'LIF-43', 'LIF-44', 'LIF-45', 'LIF-46', 'CHG-25', 'CHG-26'],
    ],
  },
  {
    harness: {
      name: 'close together',
      async open(options) {
        const handle = await whole.open(options)
        return { ...handle, peer: async () => handle.store }
      },
    },
    fails: ['LIF-36'],
  },
  {
    harness: {
      name: 'all share one store',
      async open() {
        return { store: nowhere, dispose: async () => undefined }
      },
    },
    fails: ['LIF-04'],
  },
  {
    harness: {
      name: 'hide damaged rows without a word',
      async open(options) {
        const handle = await whole.open(options)
        const { messages } = handle.store
        return {
          ...handle,
          store: {
            ...handle.store,
            messages: {
              ...messages,
              async read(id, range) {
                const { damaged: _, ...page } = await messages.read(id, range)
                return page
              },
              async recentTurns(id, options) {
                const { damaged: _, ...window } = await messages.recentTurns(id, options)
                return window
              },
            },
          },
        }
      },
    },
    fails: ['MSG-72', 'TRN-91', 'CTX-68'],
  },
]
