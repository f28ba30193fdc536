// Runs a command of the workspace and keeps its output to itself unless it fails.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** Runs quietly; on failure prints what the command said and ends this process. */
export function runQuietly(command: string, args: readonly string[]): void {
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', FORCE_COLOR: '0' },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (result.status === 0) return
  process.stderr.write(
    `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ? `${result.error.message}\n` : ''}`,
  )
  process.exit(result.status ?? 1)
}
