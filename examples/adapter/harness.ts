// The harness of the JSON store: a new folder for each store, opened again on the same one, and damaged behind its back.
// `npx sess-conformance ./examples/adapter/harness.ts --tier A` runs the contract over it, too.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreHarness } from '@sess/conformance'
import type { SessionFile } from './folder.ts'
import { openJsonStore } from './store.ts'

const harness: StoreHarness = {
  name: 'JSON files',
  async open(options) {
    const path = mkdtempSync(join(tmpdir(), 'sess-json-'))
    const open = () => openJsonStore({ ...options, path, flush: false })
    let store = await open()
    return {
      store,
      async reopen() {
        await store.close()
        store = await open()
        return store
      },
      async damage({ sessionId, messageId }) {
        for (const name of readdirSync(path)) {
          const file: SessionFile = JSON.parse(readFileSync(join(path, name), 'utf8'))
          if (file.row?.id !== sessionId) continue
          const messages = file.messages.map((row) =>
            row.messageId === messageId ? { ...row, contentJson: '{broken', textJson: null } : row,
          )
          writeFileSync(join(path, name), JSON.stringify({ ...file, messages }))
        }
      },
      async dispose() {
        await store.close()
        rmSync(path, { recursive: true, force: true })
      },
    }
  },
}

export default harness
