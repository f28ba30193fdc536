// A process that creates sessions: node create.ts PATH COUNT. Prints the ids.

import { openSqliteStore } from '../../src/index.ts'

const [path = '', count = '0'] = process.argv.slice(2)
const store = await openSqliteStore({ path, busyTimeout: 60_000, clock: () => Date.UTC(2026, 2, 1) })
const ids: string[] = []
for (let index = 0; index < Number(count); index++) ids.push((await store.sessions.create()).id)
process.stdout.write(`${ids.join('\n')}\n`)
await store.close()
