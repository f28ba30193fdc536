// The reference store: everything in maps, nothing on disk. For tests, for hosts that must not persist, and for adapter
// authors to read. Not for large histories: a page reads its whole session.

import { Operations } from '../adapter/operations.ts'
import { missingMethods, portMethods } from '../adapter/port-methods.ts'
import { unsupported } from '../errors.ts'
import { limits } from '../limits.ts'
import { resolveOptions, type StoreOptions } from '../options.ts'
import type { SessionStore } from '../port/store.ts'
import { createMemoryMessages, missingMessageMethods } from './messages.ts'
import { createMemorySessions, missingSessionMethods } from './sessions.ts'
import { MemoryState } from './state.ts'

export interface MemoryStoreOptions extends StoreOptions {
  /** The largest message in bytes of JSON; 64 MiB unless given. */
  readonly maxMessageBytes?: number
}

/**
 * Makes an empty store in memory; what it holds ends with it.
 *
 * @throws {StoreError} invalid an option that is none
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): SessionStore {
  const maxMessageBytes = options.maxMessageBytes ?? limits.messageBytes
  const state = new MemoryState(resolveOptions(options))
  const operations = new Operations()
  const close = async () => {
    if (await operations.close()) state.entries.clear()
  }
  const missing = [
    ...missingSessionMethods.map((name) => `sessions.${name}`),
    ...missingMessageMethods.map((name) => `messages.${name}`),
    ...portMethods.threads.map((name) => `threads.${name}`),
    ...portMethods.search.map((name) => `search.${name}`),
    'changes.since',
    ...portMethods.maintenance.map((name) => `maintenance.${name}`),
    'transact',
  ]
  return {
    backend: 'memory',
    capabilities: {
      transactions: 'none',
      search: 'none',
      threads: false,
      changes: false,
      maintenance: [],
      maxMessageBytes,
      processes: 'one',
      persistent: false,
      missing,
    },
    sessions: createMemorySessions(state, operations, maxMessageBytes),
    messages: createMemoryMessages(state, operations, maxMessageBytes),
    threads: missingMethods('memory', 'threads', portMethods.threads),
    search: missingMethods('memory', 'search', portMethods.search),
    changes: missingMethods('memory', 'changes', portMethods.changes),
    maintenance: missingMethods('memory', 'maintenance', portMethods.maintenance),
    transact: async () => {
      throw unsupported('transact', 'memory')
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
