import { createMemoryStore } from '@sess/core/memory'
import type { StoreHarness } from '../../src/index.ts'

const harness: StoreHarness = {
  name: 'memory',
  async open(options) {
    const store = createMemoryStore(options)
    return { store, dispose: () => store.close() }
  },
}

export default harness
