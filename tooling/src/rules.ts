// `pnpm rules`: house rules that no linter here knows. Prints each breach and fails if there is one.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

const maxLines = 300

const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .stdout.split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))
const text = (file: string) => readFileSync(join(root, file), 'utf8')
const breaches: string[] = []

for (const file of files.filter((name) => /\.m?tsx?$/.test(name))) {
  const lines = text(file).split('\n').length - 1
  if (lines > maxLines) breaches.push(`${file}: ${lines} lines, at most ${maxLines}: split it by idea`)
  const mark = /\b(TODO|FIXME|XXX|HACK)\b|\.only\(/.exec(text(file))
  if (mark && file !== 'tooling/src/rules.ts') breaches.push(`${file}: "${mark[0]}" is left in it`)
}

for (const file of files.filter((name) => /^(packages|apps)\/[^/]+\/package\.json$/.test(name))) {
  const folder = file.slice(0, -'package.json'.length)
  const manifest = JSON.parse(text(file))
  const readme = `${folder}README.md`
  if (!existsSync(join(root, readme))) breaches.push(`${file}: has no README.md beside it`)
  else if (text(readme).split('\n').length > 80) breaches.push(`${readme}: more than one screen (80 lines)`)
  if (manifest.license !== 'MIT') breaches.push(`${file}: license is not MIT`)
  if (manifest.engines?.node !== '>=22.13') breaches.push(`${file}: engines.node is not ">=22.13"`)
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    if (version !== 'catalog:' && version !== 'workspace:*')
      breaches.push(`${file}: ${name} has a version of its own`)
  }
}

const core = JSON.parse(text('packages/core/package.json'))
if (Object.keys(core.dependencies).join() !== 'zod') breaches.push('packages/core: depends on more than zod')

// Every backend has the same file names, so who knows one knows the other.
for (const backend of ['sqlite', 'libsql'].filter((name) => existsSync(join(root, 'packages', name)))) {
  for (const name of ['open', 'dialect', 'options', 'index']) {
    const file = `packages/${backend}/src/${name}.ts`
    if (!files.includes(file)) breaches.push(`${file}: is missing`)
  }
}

// What the changelog is made of; a formatter of markdown may take its head for a heading.
const head = /^---\n(?:"@sess\/[a-z]+": (?:patch|minor|major)\n)+---\n\n\S/
for (const file of files.filter((name) => /^\.changeset\/.*\.md$/.test(name))) {
  if (!head.test(text(file))) breaches.push(`${file}: has no head that changesets reads`)
}

// Both READMEs show the same commands and the same packages.
const shape = (file: string) => ({
  commands: [...text(file).matchAll(/^npx [^#\n]*[^# \n]/gm)].map(([command]) => command),
  links: [...text(file).matchAll(/\]\(([^)]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !target?.startsWith('README')),
})
if (JSON.stringify(shape('README.md')) !== JSON.stringify(shape('README.zh-CN.md'))) {
  breaches.push('README.zh-CN.md: its commands or links are not those of README.md')
}
for (const file of ['README.md', 'README.zh-CN.md']) {
  if (text(file).split('\n').length > 60) breaches.push(`${file}: more than one screen (60 lines)`)
}

// Links between documents lead somewhere.
for (const file of files.filter((name) => name.endsWith('.md'))) {
  for (const [, target = ''] of text(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)) {
    const path = join(root, file, '..', target)
    if (!existsSync(path)) breaches.push(`${file}: links to ${target}, which is not there`)
  }
}

for (const breach of breaches) process.stderr.write(`${breach}\n`)
process.exit(breaches.length > 0 ? 1 : 0)
