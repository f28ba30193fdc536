// Links between the sessions of an import. They are ids of the store the sessions came from, which here may be those of
// unrelated sessions: each becomes the id that the session it names has here, or goes.

import type { ImportedHeader, SessionLinks } from './types.ts'

/** The conversations in their order, but each behind those it is linked to, except where they stand in a circle. */
export function inLinkOrder<T extends ImportedHeader>(items: readonly T[]): T[] {
  const byId = new Map<string, T>()
  for (const item of items) {
    const key = ownKey(item)
    if (key !== undefined && !byId.has(key)) byId.set(key, item)
  }
  const begun = new Set<T>()
  const ordered = new Set<T>()
  const stack = items.toReversed()
  for (let item = stack.at(-1); item !== undefined; item = stack.at(-1)) {
    const before = begun.has(item) ? [] : linkKeys(item).flatMap((key) => byId.get(key) ?? [])
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

/** Which id each session of a run has here. */
export interface NewIds {
  /** The links with the ids of this store; one to a session that is not here is left out. */
  linksOf(item: ImportedHeader): Promise<SessionLinks>
  /** Tells the id that a session has here. */
  add(item: ImportedHeader, id: string): void
}

/** @param find the id of the session that an earlier run imported from a source, if it is here */
export function createNewIds(
  find: (
    source: { readonly agent: string; readonly sessionId: string },
    item: ImportedHeader,
  ) => Promise<string | undefined>,
): NewIds {
  const ids = new Map<string, string>()
  return {
    async linksOf(item) {
      const { parentSessionId, branchOf, forkedFrom } = item.links ?? {}
      const agent = item.session.source?.agent
      const here = async (id: string | undefined) => {
        if (id === undefined || agent === undefined) return undefined
        return ids.get(keyOf(agent, id)) ?? (await find({ agent, sessionId: id }, item))
      }
      const parent = await here(parentSessionId)
      const branch = await here(branchOf)
      const forked = await here(forkedFrom?.sessionId)
      return {
        ...(parent === undefined ? {} : { parentSessionId: parent }),
        ...(branch === undefined ? {} : { branchOf: branch }),
        ...(forked === undefined || forkedFrom === undefined
          ? {}
          : { forkedFrom: { ...forkedFrom, sessionId: forked } }),
      }
    },
    add(item, id) {
      const key = ownKey(item)
      if (key !== undefined) ids.set(key, id)
    },
  }
}

function ownKey({ session: { source } }: ImportedHeader): string | undefined {
  return source && keyOf(source.agent, source.sessionId)
}

function linkKeys({ session: { source }, links = {} }: ImportedHeader): string[] {
  if (source === undefined) return []
  const ids = [links.parentSessionId, links.branchOf, links.forkedFrom?.sessionId]
  return ids.filter((id) => id !== undefined).map((id) => keyOf(source.agent, id))
}

/** Ids of different agents have nothing to do with each other. */
function keyOf(agent: string, id: string): string {
  return JSON.stringify([agent, id])
}
