// Migrations as a static record, in the order of their names. Each is one transaction with its version stamp. A
// migration that has shipped is never edited.

import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { firstSchema } from './first.ts'
import { createPrefixer } from './prefix.ts'

/** The schema version this code writes and reads. */
export const schemaVersion = 1

/** "sess" in ASCII: marks our files, so that another product's are never touched. */
export const applicationId = 0x73657373

export interface MigrationOptions {
  /** Whether to set `PRAGMA application_id`: not in a database the caller shares with other tables. */
  readonly mark: boolean
  /** Puts the prefix before table names. */
  readonly rewrite: (sql: string) => string
}

/** All migrations by name. */
export function migrations({ mark, rewrite }: MigrationOptions): Readonly<Record<string, Migration>> {
  return {
    '001_first': {
      async up(db: Kysely<unknown>): Promise<void> {
        if (mark) await sql.raw(`PRAGMA application_id = ${applicationId}`).execute(db)
        for (const statement of firstSchema) await sql.raw(rewrite(statement)).execute(db)
      },
    },
  }
}

/**
 * The DDL of the newest schema, for a host that migrates its database itself and opens the store with `migrate: "none"`.
 *
 * @throws {StoreError} invalid a prefix that is none
 */
export function migrationSql({ tablePrefix = '' }: { readonly tablePrefix?: string } = {}): string {
  const rewrite = createPrefixer(tablePrefix)
  return firstSchema.map((statement) => `${rewrite(statement)};\n`).join('\n')
}
