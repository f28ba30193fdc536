// One owner's sessions.

import type { SessionRecords } from '../port/sessions.ts'
import type { StoreScope } from '../port/store.ts'
import type { Ownership } from './ownership.ts'

export function scopeSessions({ sessions }: StoreScope, owner: Ownership): SessionRecords {
  const { ownerId } = owner
  const own = async <T>(name: string, id: string, work: () => Promise<T>): Promise<T> => {
    await owner.assertOwnSession(id, `sessions.${name}`)
    return work()
  }
  /** A parent or branch of another owner's is one that does not exist: it would go to the trash with that one. */
  const assertOwnParent = async (parentId: string | undefined): Promise<void> => {
    if (parentId !== undefined) await owner.assertOwnSession(parentId, 'sessions.create')
  }
  return {
    async create(input = {}) {
      owner.assertNoOther(input.ownerId, 'session')
      await assertOwnParent(input.parentSessionId)
      return sessions.create({ ...input, ownerId })
    },
    get: (id) => owner.session(id),
    async list(query = {}) {
      if (query.ownerId !== undefined && query.ownerId !== ownerId) return { items: [] }
      return sessions.list({ ...query, ownerId })
    },
    update: (id, patch) => own('update', id, () => sessions.update(id, patch)),
    addUsage: (id, usage) => own('addUsage', id, () => sessions.addUsage(id, usage)),
    async current(key, options) {
      owner.assertNoOther(key.ownerId, 'key')
      await assertOwnParent(options?.create?.parentSessionId)
      return sessions.current({ ...key, ownerId }, options)
    },
    resetContext: (id) => own('resetContext', id, () => sessions.resetContext(id)),
    fork: (id, options) => own('fork', id, () => sessions.fork(id, options)),
    async import(session, messages, options) {
      owner.assertNoOther(session.ownerId, 'session')
      await assertOwnParent(session.parentSessionId)
      await assertOwnParent(session.branchOf)
      return sessions.import({ ...session, ownerId }, messages, options)
    },
    rewind: (id, options) => own('rewind', id, () => sessions.rewind(id, options)),
    async remove(id, options) {
      const session = await sessions.get(id)
      if (session !== undefined && session.ownerId !== ownerId) return false
      return sessions.remove(id, options)
    },
    undelete: (id) => own('undelete', id, () => sessions.undelete(id)),
  }
}
