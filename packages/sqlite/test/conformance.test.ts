// The contract over a file, with reopening, a second handle and damaged rows; and over a memory database.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSessionStore } from '@sess/conformance/vitest'
import type { SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { openSqliteStore } from '../src/index.ts'

describeSessionStore({
  name: 'a SQLite file',
  async open(options) {
    const folder = mkdtempSync(join(tmpdir(), 'sess-'))
    const path = join(folder, 'sess.db')
    const opened: SessionStore[] = []
    const open = async () => {
      const store = await openSqliteStore({ ...options, path })
      opened.push(store)
      return store
    }
    let store = await open()
    return {
      store,
      async reopen() {
        await store.close()
        store = await open()
        return store
      },
      peer: open,
      async damage({ sessionId, messageId }) {
        const database = new Database(path)
        const damage = database.prepare(
          "UPDATE messages SET content_json = '{broken', text_json = iif(text_json IS NULL, NULL, '{broken') WHERE session_id = ? AND message_id = ?",
        )
        damage.run(sessionId, messageId)
        database.close()
      },
      async dispose() {
        for (const one of opened) await one.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
})

describeSessionStore({
  name: 'a SQLite memory database',
  async open(options) {
    const store = await openSqliteStore({ ...options, path: ':memory:' })
    return { store, dispose: () => store.close() }
  },
})
