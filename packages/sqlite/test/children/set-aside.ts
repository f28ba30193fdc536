// A process that opens the files it is told of, damaged or not, and makes a session of its name in each: node set-aside.ts
// NAME, a path a line on standard input. Prints a line for each session that the store told it of.

import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openSqliteStore } from '../../src/index.ts'

const [name = ''] = process.argv.slice(2)
for await (const path of createInterface({ input: process.stdin })) {
  const store = await openSqliteStore({ path, busyTimeout: 60_000, onDamaged: 'set-aside' })
  await store.sessions.create({ id: name })
  await store.close()
  writeSync(1, `${name}\n`)
}
