// Whether a path names the store's own file or one that SQLite keeps beside it. Names say little: links, relative paths
// and file systems that ignore case give one file many, so what is there is compared by its identity.

import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseStoreUrl } from '@sess/connect'

/** What SQLite appends to the name of a database for its log, the log's index and its journal. */
const companions = ['-wal', '-shm', '-journal'] as const

/** Whether the file, there or not, is one of the store that `url` names. */
export function isStoreFile(path: string, url: string): boolean {
  const store = parseStoreUrl(url)
  if (store.kind !== 'sqlite' || store.path === ':memory:') return false
  const wanted = realPath(path)
  const database = realPath(store.path)
  const own = [database, ...companions.map((suffix) => database + suffix)]
  if (own.includes(wanted) || own.some((name) => isSameFile(name, wanted))) return true
  // A log that is not there yet has no identity, but its database has.
  const besides = wanted.replace(/-(wal|shm|journal)$/i, '')
  return besides !== wanted && isSameFile(besides, database)
}

function isSameFile(one: string, other: string): boolean {
  const first = identityOf(one)
  return first !== undefined && first === identityOf(other)
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

/** The path without links; of what is not there, that of its folder. */
function realPath(path: string): string {
  for (const [known, rest] of [
    [path, ''],
    [dirname(path), basename(path)],
  ] as const) {
    try {
      return join(realpathSync(known), rest)
    } catch {
      // Not there, or not to be looked at, of which whoever opens it tells.
    }
  }
  return resolve(path)
}
