// One owner's threads. A thread of this owner's may hold sessions that others put there through the whole store: those
// do not exist in this view.

import type { MessagePage } from '../port/messages.ts'
import type { StoreScope } from '../port/store.ts'
import type { Thread, ThreadRecords } from '../port/threads.ts'
import type { Page } from '../types/query.ts'
import type { OwnerOf, Ownership } from './ownership.ts'

export function scopeThreads({ threads }: StoreScope, ownerId: string, ownerOf: OwnerOf): ThreadRecords {
  /** A thread's count is of the sessions that are there, in this view too. */
  const counted = async (thread: Thread, owner: Ownership): Promise<Thread> => {
    if (thread.sessionCount === 0) return thread
    return { ...thread, sessionCount: await owner.countOwn(thread.id) }
  }
  return {
    async create(input) {
      ownerOf('threads.create').assertNoOther(input.ownerId, 'thread')
      return threads.create({ ...input, ownerId })
    },
    async get(id) {
      const owner = ownerOf('threads.get')
      const thread = await owner.thread(id)
      return thread && counted(thread, owner)
    },
    async list(query = {}) {
      if (query.ownerId !== undefined && query.ownerId !== ownerId) return { items: [] }
      const owner = ownerOf('threads.list')
      const { sessionId } = query
      const isForeign = typeof sessionId === 'string' && (await owner.isOthersSession(sessionId))
      const page = await threads.list({ ...query, ownerId })
      // Asked all the same, so that a query that is none is refused; but the session does not exist here.
      if (isForeign) return { items: [] }
      return { ...page, items: await Promise.all(page.items.map((thread) => counted(thread, owner))) }
    },
    async update(id, patch) {
      const owner = ownerOf('threads.update')
      await owner.assertOwnThread(id)
      return counted(await threads.update(id, patch), owner)
    },
    async remove(id) {
      if (await ownerOf('threads.remove').isOthersThread(id)) return false
      return threads.remove(id)
    },
    async attach(id, sessionId) {
      const owner = ownerOf('threads.attach')
      await owner.assertOwnThread(id)
      await owner.assertOwnSession(sessionId)
      return threads.attach(id, sessionId)
    },
    async detach(id, sessionId) {
      const owner = ownerOf('threads.detach')
      if (await owner.isOthersThread(id)) return false
      if (await owner.isOthersSession(sessionId)) return false
      return threads.detach(id, sessionId)
    },
    async sessions(id, page) {
      if (await ownerOf('threads.sessions').isOthersThread(id)) return { items: [] }
      return untilSome(
        page,
        (request) => threads.sessions(id, request),
        async (found) => ({
          ...found,
          items: found.items.filter((session) => session.ownerId === ownerId),
        }),
      )
    },
    async timeline(id, page): Promise<MessagePage> {
      const owner = ownerOf('threads.timeline')
      if (await owner.isOthersThread(id)) return { items: [] }
      const isOwn = new Map<string, boolean>()
      return untilSome(
        page,
        (request) => threads.timeline(id, request),
        async (found) => {
          for (const { sessionId } of found.items) {
            if (!isOwn.has(sessionId)) isOwn.set(sessionId, (await owner.session(sessionId)) !== undefined)
          }
          // Which session a damaged row is of is not said, so it may be another owner's.
          const { damaged: _, ...rest } = found
          return { ...rest, items: found.items.filter((message) => isOwn.get(message.sessionId)) }
        },
      )
    },
  }
}

/** Reads on while a page holds nothing of this owner's: an empty page is the last one, as everywhere. */
async function untilSome<P extends Page<unknown>>(
  page: { readonly limit?: number; readonly cursor?: string } | undefined,
  read: (request: { readonly limit?: number; readonly cursor?: string }) => Promise<P>,
  keepOwn: (found: P) => Promise<P>,
): Promise<P> {
  let request = page ?? {}
  for (;;) {
    const own = await keepOwn(await read(request))
    if (own.items.length > 0 || own.nextCursor === undefined) return own
    request = { ...request, cursor: own.nextCursor }
  }
}
