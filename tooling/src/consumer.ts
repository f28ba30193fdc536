// `pnpm consumer`: packs every public package as npm would publish it, installs the tarballs into an empty folder with
// npm, and uses them there: what is missing from `files`, `exports` or `dependencies` shows only here.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'sess-consumer-'))

function run(command: string, args: readonly string[], cwd: string): string {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (result.status !== 0) {
    throw new Error(
      `${command} ${args.join(' ')}\n${result.stdout}${result.stderr}${result.error?.message ?? ''}`,
    )
  }
  return result.stdout
}

function assertEqual(found: string, wanted: string, what: string): void {
  if (found !== wanted)
    throw new Error(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`)
}

const program = `
import { isStoreError, restoreConversation } from '@sess/core'
import { planAppend } from '@sess/core/adapter'
import { createMemoryStore } from '@sess/core/memory'
import { storeSpecs } from '@sess/conformance'
import { openStore } from '@sess/connect'
import { readHistory } from '@sess/interop'
import { openKyselyStore } from '@sess/kysely'
import { openSqliteStore } from '@sess/sqlite'

for (const store of [createMemoryStore(), await openSqliteStore({ path: 'a/sess.db' }), await openStore('memory:')]) {
  await store.messages.append('s', [{ role: 'user', content: 'hi' }, { role: 'assistant', content: 'hello' }], { createSession: true })
  const { messages } = await restoreConversation(store, 's')
  if (messages.length !== 2) throw new Error('not restored')
  await store.close()
}
const missing = await openSqliteStore({ path: 'b.db', readOnly: true }).catch((error) => error)
const parts = [isStoreError(missing), typeof planAppend, storeSpecs.length > 50, typeof readHistory, typeof openKyselyStore]
process.stdout.write(parts.join(' '))
`

const types = `
import { createMemoryStore } from '@sess/core/memory'
import type { SessionStore } from '@sess/core'
import { openSqliteStore } from '@sess/sqlite'
const stores: SessionStore[] = [createMemoryStore(), await openSqliteStore({ path: ':memory:' })]
export const ids: string[] = (await stores[0]!.sessions.list()).items.map((session) => session.id)
`

try {
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  const packages = [
    ...readdirSync(join(root, 'packages')).map((name) => join('packages', name)),
    join('apps', 'cli'),
  ]
  for (const path of packages) run('pnpm', ['pack', '--pack-destination', tarballs], join(root, path))
  const files = readdirSync(tarballs).map((name) => join(tarballs, name))
  const app = join(folder, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }))
  run('npm', ['install', '--no-audit', '--no-fund', ...files], app)

  writeFileSync(join(app, 'use.js'), program)
  assertEqual(run(process.execPath, ['use.js'], app), 'true function true function function', 'use.js')

  writeFileSync(join(app, 'use.ts'), types)
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  const flags = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,esnext.disposable,dom',
    '--skipLibCheck',
    'false',
  ]
  run(compiler, [...flags, 'use.ts'], app)

  const sess = join(app, 'node_modules', '@sess', 'cli', 'bin', 'sess.js')
  const version = JSON.parse(
    readFileSync(join(app, 'node_modules', '@sess', 'cli', 'package.json'), 'utf8'),
  ).version
  assertEqual(run(process.execPath, [sess, '--version'], app).trim(), version, 'sess --version')
  run(process.execPath, [sess, '--db', 'cli.db', 'new', '--id', 'a'], app)
  assertEqual(
    JSON.parse(run(process.execPath, [sess, '--db', 'cli.db', '--json', 'list'], app)).items[0].id,
    'a',
    'sess list',
  )
  run(process.execPath, [sess, 'demo'], app)
  process.stdout.write(`${files.length} packages installed and used in an empty folder\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
