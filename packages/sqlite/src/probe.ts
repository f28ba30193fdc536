// Whether SQLite can read what stands behind the first pages of a file of ours, before a host that wants another store in
// place of a damaged one gets going on it. It looks at pages, not at rows: a row that is not as it should be damages no file.

import { StoreError } from '@sess/core'
import { classifySqliteError } from '@sess/kysely'
import type { Database } from 'better-sqlite3'

/** Up to this size every page is read, in bytes; that takes 1 to 3 ms a MiB. */
const readWhole = 64 * 1024 * 1024

/** The messages and their full-text index; the other tables together are a small part of a file. */
const isLarge = (table: string) => table.startsWith('messages')

/** The first and the last message, by each of the ways to one. */
const ends = ['row_id', 'session_id, seq', 'session_id, message_id'].flatMap((order) =>
  ['ASC', 'DESC'].map((direction) => {
    const by = order.replaceAll(/(?=,|$)/g, ` ${direction}`)
    return `SELECT ${order === 'row_id' ? '*' : order} FROM messages ORDER BY ${by} LIMIT 1`
  }),
)

/**
 * Reads the pages of a file. Of a large one it reads those of all tables but the messages and their index, and of the
 * messages the first and the last.
 *
 * @param atMost how large a file is read whole, in bytes
 * @throws {StoreError} corrupt
 */
export function probeFile(database: Database, location: string, atMost: number = readWhole): void {
  try {
    const isWhole = sizeOf(database) <= atMost
    const tables = tablesOf(database)
    for (const table of tables) if (isWhole || !isLarge(table)) probeTable(database, table, location)
    if (!isWhole && tables.includes('messages')) for (const sql of ends) database.prepare(sql).get()
  } catch (error) {
    throw classifySqliteError(error, location)
  }
}

function sizeOf(database: Database): number {
  const count = database.pragma('page_count', { simple: true }) as number
  return count * (database.pragma('page_size', { simple: true }) as number)
}

/** Those that have pages, and the schema, with which the free pages are looked at. */
function tablesOf(database: Database): readonly string[] {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
  return ['sqlite_schema', ...(names.pluck().all() as string[])]
}

/** One table and its indexes: the check of a whole file would compare the full-text index word by word too. */
function probeTable(database: Database, table: string, location: string): void {
  const found = database.pragma(`quick_check("${table.replaceAll('"', '""')}")`, { simple: true }) as string
  // What it says of pages begins so, and comes before what it says of rows.
  if (!found.startsWith('*** in database')) return
  throw new StoreError('corrupt', `${location} is damaged: ${found.split('\n')[1] ?? found}`)
}
