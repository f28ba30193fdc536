// The trash and the purge of the memory store: a session goes with its sub_agent and hidden descendants.

import { belongs, familyOf } from '../adapter/family.ts'
import { trashTime } from '../adapter/trash.ts'
import type { Entry, MemoryState } from './state.ts'

/** The session and all that goes along, oldest first. */
function family(state: MemoryState, root: Entry): Entry[] {
  return familyOf(root, state.entries.values()).sort((a, b) => a.row.rowId - b.row.rowId)
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
  const byId = new Map(gone.map((entry) => [entry.row.id, entry]))
  for (const entry of state.entries.values()) {
    const { parentSessionId, branchOf } = entry.row
    const named = [parentSessionId, branchOf].map((id) => (id === null ? undefined : byId.get(id)))
    const [orphaned, unbranched] = named.map((one) => one !== undefined)
    // Where it does not belong to what it names, it keeps the name.
    if (named.some((one) => one !== undefined && belongs(entry, root, one))) {
      state.change(entry, {
        ...(orphaned && { parentSessionId: null }),
        ...(unbranched && { branchOf: null }),
      })
    }
  }
}
