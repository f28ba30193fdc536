// Migrations: one transaction each, so that a failure leaves nothing half made.

import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openKyselyStore } from '../src/index.ts'
import { stockDialect } from './support.ts'

const tables = (database: Database.Database) =>
  database
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all()

describe('a migration that fails half way', () => {
  test('leaves none of its tables, is migration-failed, and can be tried again', async () => {
    const database = new Database(':memory:')
    database.pragma('foreign_keys = ON')
    let failing = true
    const flaky = new Proxy(database, {
      get(target, key) {
        if (key === 'close') return () => {}
        if (key !== 'prepare') return Reflect.get(target, key)
        return (sql: string) => {
          if (failing && sql.startsWith('CREATE TABLE schema_meta')) throw new Error('the disk is on fire')
          return target.prepare(sql)
        }
      },
    })
    await expect(openKyselyStore({ dialect: stockDialect(flaky), location: 'app.db' })).rejects.toMatchObject(
      {
        code: 'migration-failed',
        operation: 'openKyselyStore',
        message: 'app.db could not be migrated: the disk is on fire',
      },
    )
    expect(tables(database).toSorted()).toEqual(['kysely_migration', 'kysely_migration_lock'])
    expect(database.pragma('application_id', { simple: true })).toBe(0)
    failing = false
    const store = await openKyselyStore({ dialect: stockDialect(flaky) })
    expect((await store.sessions.create({ id: 'a' })).id).toBe('a')
    await store.close()
  })
})

test('opening a migrated database again writes nothing', async () => {
  const database = new Database(':memory:')
  const keep = new Proxy(database, {
    get: (target, key) =>
      key === 'close' ? () => {} : (Reflect.get(target, key).bind?.(target) ?? Reflect.get(target, key)),
  })
  await (await openKyselyStore({ dialect: stockDialect(keep) })).close()
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck().get()
  await (await openKyselyStore({ dialect: stockDialect(keep) })).close()
  expect(database.prepare<[], number>('SELECT total_changes()').pluck().get()).toBe(changes)
})
