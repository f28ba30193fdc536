// The session of a conversation: found or made when that is opened, or made by the first thing that is stored.

import { isStoreError } from '../errors.ts'
import type { SessionStore } from '../port/store.ts'
import type { Session } from '../types/session.ts'
import type { ConversationOptions } from './open.ts'

export interface OpenSession {
  readonly id: string
  /** False where it is yet to be made. */
  readonly isThere: boolean
  /** The session as this conversation made it; absent where somebody else did. */
  readonly made?: Session
}

export async function openSession(
  store: Pick<SessionStore, 'sessions'>,
  { id, current, create = {} }: ConversationOptions,
): Promise<OpenSession> {
  if (id !== undefined) return { id, isThere: (await store.sessions.get(id)) !== undefined }
  if (current === undefined) {
    const made = await store.sessions.create(create)
    return { id: made.id, isThere: true, made }
  }
  const { idleMs, ...key } = current
  const idle = idleMs === undefined ? {} : { idleMs }
  const found = await store.sessions.current(key, idle)
  if (found !== undefined) return { id: found.id, isThere: true }
  const made = (await store.sessions.current(key, { ...idle, create })) as Session
  return { id: made.id, isThere: true, made }
}

/**
 * Purges a session that is still as the conversation made it: nothing said, named, counted or changed, no children, in no
 * thread. Looked at and purged in one transaction: a question that comes meanwhile is never deleted. Where there are no
 * transactions, an empty session is left for `prune`.
 */
export async function purgeUntouched(
  store: Pick<SessionStore, 'sessions' | 'transact'>,
  { id, changeSeq, nameSource }: Session,
): Promise<boolean> {
  if (nameSource === 'user') return false
  try {
    return await store.transact(async ({ sessions, threads }) => {
      const session = await sessions.get(id)
      if (session === undefined || session.changeSeq !== changeSeq || session.nextSeq > 1) return false
      const children = await sessions.list({
        parentSessionId: id,
        types: 'all',
        archived: 'any',
        deleted: 'any',
        limit: 1,
      })
      if (children.items.length > 0 || (await isInThread(threads, id))) return false
      return sessions.remove(id, { purge: true })
    })
  } catch (error) {
    if (isStoreError(error) && error.code === 'unsupported') return false
    throw error
  }
}

async function isInThread(threads: SessionStore['threads'], sessionId: string): Promise<boolean> {
  try {
    return (await threads.list({ sessionId, limit: 1 })).items.length > 0
  } catch (error) {
    if (isStoreError(error) && error.code === 'unsupported') return false
    throw error
  }
}
