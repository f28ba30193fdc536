// Appends one message and 100 messages, side by side with a hand-written better-sqlite3 program that does the same
// statements on the same schema, prepared once.

import { join } from 'node:path'
import { openSqliteStore } from '@sess/sqlite'
import Database from 'better-sqlite3'
import { inTemporaryFolder, medianMicroseconds, print } from './measure.ts'

const text = 'A message of some six hundred bytes, as people and agents write them. '.repeat(8)

await inTemporaryFolder(async (folder) => {
  const path = join(folder, 'sess.db')
  const byHand = join(folder, 'by-hand.db')
  const store = await openSqliteStore({ path })
  await store.sessions.create({ id: 's' })
  const other = await openSqliteStore({ path: byHand })
  await other.sessions.create({ id: 's' })
  await other.close()
  const write = handWritten(byHand)
  for (const size of [1, 100]) {
    const messages = Array.from({ length: size }, () => ({ role: 'user' as const, content: text }))
    const calls = size === 1 ? 1000 : 50
    const hand = await medianMicroseconds(calls, 5, () => write(size))
    const ours = await medianMicroseconds(calls, 5, () => store.messages.append('s', messages))
    print(
      `append ${String(size).padStart(3)}: by hand ${hand.toFixed(0)} us, sess ${ours.toFixed(0)} us, ${(ours / hand).toFixed(2)}x`,
    )
  }
  await store.close()
})

function handWritten(path: string): (size: number) => void {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('foreign_keys = ON')
  const select = database.prepare<[string], { version: number; nextSeq: number }>(
    'SELECT version, next_seq AS "nextSeq" FROM sessions WHERE id = ? AND deleted_at IS NULL',
  )
  const insert = database.prepare(
    `INSERT INTO messages (message_id, session_id, seq, role, created_at, turn_part, metadata_json, text_json, content_json)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = database.prepare(
    `UPDATE sessions SET version = ?, next_seq = ?, message_count = message_count + ?, last_active_at = max(last_active_at, ?),
     updated_at = ?, preview = ?, change_seq = (SELECT 1 + max(coalesce((SELECT max(change_seq) FROM sessions), 0),
     coalesce((SELECT max(change_seq) FROM session_tombstones), 0))) WHERE id = ?`,
  )
  return database.transaction((size: number) => {
    const session = select.get('s')
    if (session === undefined) throw new Error('no session')
    const now = Date.now()
    for (let index = 0; index < size; index++) {
      const content = JSON.stringify([{ type: 'text', text }])
      insert.run(crypto.randomUUID(), 's', session.nextSeq + index, 'user', now, 1, '{}', null, content)
    }
    update.run(session.version + 1, session.nextSeq + size, size, now, now, text.slice(0, 128), 's')
  }).immediate
}
