export { createMemoryStore, type MemoryStoreOptions } from './store.ts'
