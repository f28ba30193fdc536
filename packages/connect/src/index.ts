export { type OpenStoreOptions, openStore } from './open.ts'
export { parseStoreUrl, type StoreTarget } from './url.ts'
