// `pnpm demo`: builds the command line, then shows it.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root, runQuietly } from './run.ts'

runQuietly('turbo', ['run', 'build', '--filter=@sess/cli'])
const { status } = spawnSync(process.execPath, [join(root, 'apps', 'cli', 'bin', 'sess.js'), 'demo'], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
