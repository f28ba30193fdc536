// `pnpm types`: the type checker over every package, from source, side by side.

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

const folders = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => join(folder, name)),
)
const projects = [...folders, 'examples', 'bench', 'tooling'].filter((folder) =>
  existsSync(join(root, folder, 'tsconfig.json')),
)

const results = await Promise.all(
  projects.map(
    (project) =>
      new Promise<number>((resolve) => {
        const child = spawn('tsc', ['-p', project, '--pretty'], { cwd: root, stdio: 'inherit' })
        child.on('close', (code) => resolve(code ?? 1))
      }),
  ),
)
process.exit(results.some((code) => code !== 0) ? 1 : 0)
