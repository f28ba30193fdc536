// The contract over Kysely's stock SQLite dialect, in both ways a write reaches a database.

import { describeSessionStore } from '@sess/conformance/vitest'
import { openMemory } from './support.ts'

for (const guarded of [false, true]) {
  describeSessionStore({
    name: guarded ? 'the stock dialect, reads and guarded batches apart' : 'the stock dialect',
    async open(options) {
      const { store } = await openMemory({ ...options, guarded })
      return { store, dispose: () => store.close() }
    },
  })
}
