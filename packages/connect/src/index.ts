export { type OpenStoreOptions, openStore } from './open.ts'
export { displayUrl, parseStoreUrl, type StoreTarget } from './url.ts'
