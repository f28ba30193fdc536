// A page of sessions: a table on a terminal, columns between tabs in a pipe.

import type { Session } from '@sess/core'
import type { Context } from '../runtime.ts'
import { displayName } from './session.ts'
import { tabbedLine } from './text.ts'
import { isoTime } from './time.ts'

export async function writeSessions(context: Context, items: readonly Session[]): Promise<void> {
  const { output } = context
  if (!output.isTerminal) return output.write(formatColumns(items))
  const { formatTable } = await import('./session-table.ts')
  await output.write(formatTable({ items }, context))
}

function formatColumns(items: readonly Session[]): string {
  return items
    .map((session) => {
      const { id, type, messageCount, lastActiveAt, workingDir = '' } = session
      return tabbedLine([id, displayName(session), type, messageCount, isoTime(lastActiveAt), workingDir])
    })
    .join('')
}
