// An application, not a library: one entry, a chunk for each command, no declarations. Everything but the native
// better-sqlite3 is bundled from source, because loading some 400 modules one by one takes longer than a command itself
// (`sess list`: 350 ms, bundled 110). What others wrote keeps its licence, in dist/licenses.txt.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig, type Rolldown } from 'tsdown'

const licenses: Rolldown.Plugin = {
  name: 'licenses',
  generateBundle(_options, bundle) {
    const folders = Object.values(bundle)
      .flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
      .flatMap((id) => packageFolder(id) ?? [])
    const texts = new Map(folders.map((folder) => [folder, licenseOf(folder)]))
    this.emitFile({
      type: 'asset',
      fileName: 'licenses.txt',
      source: [...texts.values()].sort().join(`\n${'-'.repeat(80)}\n\n`),
    })
  },
}

/** The folder of the package from a registry that a module belongs to. */
function packageFolder(id: string): string | undefined {
  if (!id.includes('node_modules')) return undefined
  let folder = dirname(id)
  // A package.json without a name only says what its folder's modules are.
  while (!hasName(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

function hasName(file: string): boolean {
  return existsSync(file) && 'name' in JSON.parse(readFileSync(file, 'utf8'))
}

function licenseOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} has no licence file to pass on`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

export default defineConfig({
  entry: ['src/main.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node22.13',
  dts: false,
  sourcemap: false,
  fixedExtension: false,
  deps: { alwaysBundle: [/./], neverBundle: ['better-sqlite3'], onlyBundle: false },
  inputOptions: { resolve: { conditionNames: ['@sess/source', 'node', 'import', 'default'] } },
  plugins: [licenses],
  copy: [{ from: '../../examples/conversations/*.json', to: 'dist/examples' }],
})
