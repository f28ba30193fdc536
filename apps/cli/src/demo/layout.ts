// How the demo looks: numbered steps, indented, each with the command that does it.

import type { Message, RestoredMessage } from '@sess/core'
import type { Colors } from '../output/output.ts'
import { formatRole } from '../output/role.ts'
import { foldedLine } from '../output/text.ts'
import { truncate } from '../output/width.ts'
import type { Context } from '../runtime.ts'

export interface Step {
  readonly title: string
  /** What does it, on a command line or in a program; '' for none. */
  readonly command: string
  /** Lines, each with its end. */
  readonly body: string
}

const margin = '  '

/** The lines of a step, an empty one before it. */
export function formatStep({ output }: Context, number: number, { title, command, body }: Step): string {
  const { colors, columns } = output
  const head = `${number}. ${title}`
  const fits = head.length + command.length + 4 <= columns
  const space = fits ? ' '.repeat(columns - head.length - command.length) : `\n${margin}`
  const line = command === '' ? '' : `${space}${colors.cyan(command)}`
  return `\n${colors.bold(colors.inverse(` ${number} `))} ${colors.bold(title)}${line.slice(fits ? 1 : 0)}\n\n${indent(body)}`
}

/** The context with the margin taken off. */
export function narrow(context: Context): Context {
  return { ...context, output: { ...context.output, columns: context.output.columns - margin.length } }
}

/** A line for each message, with its role. */
export function saidLines(
  messages: readonly (Pick<Message, 'role' | 'content'> | RestoredMessage)[],
  { colors, columns }: { readonly colors: Colors; readonly columns: number },
): string {
  const width = 'assistant'.length
  return messages
    .map(({ role, content }) => {
      const text = content.map((block) => (block.type === 'text' ? block.text : '')).join(' ')
      const line = truncate(foldedLine(text.replaceAll('```', '')), columns - width - 2)
      return `${formatRole(role, colors, width)}  ${line}\n`
    })
    .join('')
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, margin)
}
