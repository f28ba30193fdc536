// The memory store's change feed.

import { assertWithinFeed, changeToken, planChanges } from '../adapter/changes.ts'
import type { Operations } from '../adapter/operations.ts'
import type { ChangeFeed, SessionChange } from '../port/changes.ts'
import type { MemoryState } from './state.ts'

export function createMemoryChanges(state: MemoryState, operations: Operations): ChangeFeed {
  return {
    since: (token, limit) =>
      operations.call(
        'changes.since',
        () => planChanges(token, limit),
        (plan) => {
          if (plan.after === 'now') return { changes: [], token: changeToken(state.changeSeq) }
          const { after } = plan
          // Nothing is forgotten here: the horizon is the beginning.
          assertWithinFeed(after, 0, state.changeSeq)
          const changes = allChanges(state)
            .filter(({ changeSeq }) => changeSeq > after)
            .sort((a, b) => a.changeSeq - b.changeSeq)
            .slice(0, plan.limit)
          return { changes, token: changeToken(changes.at(-1)?.changeSeq ?? state.changeSeq) }
        },
      ),
  }
}

function allChanges(state: MemoryState): SessionChange[] {
  const present = [...state.entries.values()].map(({ row }) => ({
    sessionId: row.id,
    ownerId: row.ownerId,
    changeSeq: row.changeSeq,
    removed: false,
    version: row.version,
    lastSeq: row.nextSeq - 1,
  }))
  const removed = [...state.tombstones].map(([sessionId, { ownerId, changeSeq }]) => ({
    sessionId,
    ownerId,
    changeSeq,
    removed: true,
  }))
  return [...present, ...removed]
}
