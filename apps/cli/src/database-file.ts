// How a file of SQLite is known: by how it begins, whatever it is called.

import { closeSync, openSync, readSync } from 'node:fs'

const databaseMark = Buffer.from('SQLite format 3\0')
/** Of a log; its last bit says in which byte order the checksums are. */
const logMarks = [0x377f0682, 0x377f0683]
const journalMark = Buffer.from('d9d505f920a163d7', 'hex')
/** What a database's name ends with where SQLite keeps a file beside it. */
const companion = /-(wal|shm|journal)$/i

/** Whether these bytes begin a database. */
export function isDatabase(bytes: Uint8Array): boolean {
  return databaseMark.equals(bytes.subarray(0, databaseMark.length))
}

/** Whether there is a database at a path, or what SQLite keeps beside one. */
export function isDatabaseFile(path: string): boolean {
  const start = startOf(path)
  if (isDatabase(start) || journalMark.equals(start.subarray(0, journalMark.length))) return true
  if (start.length >= 4 && logMarks.includes(start.readUInt32BE(0))) return true
  // The log's index has no mark, and what was just made may be empty.
  return companion.test(path) && isDatabase(startOf(path.replace(companion, '')))
}

/** Empty where nothing can be read. */
function startOf(path: string): Buffer {
  const start = Buffer.alloc(databaseMark.length)
  try {
    const file = openSync(path, 'r')
    try {
      return start.subarray(0, readSync(file, start))
    } finally {
      closeSync(file)
    }
  } catch {
    return start.subarray(0, 0)
  }
}
