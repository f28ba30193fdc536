// One owner's threads. A thread of this owner's may hold sessions that others put there through the whole store: those
// do not exist in this view.

import type { MessagePage } from '../port/messages.ts'
import type { StoreScope } from '../port/store.ts'
import type { Thread, ThreadRecords } from '../port/threads.ts'
import type { Page, PageRequest } from '../types/query.ts'
import type { Session } from '../types/session.ts'
import type { OwnerOf, Ownership } from './ownership.ts'

const noThreads: Page<Thread> = { items: [] }
const noSessions: Page<Session> = { items: [] }
const noMessages: MessagePage = { items: [] }

export function scopeThreads({ threads }: StoreScope, ownerId: string, ownerOf: OwnerOf): ThreadRecords {
  /** A thread's count is of the sessions that are there, in this view too. */
  const counted = async (thread: Thread, owner: Ownership): Promise<Thread> => {
    if (thread.sessionCount === 0) return thread
    return { ...thread, sessionCount: await owner.countOwn(thread.id) }
  }
  const onBoth = <T>(
    name: keyof ThreadRecords,
    [id, sessionId]: readonly [string, string],
    work: (id: string, sessionId: string) => Promise<T>,
  ): Promise<T> => {
    const owner = ownerOf(`threads.${name}`)
    return owner.onThread(id, (own) => owner.onSession(sessionId, (ownSession) => work(own, ownSession)))
  }
  return {
    async create(input) {
      return threads.create(ownerOf('threads.create').withOwner(input, 'thread'))
    },
    async get(id) {
      const owner = ownerOf('threads.get')
      const thread = await owner.thread(id)
      return thread && counted(thread, owner)
    },
    async list(query = {}) {
      const owner = ownerOf('threads.list')
      const own = owner.ownQuery(query)
      const { sessionId } = own
      const page =
        typeof sessionId === 'string'
          ? await owner.readSession(sessionId, noThreads, (id) => threads.list({ ...own, sessionId: id }))
          : await threads.list(own)
      return { ...page, items: await Promise.all(page.items.map((thread) => counted(thread, owner))) }
    },
    async update(id, patch) {
      const owner = ownerOf('threads.update')
      return owner.onThread(id, async (own) => counted(await threads.update(own, patch), owner))
    },
    remove: (id) => ownerOf('threads.remove').onThread(id, (own) => threads.remove(own)),
    attach: (...ids) => onBoth('attach', ids, (id, sessionId) => threads.attach(id, sessionId)),
    detach: (...ids) => onBoth('detach', ids, (id, sessionId) => threads.detach(id, sessionId)),
    sessions(id, page) {
      const owner = ownerOf('threads.sessions')
      const read = (request: Request) =>
        owner.readThread(id, noSessions, (own) => threads.sessions(own, request))
      return untilSome(page, read, async (found) => ({
        ...found,
        items: found.items.filter((session) => session.ownerId === ownerId),
      }))
    },
    timeline(id, page) {
      const owner = ownerOf('threads.timeline')
      const read = (request: Request) =>
        owner.readThread(id, noMessages, (own) => threads.timeline(own, request))
      const isOwn = new Map<string, boolean>()
      return untilSome(page, read, async (found) => {
        for (const { sessionId } of found.items) {
          if (!isOwn.has(sessionId)) isOwn.set(sessionId, (await owner.session(sessionId)) !== undefined)
        }
        // Which session a damaged row is of is not said, so it may be another owner's.
        const { damaged: _, ...rest } = found
        return { ...rest, items: found.items.filter((message) => isOwn.get(message.sessionId)) }
      })
    },
  }
}

type Request = PageRequest | undefined

/** Reads on while a page holds nothing of this owner's: an empty page is the last one, as everywhere. */
async function untilSome<P extends { readonly items: readonly unknown[]; readonly nextCursor?: string }>(
  page: Request,
  read: (request: Request) => Promise<P>,
  keepOwn: (found: P) => Promise<P>,
): Promise<P> {
  let request = page
  for (;;) {
    const own = await keepOwn(await read(request))
    if (own.items.length > 0 || own.nextCursor === undefined) return own
    request = { ...page, cursor: own.nextCursor }
  }
}
