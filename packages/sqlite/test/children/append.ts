// A process that appends to one session: node append.ts PATH SESSION NAME COUNT BATCH. Prints a line after each append.

import { writeSync } from 'node:fs'
import { openSqliteStore } from '../../src/index.ts'

const [path = '', session = '', name = '', count = '0', batch = '1'] = process.argv.slice(2)
const store = await openSqliteStore({ path, busyTimeout: 60_000 })
writeSync(1, 'ready\n')
for (let index = 0; index < Number(count); index++) {
  const messages = Array.from({ length: Number(batch) }, (_, part) => ({
    id: `${name}-${index}-${part}`,
    role: 'user' as const,
    content: `${name} ${index} ${part}`,
  }))
  const receipt = await store.messages.append(session, messages, { createSession: true })
  // Synchronous: what was printed was stored, also when this process is killed right after.
  writeSync(1, `${receipt.firstSeq} ${receipt.lastSeq}\n`)
}
await store.close()
