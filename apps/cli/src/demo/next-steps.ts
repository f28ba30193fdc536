// The end of the demo: what to type now, in a form that works where the program runs from.

import { truncate } from '../output/width.ts'
import type { Context } from '../runtime.ts'

const installed = [
  ['sess import chat.json', 'your own files: of sess, of Goose, lines of messages'],
  ['sess append @last "Hello"', '@last is the latest conversation'],
  ['sess --help', 'everything else'],
] as const

const inCheckout = [
  ['npx -y pnpm@12 --silent sess import examples/conversations/login-test.json', 'or your own files'],
  ['npx -y pnpm@12 --silent sess append @last "Hello"', '@last: the latest session'],
  ['npx -y pnpm@12 --silent sess --help', 'everything else'],
] as const

/** Columns in which it makes sense to begin with what a command is for. */
const minRoom = 16

/** The commands, with what they are for where there is room; `url` is that of a module of the program. */
export function nextSteps({ output }: Pick<Context, 'output'>, url: string = import.meta.url): string {
  const { colors, columns } = output
  const steps = url.includes('/node_modules/') ? installed : inCheckout
  const widest = columns - minRoom - 4
  const width = Math.max(...steps.map(([{ length }]) => (length > widest ? 0 : length)))
  return steps
    .map(([command, what]) => {
      if (command.length > widest) return `${colors.cyan(`$ ${command}`)}\n`
      const rest = truncate(what, columns - width - 4)
      return `${colors.cyan(`$ ${command.padEnd(width)}`)}  ${colors.dim(rest)}\n`
    })
    .join('')
}
