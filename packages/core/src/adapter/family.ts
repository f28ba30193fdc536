// Which sessions go along where one is removed or brought back, for stores that look at rows in plain code.

import type { SessionRecord } from './records.ts'

/** Something that holds a session's row. */
interface Held {
  readonly row: Pick<
    SessionRecord,
    'id' | 'rowId' | 'ownerId' | 'sessionType' | 'parentSessionId' | 'branchOf'
  >
}

/**
 * Whether a session belongs to what it names, where one of a root's family is removed: it is of the root's owner, or nobody's
 * and made after what it names. Another owner's never does, and nobody's that is older has another in mind: a parent is only
 * named, and its id may come to be anybody's.
 */
export function belongs({ row }: Held, root: Held, named: Held): boolean {
  return row.ownerId === root.row.ownerId || (row.ownerId === '' && row.rowId > named.row.rowId)
}

/**
 * The session, then everything below it that goes along: sub_agent and hidden sessions of a parent, or that a rewind of it
 * made, each after the one above it.
 */
export function familyOf<Session extends Held>(root: Session, sessions: Iterable<Session>): Session[] {
  const below = new Map<string, Session[]>()
  for (const session of sessions) {
    const { parentSessionId, branchOf, sessionType } = session.row
    const goesAlong = sessionType === 'sub_agent' || sessionType === 'hidden'
    if (!goesAlong || session.row.id === root.row.id) continue
    for (const above of [parentSessionId, branchOf]) {
      const siblings = above === null ? undefined : below.get(above)
      if (siblings) siblings.push(session)
      else if (above !== null) below.set(above, [session])
    }
  }
  const found = new Set([root])
  // What is added meanwhile is walked too.
  for (const named of found) {
    for (const session of below.get(named.row.id) ?? []) if (belongs(session, root, named)) found.add(session)
  }
  return [...found]
}
