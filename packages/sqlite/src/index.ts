export { openSqliteStore } from './open.ts'
export type { SqliteHandle, SqliteOptions, SqliteStoreOptions } from './options.ts'
