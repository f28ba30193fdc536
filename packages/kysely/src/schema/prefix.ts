// Table names with a prefix, for teams that fold the store into their application's database. Every statement names the
// tables as the design does; the prefix is put in front of whole names just before a statement runs.

import { StoreError } from '@sess/core'
import { firstSchema } from './first.ts'

/** Tables, indexes and triggers: they share one namespace. */
const names = firstSchema.flatMap(
  (statement) => /^CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER) (\w+)/.exec(statement)?.[1] ?? [],
)

// Not behind a dot or a quote: those are columns and text.
const pattern = new RegExp(`(?<![\\w.'])(${names.join('|')})(?![\\w'])`, 'g')

/** @throws {StoreError} invalid what no table name can begin with */
export function checkPrefix(prefix: string): void {
  if (/^(?:[A-Za-z_][A-Za-z0-9_]{0,31})?$/.test(prefix) && !prefix.toLowerCase().startsWith('sqlite_')) return
  throw new StoreError(
    'invalid',
    'tablePrefix: must be up to 32 letters, digits and "_", and not begin with a digit or "sqlite_"',
  )
}

/** What puts a prefix before the names in a statement; each statement is rewritten once. */
export function createPrefixer(prefix: string): (sql: string) => string {
  checkPrefix(prefix)
  if (prefix === '') return (sql) => sql
  const kept = new Map<string, string>()
  return (sql) => {
    let prefixed = kept.get(sql)
    if (prefixed === undefined) {
      prefixed = sql.replace(pattern, `${prefix}$1`)
      // Lists have many shapes; what is kept must not grow for ever.
      if (kept.size >= 1000) kept.clear()
      kept.set(sql, prefixed)
    }
    return prefixed
  }
}

/** The names of our tables, indexes and triggers, without a prefix. */
export const schemaNames: readonly string[] = names
