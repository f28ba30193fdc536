// The trash and the purge of the memory store: a session goes with its sub_agent and hidden descendants.

import type { Entry, MemoryState } from './state.ts'

/**
 * The session and everything below it that goes along, oldest first. Another owner's never does: a parent is only named,
 * and its id may have come to be somebody else's.
 */
function family(state: MemoryState, root: Entry): Entry[] {
  const found = [root]
  for (const parent of found) {
    for (const entry of state.entries.values()) {
      const { parentSessionId, branchOf, sessionType, ownerId } = entry.row
      const below = parentSessionId === parent.row.id || branchOf === parent.row.id
      const goesAlong = sessionType === 'sub_agent' || sessionType === 'hidden'
      const isOthers = ownerId !== '' && ownerId !== root.row.ownerId
      if (below && goesAlong && !isOthers && !found.includes(entry)) found.push(entry)
    }
  }
  return found.sort((a, b) => a.row.rowId - b.row.rowId)
}

export function moveToTrash(state: MemoryState, root: Entry): boolean {
  if (root.row.deletedAt !== null) return false
  const deletedAt = state.context.now()
  for (const entry of family(state, root)) {
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
