// Any history cut into transactions, some of which are thrown away, gives the same on every kind of store, and a
// transaction that was thrown away is as if it had never been.

import { createTestIds } from '@sess/conformance'
import type { SessionStore } from '@sess/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyStep, beginning } from './histories.ts'
import { everything, outcomeOf } from './observe.ts'
import { allKinds } from './stores.ts'

const block = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 8 }),
  end: fc.constantFrom('kept', 'kept', 'thrown away', 'no transaction'),
})

async function openAll(): Promise<SessionStore[]> {
  const options = () => ({ clock: () => 1_772_366_000_003, ids: createTestIds() })
  return Promise.all(allKinds.map(async ({ open }) => (await open(options())).store))
}

test('any history cut into transactions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 6 }), async (blocks) => {
      const stores = await openAll()
      for (const store of stores) for (const step of beginning) await outcomeOf(store, step)
      for (const { steps, end } of blocks) {
        const answers = []
        for (const store of stores) {
          const outcomes: unknown[] = []
          const run = async (scope: Pick<SessionStore, 'sessions' | 'messages' | 'threads'>) => {
            for (const step of steps) outcomes.push(await outcomeOf(scope as SessionStore, step))
          }
          const before = end === 'thrown away' ? await everything(store) : undefined
          const mine = new Error('thrown away')
          if (end === 'no transaction') await run(store)
          if (end === 'kept') await store.transact(run)
          if (end === 'thrown away') {
            const failed = store.transact(async (scope) => {
              await run(scope)
              throw mine
            })
            await expect(failed).rejects.toBe(mine)
            expect(await everything(store)).toEqual(before)
          }
          answers.push(outcomes)
        }
        expect(answers[1]).toEqual(answers[0])
        expect(answers[2]).toEqual(answers[0])
      }
      const [memory, ...others] = await Promise.all(stores.map(everything))
      for (const other of others) expect(other).toEqual(memory)
      for (const store of stores) await store.close()
    }),
    { numRuns: Number(process.env.SESS_RUNS ?? 25) },
  )
}, 300_000)
