export { openSqliteStore } from './open.ts'
export type { SqliteOptions, SqliteStoreOptions } from './options.ts'
