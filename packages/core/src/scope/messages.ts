// One owner's messages.

import { StoreError } from '../errors.ts'
import type { MessageLog, TurnWindow } from '../port/messages.ts'
import type { StoreScope } from '../port/store.ts'
import type { Ownership } from './ownership.ts'

const noWindow: TurnWindow = { messages: [], turns: [], dropped: 0, interrupted: 0, reachedStart: true }

export function scopeMessages({ sessions, messages }: StoreScope, owner: Ownership): MessageLog {
  const isOthers = async (id: string): Promise<boolean> => {
    const session = await sessions.get(id)
    return session !== undefined && session.ownerId !== owner.ownerId
  }
  const own = async <T>(name: string, id: string, work: () => Promise<T>): Promise<T> => {
    await owner.assertOwnSession(id, `messages.${name}`)
    return work()
  }
  return {
    async append(id, batch, options = {}) {
      const { createSession } = options
      if (await isOthers(id)) {
        const operation = 'messages.append'
        // Only a taken id shows.
        if (createSession === undefined)
          throw new StoreError('not-found', `there is no session "${id}"`, { operation })
        throw new StoreError('already-exists', `session "${id}" exists already`, { operation })
      }
      if (createSession === undefined) return messages.append(id, batch, options)
      const fields = createSession === true ? {} : createSession
      owner.assertNoOther(fields.ownerId, 'options.createSession')
      if (fields.parentSessionId !== undefined)
        await owner.assertOwnSession(fields.parentSessionId, 'messages.append')
      return messages.append(id, batch, { ...options, createSession: { ...fields, ownerId: owner.ownerId } })
    },
    read: async (id, range) => ((await isOthers(id)) ? { items: [] } : messages.read(id, range)),
    get: async (id, messageId) => ((await isOthers(id)) ? undefined : messages.get(id, messageId)),
    recentTurns: async (id, options) => ((await isOthers(id)) ? noWindow : messages.recentTurns(id, options)),
    update: (id, messageId, patch) => own('update', id, () => messages.update(id, messageId, patch)),
    remove: (id, messageIds) => own('remove', id, () => messages.remove(id, messageIds)),
    replace: (id, batch, options) => own('replace', id, () => messages.replace(id, batch, options)),
    compact: (id, options) => own('compact', id, () => messages.compact(id, options)),
    truncate: (id, options) => own('truncate', id, () => messages.truncate(id, options)),
    clear: (id) => own('clear', id, () => messages.clear(id)),
  }
}
