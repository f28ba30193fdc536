// The trash and the purge of the memory store: a session goes with its sub_agent and hidden descendants.

import { trashTime } from '../adapter/trash.ts'
import type { Entry, MemoryState } from './state.ts'

/**
 * The session and everything below it that goes along, oldest first. Another owner's never does: a parent is only named,
 * and its id may have come to be somebody else's.
 */
function family(state: MemoryState, root: Entry): Entry[] {
  const below = new Map<string, Entry[]>()
  for (const entry of state.entries.values()) {
    const { parentSessionId, branchOf, sessionType, ownerId } = entry.row
    const goesAlong = sessionType === 'sub_agent' || sessionType === 'hidden'
    const isOthers = ownerId !== '' && ownerId !== root.row.ownerId
    if (!goesAlong || isOthers) continue
    for (const above of [parentSessionId, branchOf]) {
      const siblings = above === null ? undefined : below.get(above)
      if (siblings) siblings.push(entry)
      else if (above !== null) below.set(above, [entry])
    }
  }
  const found = new Set([root])
  // What is added meanwhile is walked too.
  for (const parent of found) for (const entry of below.get(parent.row.id) ?? []) found.add(entry)
  return [...found].sort((a, b) => a.row.rowId - b.row.rowId)
}

export function moveToTrash(state: MemoryState, root: Entry): boolean {
  if (root.row.deletedAt !== null) return false
  const members = family(state, root)
  const deletedAt = trashTime(
    state.context.now(),
    members.map(({ row }) => row.deletedAt),
  )
  for (const entry of members) {
    if (entry.row.deletedAt === null) state.change(entry, { deletedAt })
  }
  return true
}

/** Brings back what went to the trash together. */
export function bringBack(state: MemoryState, root: Entry): void {
  const { deletedAt } = root.row
  if (deletedAt === null) return
  for (const entry of family(state, root)) {
    if (entry.row.deletedAt === deletedAt) state.change(entry, { deletedAt: null })
  }
}

export function purge(state: MemoryState, root: Entry): void {
  const gone = family(state, root)
  const removedAt = state.context.now()
  for (const entry of gone) state.purge(entry, removedAt)
  const ids = new Set(gone.map((entry) => entry.row.id))
  for (const entry of state.entries.values()) {
    const { parentSessionId, branchOf } = entry.row
    const orphaned = parentSessionId !== null && ids.has(parentSessionId)
    const unbranched = branchOf !== null && ids.has(branchOf)
    if (orphaned || unbranched) {
      state.change(entry, {
        ...(orphaned && { parentSessionId: null }),
        ...(unbranched && { branchOf: null }),
      })
    }
  }
}
