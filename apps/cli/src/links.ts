// Links between the sessions of an import. They are ids of the store the file came from, which here may be those of
// unrelated sessions: each becomes the new id of a session that came in the same run, or goes.

import type { ImportedSession } from '@sess/core'

type Linked = Pick<ImportedSession, 'source' | 'parentSessionId' | 'branchOf' | 'forkedFrom'>

/** The sessions in their order, but each behind those it is linked to, except where they stand in a circle. */
export function inLinkOrder<T>(items: readonly T[], sessionOf: (item: T) => Linked): T[] {
  const byId = new Map<string, T>()
  for (const item of items) {
    const key = ownKey(sessionOf(item))
    if (key !== undefined && !byId.has(key)) byId.set(key, item)
  }
  const begun = new Set<T>()
  const ordered = new Set<T>()
  const stack = items.toReversed()
  for (let item = stack.at(-1); item !== undefined; item = stack.at(-1)) {
    const before = begun.has(item) ? [] : linkKeys(sessionOf(item)).flatMap((key) => byId.get(key) ?? [])
    begun.add(item)
    const waiting = before.filter((other) => !begun.has(other))
    if (waiting.length > 0) stack.push(...waiting.toReversed())
    else {
      stack.pop()
      ordered.add(item)
    }
  }
  return [...ordered]
}

/** What became of the sessions of a run. */
export interface Links {
  /** The session as it is to be stored here. */
  relink(session: ImportedSession): ImportedSession
  /** Tells the id that a session has here. */
  stored(session: ImportedSession, id: string): void
}

export function createLinks(): Links {
  const newIds = new Map<string, string>()
  return {
    relink(session) {
      const { parentSessionId, branchOf, forkedFrom, ...rest } = session
      const here = (id: string | undefined) => (id === undefined ? undefined : newIds.get(keyOf(session, id)))
      const forked = here(forkedFrom?.sessionId)
      return {
        ...rest,
        parentSessionId: here(parentSessionId),
        branchOf: here(branchOf),
        forkedFrom:
          forked === undefined || forkedFrom === undefined ? undefined : { ...forkedFrom, sessionId: forked },
      }
    },
    stored(session, id) {
      const key = ownKey(session)
      if (key !== undefined) newIds.set(key, id)
    },
  }
}

function ownKey(session: Linked): string | undefined {
  return session.source && keyOf(session, session.source.sessionId)
}

function linkKeys(session: Linked): string[] {
  const { parentSessionId, branchOf, forkedFrom } = session
  const ids = [parentSessionId, branchOf, forkedFrom?.sessionId].filter((id) => id !== undefined)
  return ids.map((id) => keyOf(session, id))
}

/** Ids of different agents have nothing to do with each other. */
function keyOf({ source }: Linked, id: string): string {
  return JSON.stringify([source?.agent, id])
}
