// What makes the suite trustworthy: stores that do one thing wrong, each of which its specs must notice. A spec nobody
// can fail proves nothing.

import { describe, expect, test } from 'vitest'
import { runSpec, type Spec, type StoreHarness, storeSpecs } from '../src/index.ts'
import { brokenArguments } from './broken/arguments.ts'
import { brokenEdits } from './broken/edits.ts'
import { brokenForks } from './broken/forks.ts'
import { brokenGroups } from './broken/groups.ts'
import { brokenGuards } from './broken/guards.ts'
import { brokenHarnesses } from './broken/harnesses.ts'
import { brokenLists } from './broken/lists.ts'
import { brokenMessages } from './broken/messages.ts'
import { brokenSearch } from './broken/search.ts'
import { brokenSessions } from './broken/sessions.ts'
import { createSharedMemoryHarness } from './memory-harness.ts'

function specOf(id: string): Spec {
  const spec = storeSpecs.find((one) => one.id === id)
  if (spec === undefined) throw new Error(`there is no spec ${id}`)
  return spec
}

async function outcomes(ids: readonly string[], harness: StoreHarness) {
  const results: { [id: string]: string } = {}
  for (const id of ids) results[id] = (await runSpec(specOf(id), harness)).outcome
  return results
}

const failed = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, 'failed']))

describe('the specs over a store that does everything right', () => {
  const harness = createSharedMemoryHarness()
  test.each(storeSpecs.map((spec) => [spec.id, spec] as const))('%s passes', async (_, spec) => {
    const result = await runSpec(spec, harness)
    if (result.outcome === 'failed') throw result.error
    expect(result.outcome).toBe('passed')
  })
})

describe('a store that', () => {
  test.each([
    ...brokenSessions,
    ...brokenLists,
    ...brokenMessages,
    ...brokenGuards,
    ...brokenForks,
    ...brokenEdits,
    ...brokenGroups,
    ...brokenSearch,
    ...brokenArguments,
  ])('$name is noticed by $fails', async ({ name, fails, wrap }) => {
    expect(await outcomes(fails, createSharedMemoryHarness(name, wrap))).toEqual(failed(fails))
  })
})

describe('a store whose handles', () => {
  test.each(brokenHarnesses)('$harness.name is noticed by $fails', async ({ harness, fails }) => {
    expect(await outcomes(fails, harness)).toEqual(failed(fails))
  })
})
