// Times of repeated work: medians of rounds, so that one pause of the machine does not count.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The median time of one call, in microseconds, over `rounds` rounds of `calls` calls, after one round of warm-up. */
export async function medianMicroseconds(
  calls: number,
  rounds: number,
  work: () => unknown,
): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    for (let call = 0; call < calls; call++) await work()
    if (round > 0) times.push(((performance.now() - start) * 1000) / calls)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

/** Runs work in a fresh folder that is removed afterwards. */
export async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sess-bench-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
