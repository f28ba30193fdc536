export { classifySqliteError, isBusy, isStale } from './classify.ts'
export {
  createKyselyEngine,
  type KyselyEngineOptions,
  type Row,
  type SqlEngine,
  type Statement,
  type WritePlan,
  type WriteUnit,
} from './engine.ts'
export { retryBusy } from './locks.ts'
export { checkStoreOptions, type KyselyStoreOptions } from './options.ts'
export { applicationId, migrationSql, migrations, schemaVersion } from './schema/migrations.ts'
export type { MigrateMode } from './schema/open.ts'
export type { Database } from './schema/tables.ts'
export { openKyselyStore } from './store.ts'
