// A page of threads: a table on a terminal, columns between tabs in a pipe.

import type { Thread } from '@sess/core'
import type { Context } from '../runtime.ts'
import { tabbedLine } from './text.ts'
import { isoTime, relativeTime } from './time.ts'

export async function writeThreads(context: Context, items: readonly Thread[]): Promise<void> {
  const { output, settings, now } = context
  const { locale, timeZone } = settings
  const rowOf = (thread: Thread, updated: string) => [
    thread.id,
    thread.name,
    String(thread.sessionCount),
    updated,
    thread.ownerId,
  ]
  if (!output.isTerminal) {
    return output.write(items.map((thread) => tabbedLine(rowOf(thread, isoTime(thread.updatedAt)))).join(''))
  }
  if (items.length === 0) return
  const { layoutTable } = await import('./table.ts')
  const { colors, columns: width } = output
  const columns = [
    // The beginning of an id made by the store that two of them hardly share.
    { title: 'ID', min: 18, style: colors.cyan },
    { title: 'NAME', min: 16, style: colors.bold },
    { title: 'SESSIONS', align: 'right' },
    { title: 'UPDATED', drop: 1 },
    { title: 'OWNER', min: 8, drop: 2 },
  ] as const
  const rows = items.map((thread) => rowOf(thread, relativeTime(thread.updatedAt, { now, locale, timeZone })))
  await output.write(`${layoutTable(columns, rows, width, colors.dim).join('\n')}\n`)
}
