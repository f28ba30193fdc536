// A page of sessions as a table for a terminal.

import { homedir } from 'node:os'
import type { Page, Session } from '@sess/core'
import type { Context } from '../runtime.ts'
import { displayFolder, displayName } from './session.ts'
import { type Column, layoutTable } from './table.ts'
import { visibleLine } from './text.ts'
import { relativeTime } from './time.ts'

/** The lines of the table; '' for an empty page. */
export function formatTable({ items }: Page<Session>, { output, settings, now }: Context): string {
  if (items.length === 0) return ''
  const { colors, columns: width } = output
  const { locale, timeZone } = settings
  const columns: Column[] = [
    { title: 'ID', min: 20, style: colors.cyan },
    { title: 'NAME', min: 16, style: colors.bold },
    { title: 'TYPE', drop: 2 },
    { title: 'MSGS', align: 'right' },
    { title: 'ACTIVE', drop: 1 },
    { title: 'FOLDER', min: 12, drop: 3, style: colors.dim },
  ]
  const home = homedir()
  const rows = items.map((session) => [
    visibleLine(session.id),
    (session.pinned ? '* ' : '') + displayName(session),
    session.type,
    String(session.messageCount),
    relativeTime(session.lastActiveAt, { now, locale, timeZone }),
    displayFolder(session.workingDir, home),
  ])
  return `${layoutTable(columns, rows, width, colors.dim).join('\n')}\n`
}
