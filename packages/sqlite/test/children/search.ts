// A process that searches while others write: node search.ts PATH TIMES. Prints how many hits each search gave.

import { writeSync } from 'node:fs'
import { openSqliteStore } from '../../src/index.ts'

const [path = '', times = '1'] = process.argv.slice(2)
const store = await openSqliteStore({ path, busyTimeout: 60_000 })
writeSync(1, 'ready\n')
for (let index = 0; index < Number(times); index++) {
  const { items } = await store.search.messages({ text: 'common', limit: 1000, sort: 'recent' })
  writeSync(1, `${items.length}\n`)
}
await store.close()
