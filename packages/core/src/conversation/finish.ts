// The end of a run: what is left to do for its session.

import { isStoreError } from '../errors.ts'
import type { SessionStore } from '../port/store.ts'
import type { Session } from '../types/session.ts'

/** The usage of a session that was deleted meanwhile is nobody's. */
export async function addUsage(
  store: Pick<SessionStore, 'sessions'>,
  id: string,
  usage: Parameters<SessionStore['sessions']['addUsage']>[1],
): Promise<void> {
  try {
    await store.sessions.addUsage(id, usage)
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'not-found') throw error
  }
}

/**
 * A session without messages, a name by the user, or children was never begun. Looked at and purged in one transaction: a
 * question that comes meanwhile is never deleted. Where there are none, an empty session is left for `prune`.
 */
export async function purgeEmpty(
  store: Pick<SessionStore, 'sessions' | 'transact'>,
  { id, messageCount }: Session,
): Promise<boolean> {
  if (messageCount > 0) return false
  try {
    return await store.transact(async ({ sessions }) => {
      const session = await sessions.get(id)
      if (session === undefined || session.messageCount > 0 || session.nextSeq > 1) return false
      if (session.nameSource === 'user' || session.deletedAt !== undefined) return false
      const children = await sessions.list({
        parentSessionId: id,
        types: 'all',
        archived: 'any',
        deleted: 'any',
        limit: 1,
      })
      return children.items.length === 0 && sessions.remove(id, { purge: true })
    })
  } catch (error) {
    if (isStoreError(error) && error.code === 'unsupported') return false
    throw error
  }
}
