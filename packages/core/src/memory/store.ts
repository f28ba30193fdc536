// The reference store: everything in maps, nothing on disk. For tests, for hosts that must not persist, and for adapter
// authors to read. Not for large histories: a page reads its whole session.

import { TransactionGate } from '../adapter/gate.ts'
import { Operations } from '../adapter/operations.ts'
import { missingMethods, portMethods } from '../adapter/port-methods.ts'
import { runInScope, scopeOperations, transactWith, withoutImport } from '../adapter/transact.ts'
import { limits } from '../limits.ts'
import { resolveOptions, type StoreOptions } from '../options.ts'
import type { SessionStore, StoreScope } from '../port/store.ts'
import { createMemoryChanges } from './changes.ts'
import { createMemoryMessages } from './messages.ts'
import { createMemorySearch } from './search.ts'
import { createMemorySessions } from './sessions.ts'
import { MemoryState } from './state.ts'
import { createMemoryThreads } from './threads.ts'

export interface MemoryStoreOptions extends StoreOptions {
  /** The largest message in bytes of JSON; 64 MiB unless given. */
  readonly maxMessageBytes?: number
  /** How long an operation waits for an open transaction, in milliseconds; 5000 unless given. */
  readonly busyTimeout?: number
}

/**
 * Makes an empty store in memory; what it holds ends with it.
 *
 * @throws {StoreError} invalid an option that is none
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): SessionStore {
  const state = new MemoryState(resolveOptions(options))
  const { maxMessageBytes = limits.messageBytes, busyTimeout = 5000 } = options
  const gate = new TransactionGate(busyTimeout, 'the memory store')
  const operations = new Operations({ gate })
  const partsWith = (scoped: Operations): StoreScope => ({
    sessions: createMemorySessions(state, scoped, maxMessageBytes),
    messages: createMemoryMessages(state, scoped, maxMessageBytes),
    threads: createMemoryThreads(state, scoped),
  })
  const close = () => operations.close(() => state.entries.clear())
  return {
    backend: 'memory',
    capabilities: {
      transactions: 'interactive',
      search: 'scan',
      threads: true,
      changes: true,
      maintenance: [],
      maxMessageBytes,
      processes: 'one',
      persistent: false,
      missing: portMethods.maintenance.map((name) => `maintenance.${name}`),
    },
    ...partsWith(operations),
    search: createMemorySearch(state, operations),
    changes: createMemoryChanges(state, operations),
    maintenance: missingMethods('memory', 'maintenance', portMethods.maintenance),
    transact: (work) =>
      transactWith(operations, work, () =>
        gate.run(async () => {
          const goBack = state.snapshot()
          const scoped = scopeOperations()
          const scope = withoutImport(partsWith(scoped), 'memory')
          const outcome = await runInScope(gate, scoped, () => work(scope))
          if ('error' in outcome) goBack()
          return outcome
        }),
      ),
    close,
    [Symbol.asyncDispose]: close,
  }
}
