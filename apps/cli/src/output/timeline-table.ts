// A page of a thread's messages as a table for a terminal.

import type { Message } from '@sess/core'
import type { Context } from '../runtime.ts'
import { messageLine } from './message-line.ts'
import { formatRole } from './role.ts'
import { type Column, layoutTable } from './table.ts'
import { visibleLine } from './text.ts'
import { formatTime } from './time.ts'

/** The lines of the table; '' for an empty page. */
export function formatTimeline(
  messages: readonly Message[],
  { output, settings }: Pick<Context, 'output' | 'settings'>,
): string {
  if (messages.length === 0) return ''
  const { colors, columns: width } = output
  const columns: Column[] = [
    { title: 'TIME', drop: 2, style: colors.dim },
    { title: 'SESSION', min: 12, style: colors.cyan },
    { title: 'SEQ', align: 'right', drop: 1, style: colors.dim },
    { title: 'ROLE', style: (role) => formatRole(role as Message['role'], colors) },
    { title: 'MESSAGE', min: 24 },
  ]
  const rows = messages.map((message) => [
    formatTime(message.createdAt, settings.timeZone),
    visibleLine(message.sessionId),
    `#${message.seq}`,
    message.role,
    // What no terminal is wide enough for takes long to measure.
    messageLine(message).slice(0, 8 * width),
  ])
  return `${layoutTable(columns, rows, width, colors.dim).join('\n')}\n`
}
