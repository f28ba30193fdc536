// One owner's sessions. A parent is only named: other owners' sessions of that id neither show nor take anything along.

import type { SessionRecords } from '../port/sessions.ts'
import type { StoreScope } from '../port/store.ts'
import type { OwnerOf } from './ownership.ts'

export function scopeSessions({ sessions }: StoreScope, ownerOf: OwnerOf): SessionRecords {
  const on = <T>(name: keyof SessionRecords, id: string, work: (id: string) => Promise<T>): Promise<T> =>
    ownerOf(`sessions.${name}`).onSession(id, work)
  return {
    async create(input = {}) {
      const owner = ownerOf('sessions.create')
      const own = owner.withOwner(input, 'session')
      return owner.make(own.id, () => sessions.create(own))
    },
    get: (id) => ownerOf('sessions.get').session(id),
    async list(query = {}) {
      const owner = ownerOf('sessions.list')
      const own = owner.ownQuery(query)
      if (typeof own.threadId !== 'string') return sessions.list(own)
      return owner.readThread(own.threadId, { items: [] }, (threadId) => sessions.list({ ...own, threadId }))
    },
    update: (id, patch) => on('update', id, (own) => sessions.update(own, patch)),
    addUsage: (id, usage) => on('addUsage', id, (own) => sessions.addUsage(own, usage)),
    async current(key, options = {}) {
      const owner = ownerOf('sessions.current')
      const own = owner.withOwner(key, 'key')
      const { create, ...given } = owner.fields(options, 'options')
      if (create === undefined) return sessions.current(own, given)
      const fields = owner.withOwner(create, 'options.create')
      return owner.make(fields.id, () => sessions.current(own, { ...given, create: fields }))
    },
    resetContext: (id) => on('resetContext', id, (own) => sessions.resetContext(own)),
    async fork(id, options = {}) {
      const owner = ownerOf('sessions.fork')
      const given = owner.fields(options, 'options')
      return owner.make(given.id, () => owner.onSession(id, (own) => sessions.fork(own, given)))
    },
    async import(session, messages, options) {
      const owner = ownerOf('sessions.import')
      const own = owner.withOwner(session, 'session', ' (importConversations: the option "ownerId")')
      return owner.make(own.id, () => sessions.import(own, messages, options))
    },
    rewind: (id, options) => on('rewind', id, (own) => sessions.rewind(own, options)),
    remove: (id, options) => on('remove', id, (own) => sessions.remove(own, options)),
    undelete: (id) => on('undelete', id, (own) => sessions.undelete(own)),
  }
}
