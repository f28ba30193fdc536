// Any Kysely SQLite dialect, made fit for a store: write transactions begin IMMEDIATE (a deferred one that turns into a
// write fails at once with SQLITE_BUSY_SNAPSHOT under WAL, whatever the timeout), and migrations run inside their
// transaction (Kysely's SQLite adapter says DDL is not transactional, which leaves half-made tables: kysely#56).

import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  type TransactionSettings,
} from 'kysely'

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Wraps a dialect; its own begin is replaced, everything else is its own. */
export class ImmediateDialect implements Dialect {
  readonly #inner: Dialect

  constructor(inner: Dialect) {
    this.#inner = inner
  }

  createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter()
  }

  createDriver(): Driver {
    return new ImmediateDriver(this.#inner.createDriver())
  }

  createIntrospector(db: Kysely<never>): DatabaseIntrospector {
    return this.#inner.createIntrospector(db)
  }

  createQueryCompiler(): QueryCompiler {
    return this.#inner.createQueryCompiler()
  }
}

class ImmediateDriver implements Driver {
  readonly #inner: Driver

  constructor(inner: Driver) {
    this.#inner = inner
  }

  init(): Promise<void> {
    return this.#inner.init()
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return this.#inner.acquireConnection()
  }

  async beginTransaction(connection: DatabaseConnection, _settings: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#inner.commitTransaction(connection)
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#inner.rollbackTransaction(connection)
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#inner.releaseConnection(connection)
  }

  destroy(): Promise<void> {
    return this.#inner.destroy()
  }
}
