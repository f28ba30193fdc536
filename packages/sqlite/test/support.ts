// Temporary folders for tests, removed at the end of each.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

const made: string[] = []

/** A fresh folder. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sess-'))
  made.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})
