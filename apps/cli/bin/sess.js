#!/usr/bin/env node
import { existsSync } from 'node:fs'

const [major, minor] = process.versions.node.split('.').map(Number)
const main = new URL('../dist/main.js', import.meta.url)
if (major < 22 || (major === 22 && minor < 13)) {
  fail(`needs Node 22.13 or newer, this is ${process.version}`)
} else if (!existsSync(main)) {
  fail('is not built yet: run "npx -y pnpm@12 build" in the repository first')
} else {
  await import(main.href)
}

function fail(reason) {
  process.stderr.write(`sess: ${reason}\n`)
  process.exitCode = 1
}
