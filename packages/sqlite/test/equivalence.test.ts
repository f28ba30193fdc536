// The SQLite store and the memory store are one store: any history of operations gives equal answers, errors, contexts,
// counters and change feeds on both.

import { createTestIds } from '@sess/conformance'
import { createMemoryStore } from '@sess/core/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { anyStep, beginning } from './histories.ts'
import { everything, outcomeOf } from './observe.ts'

/** Both stores with the same clock and ids. */
async function openBoth() {
  // Both stand still: how often a store looks at its clock is its own affair.
  const options = () => ({ clock: () => 1_772_366_000_003, ids: createTestIds() })
  return [createMemoryStore(options()), await openSqliteStore({ ...options(), path: ':memory:' })] as const
}

test('any history of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 30, size: 'max' }), async (steps) => {
      const [memory, sqlite] = await openBoth()
      try {
        for (const step of [...beginning, ...steps])
          expect(await outcomeOf(sqlite, step)).toEqual(await outcomeOf(memory, step))
        expect(await everything(sqlite)).toEqual(await everything(memory))
      } finally {
        await memory.close()
        await sqlite.close()
      }
    }),
    { numRuns: Number(process.env.SESS_RUNS ?? 100) },
  )
}, 300_000)
