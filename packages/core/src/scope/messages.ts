// One owner's messages.

import type { MessageLog, TurnWindow } from '../port/messages.ts'
import type { StoreScope } from '../port/store.ts'
import type { OwnerOf } from './ownership.ts'

const noWindow: TurnWindow = { messages: [], turns: [], dropped: 0, interrupted: 0, reachedStart: true }

export function scopeMessages({ messages }: StoreScope, ownerId: string, ownerOf: OwnerOf): MessageLog {
  const isOthers = (name: keyof MessageLog, id: string) => ownerOf(`messages.${name}`).isOthersSession(id)
  const own = async <T>(name: keyof MessageLog, id: string, work: () => Promise<T>): Promise<T> => {
    await ownerOf(`messages.${name}`).assertOwnSession(id)
    return work()
  }
  return {
    async append(id, batch, options = {}) {
      const owner = ownerOf('messages.append')
      const { createSession } = options
      if (await owner.isOthersSession(id)) {
        // Only a taken id shows.
        if (createSession === undefined) owner.refuse('not-found', `there is no session "${id}"`)
        owner.refuse('already-exists', `session "${id}" exists already`)
      }
      if (createSession === undefined) return messages.append(id, batch, options)
      const fields = createSession === true ? {} : createSession
      owner.assertNoOther(fields.ownerId, 'options.createSession')
      if (fields.parentSessionId !== undefined) await owner.assertOwnSession(fields.parentSessionId)
      return messages.append(id, batch, { ...options, createSession: { ...fields, ownerId } })
    },
    read: async (id, range) => ((await isOthers('read', id)) ? { items: [] } : messages.read(id, range)),
    get: async (id, messageId) => ((await isOthers('get', id)) ? undefined : messages.get(id, messageId)),
    recentTurns: async (id, options) =>
      (await isOthers('recentTurns', id)) ? noWindow : messages.recentTurns(id, options),
    update: (id, messageId, patch) => own('update', id, () => messages.update(id, messageId, patch)),
    remove: (id, messageIds) => own('remove', id, () => messages.remove(id, messageIds)),
    replace: (id, batch, options) => own('replace', id, () => messages.replace(id, batch, options)),
    compact: (id, options) => own('compact', id, () => messages.compact(id, options)),
    truncate: (id, options) => own('truncate', id, () => messages.truncate(id, options)),
    clear: (id) => own('clear', id, () => messages.clear(id)),
  }
}
