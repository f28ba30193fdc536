// Binds the suite to vitest. It opens one store while tests are collected, so that a spec that does not apply stands in
// the report as skipped, with the reason in its name.

import { describe, test } from 'vitest'
import type { StoreHarness } from './harness.ts'
import { profileOf, runSpec, skipReason } from './run.ts'
import { specGroupsWithin } from './store-specs.ts'
import type { Tier } from './tiers.ts'

/** What of the contract is registered. */
export interface DescribeOptions {
  /** The highest tier: all of the contract unless given. */
  readonly tier?: Tier
}

/** Registers the contract for a store: one `describe` a group, one test a spec. */
export function describeSessionStore(harness: StoreHarness, options: DescribeOptions = {}): void {
  const { tier } = options
  const contract = tier === undefined ? 'the store contract' : `tier ${tier} of the store contract`
  describe(`${harness.name} keeps ${contract}`, async () => {
    const profile = await profileOf(harness)
    for (const group of specGroupsWithin(tier ?? 'D')) {
      describe(group.title, () => {
        for (const spec of group.specs) {
          const name = `${spec.id} ${spec.title}`
          const reason = skipReason(spec, profile)
          if (reason !== undefined) test.skip(`${name} (${reason})`)
          else {
            test(name, harness.timeout === undefined ? {} : { timeout: harness.timeout }, async () => {
              const result = await runSpec(spec, harness)
              if (result.outcome === 'failed') throw result.error
            })
          }
        }
      })
    }
  })
}
