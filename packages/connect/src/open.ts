// The one place that knows every backend; each is loaded when it is asked for.

import { isStoreError, type SessionStore, StoreError, type StoreOptions } from '@sess/core'
import { withOperation } from '@sess/core/adapter'
import { parseStoreUrl } from './url.ts'

/** Options of the opener that the URL picks; the memory store takes those of every store. */
export interface OpenStoreOptions extends StoreOptions {
  readonly migrate?: 'latest' | 'check' | 'none'
  readonly readOnly?: boolean
  /** Milliseconds. */
  readonly busyTimeout?: number
  readonly maxMessageBytes?: number
  readonly synchronous?: 'normal' | 'full'
  readonly onDamaged?: 'throw' | 'set-aside' | 'memory'
  readonly tablePrefix?: string
}

/**
 * Opens the store a URL names; see {@link parseStoreUrl}.
 *
 * @throws {StoreError} invalid unsupported, and what the backend's opener throws
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<SessionStore> {
  try {
    if (typeof options !== 'object' || options === null) {
      throw new StoreError('invalid', 'options: must be an object')
    }
    const target = parseStoreUrl(url)
    if (target.kind === 'memory') {
      const { createMemoryStore } = await import('@sess/core/memory')
      return createMemoryStore(options)
    }
    const { openSqliteStore } = await import('@sess/sqlite')
    return await openSqliteStore({ ...options, path: target.path })
  } catch (error) {
    throw isStoreError(error) ? withOperation(error, 'openStore') : error
  }
}
