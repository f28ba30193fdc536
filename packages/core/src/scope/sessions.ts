// One owner's sessions.

import type { SessionRecords } from '../port/sessions.ts'
import type { StoreScope } from '../port/store.ts'
import type { OwnerOf } from './ownership.ts'

export function scopeSessions({ sessions }: StoreScope, ownerId: string, ownerOf: OwnerOf): SessionRecords {
  const own = async <T>(name: keyof SessionRecords, id: string, work: () => Promise<T>): Promise<T> => {
    await ownerOf(`sessions.${name}`).assertOwnSession(id)
    return work()
  }
  return {
    async create(input = {}) {
      const owner = ownerOf('sessions.create')
      owner.assertNoOther(input.ownerId, 'session')
      // A parent of another owner's is one that does not exist: the child would go to the trash with it.
      if (input.parentSessionId !== undefined) await owner.assertOwnSession(input.parentSessionId)
      return sessions.create({ ...input, ownerId })
    },
    get: (id) => ownerOf('sessions.get').session(id),
    async list(query = {}) {
      if (query.ownerId !== undefined && query.ownerId !== ownerId) return { items: [] }
      const { threadId } = query
      const isForeign =
        typeof threadId === 'string' && (await ownerOf('sessions.list').isOthersThread(threadId))
      const page = await sessions.list({ ...query, ownerId })
      // Asked all the same, so that a query that is none is refused; but the thread does not exist here.
      return isForeign ? { items: [] } : page
    },
    update: (id, patch) => own('update', id, () => sessions.update(id, patch)),
    addUsage: (id, usage) => own('addUsage', id, () => sessions.addUsage(id, usage)),
    async current(key, options) {
      const owner = ownerOf('sessions.current')
      owner.assertNoOther(key.ownerId, 'key')
      const parent = options?.create?.parentSessionId
      if (parent !== undefined) await owner.assertOwnSession(parent)
      return sessions.current({ ...key, ownerId }, options)
    },
    resetContext: (id) => own('resetContext', id, () => sessions.resetContext(id)),
    fork: (id, options) => own('fork', id, () => sessions.fork(id, options)),
    async import(session, messages, options) {
      const owner = ownerOf('sessions.import')
      owner.assertNoOther(session.ownerId, 'session')
      if (session.parentSessionId !== undefined) await owner.assertOwnSession(session.parentSessionId)
      if (session.branchOf !== undefined) await owner.assertOwnSession(session.branchOf)
      return sessions.import({ ...session, ownerId }, messages, options)
    },
    rewind: (id, options) => own('rewind', id, () => sessions.rewind(id, options)),
    async remove(id, options) {
      if (await ownerOf('sessions.remove').isOthersSession(id)) return false
      return sessions.remove(id, options)
    },
    undelete: (id) => own('undelete', id, () => sessions.undelete(id)),
  }
}
