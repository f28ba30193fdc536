// What a command that only reads opens: it makes no file, nor the folders above it.

import { existsSync } from 'node:fs'
import { parseStoreUrl } from '@sess/connect'
import { StoreError } from '@sess/core'
import type { Settings } from './settings.ts'

/**
 * The URL of the store to read. Where the default file is not there yet, that is an empty store in memory.
 *
 * @throws {StoreError} unavailable where the file that was named is not there; what `parseStoreUrl` throws
 */
export function urlToRead({ url, isDefaultUrl }: Pick<Settings, 'url' | 'isDefaultUrl'>): string {
  if (isThere(url)) return url
  if (isDefaultUrl) return 'memory:'
  const hint = 'commands that write make one: "sess new", "sess import"'
  throw new StoreError('unavailable', `there is no store at ${url} (${hint})`)
}

/**
 * Whether opening the store makes no file.
 *
 * @throws {StoreError} what `parseStoreUrl` throws
 */
export function isThere(url: string): boolean {
  const target = parseStoreUrl(url)
  return target.kind !== 'sqlite' || target.path === ':memory:' || existsSync(target.path)
}
