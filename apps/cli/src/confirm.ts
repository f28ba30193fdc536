// Asks before something is deleted for good. Where nobody can answer, --yes has to stand on the command line.

import { usageError } from './failure.ts'
import { writeError } from './output/output.ts'
import { visibleText } from './output/text.ts'

/** Whether to go on; `what` says what is about to go, in lines without an end. */
export type Confirm = (what: string) => Promise<boolean>

/**
 * What to call once it is known what is to be deleted; with --yes it asks nothing.
 *
 * @throws a usage error, before anything is opened, without --yes where standard input is no terminal
 */
export function confirmUnless(yes = false): Confirm {
  if (yes) return async () => true
  if (!process.stdin.isTTY) throw usageError('what is deleted for good does not come back: add --yes')
  return ask
}

async function ask(what: string): Promise<boolean> {
  writeError(`${visibleText(what)}\nType yes to delete: `)
  // A terminal gives a line at a time. Leaving the loop lets go of standard input, which would keep the process waiting.
  for await (const line of process.stdin) return /^\s*yes\s*$/i.test(String(line))
  writeError('\n')
  return false
}
