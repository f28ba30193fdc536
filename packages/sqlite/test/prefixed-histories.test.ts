// A store with a prefix before its tables is the same store: no statement of any operation misses a name, or prefixes what
// is none.

import { createTestIds } from '@sess/conformance'
import { createMemoryStore } from '@sess/core/memory'
import { openKyselyStore } from '@sess/kysely'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { anyStep, beginning } from './histories.ts'
import { everything, outcomeOf } from './observe.ts'

test('any history of operations, with a prefix', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 30, size: 'max' }), async (steps) => {
      const options = () => ({ clock: () => 1_772_366_000_003, ids: createTestIds() })
      const database = new Database(':memory:')
      database.pragma('foreign_keys = ON')
      const memory = createMemoryStore(options())
      const prefixed = await openKyselyStore({
        ...options(),
        dialect: new SqliteDialect({ database }),
        tablePrefix: 'app_',
      })
      try {
        for (const step of [...beginning, ...steps])
          expect(await outcomeOf(prefixed, step)).toEqual(await outcomeOf(memory, step))
        expect(await everything(prefixed)).toEqual(await everything(memory))
      } finally {
        await memory.close()
        await prefixed.close()
      }
    }),
    { numRuns: Number(process.env.SESS_RUNS ?? 25) },
  )
}, 300_000)
