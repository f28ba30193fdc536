// One owner's messages.

import type { MessageLog, MessagePage, TurnWindow } from '../port/messages.ts'
import type { StoreScope } from '../port/store.ts'
import type { OwnerOf } from './ownership.ts'

const noPage: MessagePage = { items: [] }
const noWindow: TurnWindow = { messages: [], turns: [], dropped: 0, interrupted: 0, reachedStart: true }

export function scopeMessages({ messages }: StoreScope, ownerOf: OwnerOf): MessageLog {
  const on = <T>(name: keyof MessageLog, id: string, work: (id: string) => Promise<T>): Promise<T> =>
    ownerOf(`messages.${name}`).onSession(id, work)
  const read = <T>(
    name: keyof MessageLog,
    id: string,
    none: T,
    work: (id: string) => Promise<T>,
  ): Promise<T> => ownerOf(`messages.${name}`).readSession(id, none, work)
  return {
    async append(id, batch, options = {}) {
      const owner = ownerOf('messages.append')
      const { createSession, ...given } = owner.fields(options, 'options')
      if (createSession === undefined) return owner.onSession(id, (own) => messages.append(own, batch, given))
      const own = owner.withOwner(createSession === true ? {} : createSession, 'options.createSession')
      // Only a taken id shows.
      if (await owner.isOthersSession(id)) owner.refuse('already-exists', `session "${id}" exists already`)
      return messages.append(id, batch, { ...given, createSession: own })
    },
    read: (id, range) => read('read', id, noPage, (own) => messages.read(own, range)),
    get: (id, messageId) => read('get', id, undefined, (own) => messages.get(own, messageId)),
    recentTurns: (id, options) =>
      read('recentTurns', id, noWindow, (own) => messages.recentTurns(own, options)),
    update: (id, messageId, patch) => on('update', id, (own) => messages.update(own, messageId, patch)),
    remove: (id, messageIds) => on('remove', id, (own) => messages.remove(own, messageIds)),
    replace: (id, batch, options) => on('replace', id, (own) => messages.replace(own, batch, options)),
    compact: (id, options) => on('compact', id, (own) => messages.compact(own, options)),
    truncate: (id, options) => on('truncate', id, (own) => messages.truncate(own, options)),
    clear: (id) => on('clear', id, (own) => messages.clear(own)),
  }
}
