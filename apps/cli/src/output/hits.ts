// Hits of a search for a terminal: a heading that says where, and below it what was found.

import type { MessageHit, SessionHit } from '@sess/core'
import type { Context } from '../runtime.ts'
import { formatRole } from './role.ts'
import { countOf, displayName } from './session.ts'
import { markedSnippet } from './snippet.ts'
import { visibleLine } from './text.ts'
import { formatTime, relativeTime } from './time.ts'
import { truncate } from './width.ts'

/** A message that was found, in two lines. */
export function formatMessageHit(hit: MessageHit, { output, settings }: Context): string {
  const { colors, columns } = output
  const place = `${visibleLine(hit.sessionId)}  #${hit.seq}`
  const time = formatTime(hit.createdAt, settings.timeZone).slice(0, -3)
  const room = columns - place.length - hit.role.length - time.length - 6
  const name = truncate(displayName(hit.session), Math.max(0, room))
  const head = [colors.cyan(place), formatRole(hit.role, colors), colors.dim(time), colors.dim(name)]
  return `${head.join('  ').trimEnd()}\n  ${markedSnippet(hit.snippet, colors)}\n`
}

/** A session that was found, with its best hits. */
export function formatSessionHit(hit: SessionHit, { output, settings, now }: Context): string {
  const { colors, columns } = output
  const { session, hitCount, hits, nameSnippet } = hit
  const { locale, timeZone } = settings
  const age = relativeTime(session.lastActiveAt, { now, locale, timeZone })
  const facts = `${countOf(hitCount, 'hit')}  ${age}`
  const id = visibleLine(session.id)
  const room = Math.max(0, columns - id.length - facts.length - 4)
  const name = nameSnippet ? markedSnippet(nameSnippet, colors) : truncate(displayName(session), room)
  const lines = hits.map(
    ({ seq, role, snippet }) =>
      `  ${colors.dim(`#${seq}`)} ${formatRole(role, colors)}  ${markedSnippet(snippet, colors)}\n`,
  )
  return `${colors.cyan(id)}  ${colors.bold(name)}  ${colors.dim(facts)}\n${lines.join('')}`
}
