// Which sessions go along where one is removed or brought back, for stores that look at rows in plain code.

import type { SessionRecord } from './records.ts'

/** Something that holds a session's row. */
interface Held {
  readonly row: Pick<SessionRecord, 'id' | 'ownerId' | 'sessionType' | 'parentSessionId' | 'branchOf'>
}

/**
 * The session, then everything below it that goes along: sub_agent and hidden sessions of a parent, or that a rewind of it
 * made, each after the one above it. Another owner's never does: a parent is only named, and its id may have come to be
 * somebody else's.
 */
export function familyOf<Session extends Held>(root: Session, sessions: Iterable<Session>): Session[] {
  const below = new Map<string, Session[]>()
  for (const session of sessions) {
    const { parentSessionId, branchOf, sessionType, ownerId } = session.row
    const goesAlong = sessionType === 'sub_agent' || sessionType === 'hidden'
    const isOthers = ownerId !== '' && ownerId !== root.row.ownerId
    if (!goesAlong || isOthers || session.row.id === root.row.id) continue
    for (const above of [parentSessionId, branchOf]) {
      const siblings = above === null ? undefined : below.get(above)
      if (siblings) siblings.push(session)
      else if (above !== null) below.set(above, [session])
    }
  }
  const found = new Set([root])
  // What is added meanwhile is walked too.
  for (const parent of found) for (const session of below.get(parent.row.id) ?? []) found.add(session)
  return [...found]
}
