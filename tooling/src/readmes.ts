// `pnpm readmes`: every TypeScript example of a README or a guide is type-checked, and those that are whole programs are
// run, from source. An example that does not compile is worse than none.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './run.ts'

const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .stdout.split('\n')
  .filter((file) => file !== '' && !file.startsWith('.changeset/'))

/** Where the examples stand while they are checked: inside the workspace, so that the packages are found. */
const folder = join(root, 'examples', 'readme-checks')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

const examples = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  // ```ts no-run: only type-checked; ```ts ignore: a fragment.
  return [...text.matchAll(/```ts( no-run| ignore)?\n([\s\S]*?)```/g)].flatMap(
    ([, flag, code = ''], index) => {
      if (flag === ' ignore') return []
      const name = `${file.replaceAll(/[/.]/g, '-')}-${index}.ts`
      writeFileSync(join(folder, name), `${code}\nexport {}\n`)
      return [{ file, name, runs: flag === undefined }]
    },
  )
})

writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../tsconfig.base.json',
    compilerOptions: {
      types: ['node'],
      lib: ['es2024', 'esnext.disposable', 'esnext.array', 'dom'],
      isolatedDeclarations: false,
      declaration: false,
      noUnusedLocals: false,
    },
    include: ['.'],
  }),
)

let failed = spawnSync('tsc', ['-p', folder], { cwd: root, stdio: 'inherit' }).status !== 0
for (const { file, name } of examples.filter(({ runs }) => runs)) {
  const workDir = mkdtempSync(join(tmpdir(), 'sess-readme-'))
  const args = ['--conditions=@sess/source', join(folder, name)]
  const result = spawnSync(process.execPath, args, { cwd: workDir, encoding: 'utf8', env: process.env })
  rmSync(workDir, { recursive: true, force: true })
  if (result.status === 0) continue
  failed = true
  process.stderr.write(`${file} (${name}) does not run:\n${result.stderr}\n`)
}
if (!failed) {
  rmSync(folder, { recursive: true, force: true })
  process.stdout.write(
    `${examples.length} examples of ${new Set(examples.map(({ file }) => file)).size} files\n`,
  )
}
process.exit(failed ? 1 : 0)
