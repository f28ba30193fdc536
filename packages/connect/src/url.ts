// Which backend a URL means.

import { fileURLToPath } from 'node:url'
import { StoreError } from '@sess/core'

/** What a URL comes to. */
export type StoreTarget = { readonly kind: 'memory' } | { readonly kind: 'sqlite'; readonly path: string }

/**
 * Reads a URL: `sqlite:PATH`, `file:PATH`, a bare path and `:memory:` mean SQLite, `memory:` the memory store.
 *
 * @throws {StoreError} invalid a scheme no backend has, or no path; unsupported a backend that this version lacks
 */
export function parseStoreUrl(url: string): StoreTarget {
  if (typeof url !== 'string' || url.trim() === '') throw new StoreError('invalid', 'url: must name a store')
  if (url === ':memory:') return { kind: 'sqlite', path: ':memory:' }
  const scheme = schemeOf(url)
  if (scheme === undefined) return { kind: 'sqlite', path: url }
  const rest = url.slice(scheme.length + 1)
  switch (scheme) {
    case 'memory':
      if (rest !== '') throw new StoreError('invalid', 'url: "memory:" takes nothing behind it')
      return { kind: 'memory' }
    case 'sqlite':
    case 'file':
      return { kind: 'sqlite', path: filePath(rest) }
    case 'libsql+file':
    case 'libsql':
    case 'http':
    case 'https':
    case 'ws':
    case 'wss':
    case 'sess+http':
    case 'sess+https':
      throw new StoreError('unsupported', `url: this version has no backend for "${scheme}:"`)
    default:
      throw new StoreError('invalid', `url: no backend has the scheme "${scheme}:"${fileHint(url)}`)
  }
}

/** A file may have a colon in its name. What looks like an address may have a password in it. */
function fileHint(url: string): string {
  return url.includes('//') || url.includes('@') ? '' : ` (a file of that name is "file:${url}")`
}

/** A URL as messages name it: without user, password and query, which may be secrets. A path stays as it is. */
export function displayUrl(url: string): string {
  const scheme = schemeOf(url)
  if (scheme === undefined || scheme === 'sqlite' || scheme === 'file') return url
  if (!URL.canParse(url)) return `${scheme}:...`
  const { protocol, host, pathname } = new URL(url)
  return host === '' ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`
}

/** In lower case. One letter is a drive of Windows. */
function schemeOf(url: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase()
}

/** `PATH` as it stands, or a file URL's `///PATH` with its escapes. */
function filePath(rest: string): string {
  if (rest === '') throw new StoreError('invalid', 'url: must name a file')
  if (!rest.startsWith('//')) return rest
  try {
    return fileURLToPath(`file:${rest}`)
  } catch (cause) {
    throw new StoreError('invalid', 'url: is no file URL of this machine, which is "file:///PATH"', { cause })
  }
}
