// `pnpm build`: builds every package, then links the command line into node_modules/.bin of the checkout.

import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root, runQuietly } from './run.ts'

runQuietly('turbo', ['run', 'build'])
const link = join(root, 'node_modules', '.bin', 'sess')
rmSync(link, { force: true })
symlinkSync(join('..', '..', 'apps', 'cli', 'bin', 'sess.js'), link)
