// `pnpm build`: builds every package, then puts the command line into node_modules/.bin of the checkout. It is a wrapper
// and no link, because it must run on the checkout's own Node.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runQuietly } from './run.ts'

const wrapper = `#!/bin/sh
here=$(dirname "$0")
exec "$here/node" "$here/../../apps/cli/bin/sess.js" "$@"
`

runQuietly('turbo', ['run', 'build'])
const path = join(root, 'node_modules', '.bin', 'sess')
rmSync(path, { force: true })
writeFileSync(path, wrapper, { mode: 0o755 })
