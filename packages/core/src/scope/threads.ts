// One owner's threads. A thread of this owner's may hold sessions that others put there through the whole store: those
// do not exist in this view.

import type { MessagePage } from '../port/messages.ts'
import type { StoreScope } from '../port/store.ts'
import type { ThreadRecords } from '../port/threads.ts'
import type { Page } from '../types/query.ts'
import type { Ownership } from './ownership.ts'

export function scopeThreads({ threads }: StoreScope, owner: Ownership): ThreadRecords {
  const { ownerId } = owner
  const own = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    await owner.assertOwnThread(id)
    return work()
  }
  return {
    async create(input) {
      owner.assertNoOther(input.ownerId, 'thread')
      return threads.create({ ...input, ownerId })
    },
    get: (id) => owner.thread(id),
    async list(query = {}) {
      if (query.ownerId !== undefined && query.ownerId !== ownerId) return { items: [] }
      return threads.list({ ...query, ownerId })
    },
    update: (id, patch) => own(id, () => threads.update(id, patch)),
    async remove(id) {
      const thread = await threads.get(id)
      if (thread !== undefined && thread.ownerId !== ownerId) return false
      return threads.remove(id)
    },
    async attach(id, sessionId) {
      await owner.assertOwnThread(id)
      await owner.assertOwnSession(sessionId, 'threads.attach')
      return threads.attach(id, sessionId)
    },
    async detach(id, sessionId) {
      if ((await owner.thread(id)) === undefined) return false
      if ((await owner.session(sessionId)) === undefined) return false
      return threads.detach(id, sessionId)
    },
    async sessions(id, page) {
      if ((await owner.thread(id)) === undefined) return { items: [] }
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
      if ((await owner.thread(id)) === undefined) return { items: [] }
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
