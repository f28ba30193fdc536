// `node tooling/src/matrix.ts NODE STORE`: the tests of one store on the Node that runs this, which must be the one that
// is named. The workspace's own scripts always run on its pinned Node, so a matrix goes past them.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './run.ts'

/** Where the tests of each store are; a further store joins by one line. */
const stores: Readonly<Record<string, readonly string[]>> = {
  memory: ['packages/core', 'packages/conformance', 'packages/interop'],
  sqlite: ['packages/kysely', 'packages/sqlite', 'packages/connect'],
}

const [major = '', store = ''] = process.argv.slice(2)
if (!process.version.startsWith(`v${major}.`)) {
  process.stderr.write(`this is Node ${process.version}, not ${major}\n`)
  process.exit(1)
}
const folders = stores[store]
if (folders === undefined) {
  process.stderr.write(`no store "${store}"; one of ${Object.keys(stores).join(', ')}\n`)
  process.exit(1)
}
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...folders], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
