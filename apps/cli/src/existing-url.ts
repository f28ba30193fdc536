// What a command about what is stored opens: it makes no file, nor the folders above it.

import { existsSync } from 'node:fs'
import { displayUrl, parseStoreUrl } from '@sess/connect'
import { StoreError } from '@sess/core'
import type { Settings } from './settings.ts'

/**
 * The URL of a store that is there. Where the default file is not there yet, that is an empty store in memory.
 *
 * @throws {StoreError} unavailable where the file that was named is not there; what `parseStoreUrl` throws
 */
export function existingUrl({ url, isDefaultUrl }: Pick<Settings, 'url' | 'isDefaultUrl'>): string {
  if (isThere(url)) return url
  if (isDefaultUrl) return 'memory:'
  const hint = '"sess new", "sess import" and "sess append --create" make one'
  throw new StoreError('unavailable', `there is no store at ${displayUrl(url)} (${hint})`)
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
