// A session for people: the name a list shows, and the lines above a conversation.

import type { Session } from '@sess/core'
import type { Settings } from '../settings.ts'
import type { Colors } from './output.ts'
import { visibleLine } from './text.ts'
import { formatTime, relativeTime } from './time.ts'

/** Its name, or where it has none but a default one what was said last. */
export function displayName({ name, nameSource, preview }: Session): string {
  return visibleLine(nameSource === 'default' && preview !== '' ? preview : name)
}

/** A folder, the home folder as `~`. */
export function displayFolder(path: string | undefined, home: string): string {
  if (path === undefined) return ''
  const isInside = home.length > 1 && (path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`))
  return visibleLine(isInside ? `~${path.slice(home.length)}` : path)
}

/** `1 message`, `2,345 messages`. */
export function countOf(number: number, singular: string): string {
  return `${number.toLocaleString('en-US')} ${singular}${number === 1 ? '' : 's'}`
}

/** The lines that say what a session is, without a line end at the end. */
export function formatSession(
  session: Session,
  settings: Settings,
  { colors, now, home }: { readonly colors: Colors; readonly now: number; readonly home: string },
): string {
  const { locale, timeZone } = settings
  const model = session.modelConfig?.model ?? session.modelConfig?.model_name
  const tokens = session.tokenCounts.accumulated.total
  const facts = [
    [
      visibleLine(session.id),
      session.type,
      countOf(session.messageCount, 'message'),
      displayFolder(session.workingDir, home),
    ],
    [
      `created ${formatTime(session.createdAt, timeZone)}`,
      `last active ${relativeTime(session.lastActiveAt, { now, locale, timeZone })}`,
      [session.providerName, model].filter((part) => typeof part === 'string').map((part) => visibleLine(part as string)).join(' '),
      tokens === undefined ? '' : countOf(tokens, 'token'),
    ],
    [
      ...session.tags.map((tag) => `#${visibleLine(tag)}`),
      session.pinned ? 'pinned' : '',
      session.archivedAt === undefined ? '' : 'archived',
      session.deletedAt === undefined ? '' : 'in the trash',
      from('from', session.source && `${session.source.agent} ${session.source.sessionId}`),
      from('fork of', session.forkedFrom && `${session.forkedFrom.sessionId} through #${session.forkedFrom.seq}`),
      from('branch of', session.branchOf),
      from('child of', session.parentSessionId),
    ],
  ]
  const lines = facts.map((line) => line.filter((fact) => fact !== '').join(' · ')).filter((line) => line !== '')
  return [colors.bold(displayName(session)), ...lines.map((line) => colors.dim(line))].join('\n')
}

function from(what: string, id: string | undefined): string {
  return id === undefined ? '' : `${what} ${visibleLine(id)}`
}
