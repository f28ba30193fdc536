// Runs specs one after the other and tells of each. A spec that hangs is given up after its time; what a store leaves
// running and rejects with nobody listening fails the spec that ran then, instead of ending the process.

import { setImmediate } from 'node:timers/promises'
import type { StoreHarness } from '../harness.ts'
import { runSpec, type SpecResult } from '../run.ts'
import type { Spec } from '../spec.ts'
import { inOneLine } from './harness-module.ts'

/** Milliseconds a spec may take where the harness says nothing. */
const defaultTimeout = 20_000

/** How many there were of each outcome. */
export interface RunSummary {
  readonly passed: number
  readonly skipped: number
  readonly failed: number
}

/** Runs specs against a harness; `print` is called with one line for each, and with the summary at the end. */
export async function runAll(
  specs: readonly Spec[],
  harness: StoreHarness,
  print: (line: string) => void,
): Promise<RunSummary> {
  const counts = { passed: 0, skipped: 0, failed: 0 }
  const stray: unknown[] = []
  const listen = (error: unknown) => stray.push(error)
  process.on('unhandledRejection', listen)
  try {
    for (const spec of specs) {
      stray.length = 0
      const result = await runWithin(spec, harness)
      // Node tells of a rejection that nobody handles once the microtasks are done.
      await setImmediate()
      const [error] = stray
      const outcome = result.outcome === 'passed' && stray.length > 0 ? failure(error) : result
      counts[outcome.outcome]++
      print(lineOf(spec, outcome))
    }
  } finally {
    process.off('unhandledRejection', listen)
  }
  print(`${harness.name}: ${counts.passed} passed, ${counts.skipped} skipped, ${counts.failed} failed`)
  return counts
}

async function runWithin(spec: Spec, harness: StoreHarness): Promise<SpecResult> {
  const limit = harness.timeout ?? defaultTimeout
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<SpecResult>((resolve) => {
    timer = setTimeout(() => resolve(failure(new Error(`took more than ${limit} ms`))), limit)
  })
  try {
    return await Promise.race([runSpec(spec, harness), timeout])
  } finally {
    clearTimeout(timer)
  }
}

function failure(error: unknown): SpecResult {
  return { outcome: 'failed', error }
}

function lineOf({ id, title }: Spec, result: SpecResult): string {
  switch (result.outcome) {
    case 'passed':
      return `ok   ${id} ${title}`
    case 'skipped':
      return `skip ${id} ${title} (${result.reason})`
    case 'failed':
      return `FAIL ${id} ${title}: ${inOneLine(result.error)}`
  }
}
