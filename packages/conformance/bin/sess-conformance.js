#!/usr/bin/env node
import { existsSync } from 'node:fs'

const [major, minor] = process.versions.node.split('.').map(Number)
const cli = new URL('../dist/cli.js', import.meta.url)
if (major < 22 || (major === 22 && minor < 13)) {
  fail(`needs Node 22.13 or newer, this is ${process.version}`)
} else if (!existsSync(cli)) {
  fail('is not built yet: run "npx -y pnpm@12 build" in the repository first')
} else {
  await import(cli.href)
}

function fail(reason) {
  process.stderr.write(`sess-conformance: ${reason}\n`)
  process.exitCode = 2
}
