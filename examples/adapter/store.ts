// A store of conversations over plain JSON files: an example of an adapter at tier A. What it has stands in sessions.ts and
// messages.ts; all else of the port is declared as missing here, and rejects with `unsupported`.

import { limits, type SessionStore, StoreError, type StoreOptions } from '@sess/core'
import { missingMethods, Operations, portMethods, resolveOptions, unsupported } from '@sess/core/adapter'
import { Folder } from './folder.ts'
import { createJsonMessages } from './messages.ts'
import { createJsonSessions } from './sessions.ts'

const backend = 'json-files'

/** The methods this store has not, by part of the port. */
const missing = {
  sessions: ['addUsage', 'current', 'resetContext', 'fork', 'import', 'rewind', 'undelete'],
  messages: ['update', 'remove', 'replace', 'compact', 'truncate', 'clear'],
  threads: portMethods.threads,
  search: portMethods.search,
  changes: portMethods.changes,
  maintenance: portMethods.maintenance,
} as const

export interface JsonStoreOptions extends StoreOptions {
  /** The folder; it is made where there is none. One process at a time may open it. */
  readonly path: string
  /** Whether a write waits until the disk has it; true unless given. Without, a loss of power may lose the last ones. */
  readonly flush?: boolean
}

/**
 * Opens a store over a folder of JSON files.
 *
 * @throws {StoreError} unavailable the folder cannot be made or read
 */
export async function openJsonStore(options: JsonStoreOptions): Promise<SessionStore> {
  const context = resolveOptions(options)
  // Operations stand around every method: they refuse after close, let close wait, and turn errors into StoreErrors.
  const classify = (cause: unknown) =>
    new StoreError('unavailable', `${options.path}: ${String(cause)}`, { cause })
  const operations = new Operations({ classify })
  const folder = await operations.run('openJsonStore', () => new Folder(options.path, options.flush ?? true))
  for (const file of folder.unreadable)
    context.logger.error({ file }, 'a session cannot be read and is left out')
  const close = async () => {
    await operations.close()
  }
  return {
    backend,
    capabilities: {
      transactions: 'none',
      search: 'none',
      threads: false,
      changes: false,
      maintenance: [],
      maxMessageBytes: limits.messageBytes,
      processes: 'one',
      persistent: true,
      missing: [
        ...Object.entries(missing).flatMap(([part, names]) => names.map((name) => `${part}.${name}`)),
        'transact',
      ],
    },
    sessions: {
      ...createJsonSessions(folder, operations, context),
      ...missingMethods(backend, 'sessions', missing.sessions),
    },
    messages: {
      ...createJsonMessages(folder, operations, context, limits.messageBytes),
      ...missingMethods(backend, 'messages', missing.messages),
    },
    threads: missingMethods(backend, 'threads', missing.threads),
    search: missingMethods(backend, 'search', missing.search),
    changes: missingMethods(backend, 'changes', missing.changes),
    maintenance: missingMethods(backend, 'maintenance', missing.maintenance),
    transact: async () => {
      throw unsupported('transact', backend)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
