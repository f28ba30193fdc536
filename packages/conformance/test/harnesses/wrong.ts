// Does several things wrong: takes ids that are taken, hangs when messages are read, leaves a rejection to nobody.

import { createMemoryStore } from '@sess/core/memory'
import type { StoreHarness } from '../../src/index.ts'

const harness: StoreHarness = {
  name: 'wrong',
  timeout: 200,
  async open(options) {
    const store = createMemoryStore(options)
    const { sessions, messages } = store
    return {
      store: {
        ...store,
        sessions: {
          ...sessions,
          async create(input) {
            const taken = input?.id === 'taken' ? await sessions.get('taken') : undefined
            return taken ?? sessions.create(input)
          },
          async get(id) {
            if (id === '.') void Promise.reject(new Error('nobody listens'))
            return sessions.get(id)
          },
        },
        messages: {
          ...messages,
          read: (id, range) =>
            id === 'unknown' ? new Promise<never>(() => undefined) : messages.read(id, range),
        },
      },
      dispose: () => store.close(),
    }
  },
}

export default harness
