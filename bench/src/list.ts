// The first page of a list of 3 visible sessions, among 10 hidden ones and among 1,000,000: the time must be the same.

import { join } from 'node:path'
import { openSqliteStore } from '@sess/sqlite'
import Database from 'better-sqlite3'
import { inTemporaryFolder, medianMicroseconds, print } from './measure.ts'

await inTemporaryFolder(async (folder) => {
  let fewest: number | undefined
  for (const hidden of [10, 1_000_000]) {
    const path = join(folder, `${hidden}.db`)
    await (await openSqliteStore({ path })).close()
    fill(path, hidden)
    const store = await openSqliteStore({ path })
    const time = await medianMicroseconds(500, 7, () => store.sessions.list())
    const all = await medianMicroseconds(200, 5, () => store.sessions.list({ types: 'all', limit: 3 }))
    fewest ??= time
    const ratio = (time / fewest).toFixed(2)
    print(
      `list 3 visible among ${String(hidden).padStart(7)} hidden: ${time.toFixed(0)} us, ${ratio}x (3 of every type: ${all.toFixed(0)} us)`,
    )
    await store.close()
  }
})

function fill(path: string, hidden: number): void {
  const database = new Database(path)
  const insert = database.prepare(
    `INSERT INTO sessions (id, name, name_folded, name_source, session_type, created_at, updated_at, last_active_at, change_seq)
     VALUES (?, 'n', 'n', 'default', ?, ?, ?, ?, ?)`,
  )
  database.transaction(() => {
    for (let index = 1; index <= hidden; index++)
      insert.run(`h${index}`, 'hidden', index + 10, 0, index + 10, index)
    for (let index = 1; index <= 3; index++) insert.run(`u${index}`, 'user', index, 0, index, hidden + index)
  })()
  database.close()
}
