// Parts of a session for people: the name and the folder a list shows, counts of things.

import type { Session } from '@sess/core'
import { visibleLine } from './text.ts'

/** Its name, or where it has none but a default one what was said last. */
export function displayName({ name, nameSource, preview }: Session): string {
  return visibleLine(nameSource === 'default' && preview !== '' ? preview : name)
}

/** The line that says what has happened to a session: `archived 20260301_4: Login test`. */
export function doneLine(done: string, session: Session): string {
  return `${done} ${visibleLine(session.id)}: ${displayName(session)}\n`
}

/** A folder, the home folder as `~`. */
export function displayFolder(path: string | undefined, home: string): string {
  if (path === undefined) return ''
  const isInside =
    home.length > 1 && (path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`))
  return visibleLine(isInside ? `~${path.slice(home.length)}` : path)
}

/** `1 message`, `2,345 messages`. */
export function countOf(number: number, singular: string): string {
  // A file that was made by others may hold anything for a number.
  const digits = typeof number === 'number' ? number.toLocaleString('en-US') : visibleLine(String(number))
  return `${digits} ${singular}${number === 1 ? '' : 's'}`
}
