// Closing while a caller's own code goes on for ever: it is given up after busyTimeout, and nothing of it is kept.

import { describe, expect, test } from 'vitest'
import { allKinds, turns, user } from './stores.ts'

const never = () => new Promise<never>(() => {})
const create = { createSession: true } as const

describe.each(allKinds)('$kind', ({ open }) => {
  test('a transaction that never ends is rolled back, its call and its scope are over', async () => {
    const { store } = await open({ busyTimeout: 20 })
    await store.messages.append('s', turns(1), create)
    const opened = Promise.withResolvers<typeof store.messages.append>()
    const transaction = store.transact(async ({ messages }) => {
      await messages.append('s', [user('lost')])
      opened.resolve(messages.append)
      return never()
    })
    const ended = expect(transaction).rejects.toMatchObject({ code: 'closed', operation: 'transact' })
    const append = await opened.promise
    // Its own wait ends at about the same time: it ends one way or the other.
    const waiting = Promise.allSettled([store.sessions.get('s')])
    await store.close()
    await Promise.all([ended, waiting])
    await expect(append('s', [user('late')])).rejects.toMatchObject({
      code: 'invalid',
      operation: 'messages.append',
    })
    await expect(store.sessions.get('s')).rejects.toMatchObject({ code: 'closed' })
    await store.close()
  })

  test('an import whose source never ends is given up, and the source is let go when it gives a message', async () => {
    const { store } = await open({ busyTimeout: 20 })
    const more = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const reading = Promise.withResolvers<void>()
    async function* source() {
      try {
        yield user('q')
        reading.resolve()
        await more.promise
        yield user('r')
        throw new Error('nobody reads on')
      } finally {
        letGo.resolve()
      }
    }
    const importing = store.sessions.import({ id: 's' }, source())
    const ended = expect(importing).rejects.toMatchObject({ code: 'closed', operation: 'sessions.import' })
    await reading.promise
    await store.close()
    await ended
    more.resolve()
    await letGo.promise
  })
})
