// `pnpm consumer`: packs every public package as npm would publish it, installs each alone into an empty folder with npm,
// type-checks a snippet against it and runs it: what is missing from `files`, `exports` or `dependencies` shows only here.
// `pnpm pack-all FOLDER` only packs. `node tooling/src/consumer.ts --packed FOLDER` uses tarballs that are there, on whatever
// Node runs this.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './run.ts'
import { snippets } from './snippets.ts'

const { values, positionals } = parseArgs({
  options: { packed: { type: 'string' }, pack: { type: 'boolean' } },
  allowPositionals: true,
})
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

/** The public packages by name, with their folders. */
const packages = new Map(
  [...readdirSync(join(root, 'packages')).map((name) => join('packages', name)), join('apps', 'cli')].map(
    (path) => {
      const { name } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as { name: string }
      return [name, path] as const
    },
  ),
)

function pack(target: string): void {
  mkdirSync(target, { recursive: true })
  for (const path of packages.values()) run('pnpm', ['pack', '--pack-destination', target], join(root, path))
}

/** Installs one package from its tarball; those it needs of ours come from theirs. */
function install(name: string, tarballs: string): string {
  const file = (of: string) =>
    `file:${join(tarballs, readdirSync(tarballs).find((found) => found.startsWith(`${of.slice(1).replace('/', '-')}-`)) ?? of)}`
  const app = join(folder, name.replace('/', '-'))
  mkdirSync(app)
  const overrides = Object.fromEntries(
    [...packages.keys()].filter((other) => other !== name).map((other) => [other, file(other)]),
  )
  const manifest = {
    name: 'app',
    private: true,
    type: 'module',
    dependencies: { [name]: file(name) },
    overrides,
  }
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest))
  run('npm', ['install', '--no-audit', '--no-fund'], app)
  return app
}

const compilerFlags =
  '--strict --noEmit --module nodenext --target es2024 --lib es2024,esnext.disposable,dom --types node --skipLibCheck false'

try {
  if (values.pack) {
    // Where the command was given, not where the script runs.
    const target = resolve(process.env.INIT_CWD ?? process.cwd(), positionals[0] ?? 'packed')
    pack(target)
    process.stdout.write(`${packages.size} packages in ${target}\n`)
  } else {
    const tarballs = values.packed ?? join(folder, 'tarballs')
    if (values.packed === undefined) pack(tarballs)
    for (const name of packages.keys()) {
      const app = install(name, tarballs)
      const snippet = snippets[name]
      if (snippet === undefined) throw new Error(`${name}: has no snippet in tooling/src/snippets.ts`)
      if (snippet.program !== undefined) {
        writeFileSync(join(app, 'use.ts'), snippet.program)
        // Only in a checkout: elsewhere there is no compiler.
        if (values.packed === undefined) {
          const types = ['--typeRoots', join(root, 'node_modules', '@types')]
          run(
            join(root, 'node_modules', '.bin', 'tsc'),
            [...compilerFlags.split(' '), ...types, 'use.ts'],
            app,
          )
        }
        const found = run(process.execPath, ['use.ts'], app)
        if (found !== snippet.prints) throw new Error(`${name}: printed ${JSON.stringify(found)}`)
      }
      for (const [args, expected] of snippet.commands ?? []) {
        const found = run(process.execPath, [join(app, 'node_modules', name, 'bin', 'sess.js'), ...args], app)
        if (!expected.test(found))
          throw new Error(`${name} ${args.join(' ')}: printed ${JSON.stringify(found)}`)
      }
    }
    process.stdout.write(
      `${packages.size} packages, each alone in an empty folder on Node ${process.version}\n`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
