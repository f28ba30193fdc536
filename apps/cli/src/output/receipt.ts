// What a command that changes something answers.

import type { Context } from '../runtime.ts'
import { toJsonText } from './json.ts'
import { visibleText } from './text.ts'

/** Prints the value as JSON where --json asks for it, else the lines for people, which --quiet leaves out. */
export async function writeReceipt(
  { output, settings }: Pick<Context, 'output' | 'settings'>,
  value: object,
  lines: string,
): Promise<void> {
  if (settings.json) await output.write(`${toJsonText(value)}\n`)
  else if (!settings.quiet) await output.write(visibleText(lines))
}
