import { existsSync } from 'node:fs'
import picocolors from 'picocolors'
import { expect, it } from 'vitest'
import type { Output } from '../output/output.ts'
import { nextSteps } from './next-steps.ts'

const output = { columns: 78, colors: picocolors.createColors(false) } as Output

it('shows what works where it is installed', () => {
  expect(nextSteps({ output }, 'file:///usr/lib/node_modules/@sess/cli/dist/demo.js')).toBe(
    [
      '$ sess import chat.json      your own files: of sess, of Goose, lines of mess…',
      '$ sess append @last "Hello"  @last is the latest conversation',
      '$ sess --help                everything else',
      '',
    ].join('\n'),
  )
})

it('shows what works in a checkout', () => {
  const file = 'examples/conversations/login-test.json'
  const lines = [
    `$ npx -y pnpm@12 --silent sess import ${file}`,
    '$ npx -y pnpm@12 --silent sess append @last "Hello"  @last: the latest session',
    '$ npx -y pnpm@12 --silent sess --help                everything else',
    '',
  ]
  expect(nextSteps({ output })).toBe(lines.join('\n'))
  expect(nextSteps({ output: { ...output, columns: 98 } })).toContain(`${lines[0]}  or your own files\n`)
  expect(existsSync(new URL(`../../../../${file}`, import.meta.url))).toBe(true)
})
