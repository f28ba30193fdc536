// The reference store keeps the contract. What it has not (files, second handles) shows as skipped.

import { createMemoryStore } from '@sess/core/memory'
import { describeSessionStore } from '../src/vitest.ts'

describeSessionStore({
  name: 'memory',
  async open(options) {
    const store = createMemoryStore(options)
    return { store, dispose: () => store.close() }
  },
})
