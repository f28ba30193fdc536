// How statements reach a database. A write is one read, then one batch: where the dialect holds a connection, both run
// in one IMMEDIATE transaction; where each costs a round trip, two requests, the batch guarded by a first statement that
// raises when somebody else was faster. The store above knows neither.

import { limits, StoreError } from '@sess/core'
import { CompiledQuery, type Kysely } from 'kysely'
import { isBusy, isStale } from './classify.ts'
import type { Database } from './schema/tables.ts'

/** One statement with its parameters, as Kysely compiles it. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export type Row = Readonly<Record<string, unknown>>

/** A write, in two steps without reading between. */
export interface WriteUnit<T> {
  readonly reads: readonly Statement[]
  /** Decides on what was read, and throws to refuse. Called again when a race was lost. */
  readonly plan: (read: readonly (readonly Row[])[]) => WritePlan<T>
}

export interface WritePlan<T> {
  /** Raises `sess.stale` when what was read is no longer so; only sent where it can be. */
  readonly guard?: Statement
  /** All or nothing, in this order; none: nothing is written. */
  readonly statements: readonly Statement[]
  /** The answer, from the statements' rows. */
  readonly result: (rows: readonly (readonly Row[])[]) => T
}

export interface SqlEngine {
  /** Runs reads in order on one snapshot and answers the rows of each. */
  read(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>
  write<T>(unit: WriteUnit<T>): Promise<T>
}

export interface KyselyEngineOptions {
  /** How long a write waits for a lock, in milliseconds. */
  readonly busyTimeout: number
  /** The file or URL, for messages. */
  readonly location: string
  /** Whether reads and batch run apart, guarded: what a remote database does. */
  readonly guarded?: boolean
}

const begin: Statement = { sql: 'begin', parameters: [] }
const beginImmediate: Statement = { sql: 'begin immediate', parameters: [] }
const commit: Statement = { sql: 'commit', parameters: [] }
const rollback: Statement = { sql: 'rollback', parameters: [] }

type Run = (statement: Statement) => Promise<readonly Row[]>

/** The engine over any Kysely SQLite dialect. */
export function createKyselyEngine(db: Kysely<Database>, options: KyselyEngineOptions): SqlEngine {
  const { busyTimeout, location, guarded = false } = options

  const onConnection = <T>(work: (run: Run) => Promise<T>): Promise<T> =>
    db.connection().execute((connection) =>
      work(async ({ sql, parameters }) => {
        const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))
        return rows
      }),
    )

  const inTransaction = <T>(start: Statement, work: (run: Run) => Promise<T>): Promise<T> =>
    retryBusy(busyTimeout, location, () =>
      onConnection(async (run) => {
        await run(start)
        try {
          const result = await work(run)
          await run(commit)
          return result
        } catch (cause) {
          // Some errors have rolled back already; what counts is the first.
          await run(rollback).catch(() => undefined)
          throw cause
        }
      }),
    )

  const read: SqlEngine['read'] = (statements) =>
    statements.length === 1
      ? retryBusy(busyTimeout, location, () => onConnection((run) => runAll(run, statements)))
      : inTransaction(begin, (run) => runAll(run, statements))

  const writeAtOnce: SqlEngine['write'] = (unit) =>
    inTransaction(beginImmediate, async (run) => {
      const { statements, result } = unit.plan(await runAll(run, unit.reads))
      return result(await runAll(run, statements))
    })

  // One after the other within this handle: only other handles can win a race.
  const inOrder = createQueue()

  const writeGuarded = async <T>(unit: WriteUnit<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const { guard, statements, result } = unit.plan(unit.reads.length === 0 ? [] : await read(unit.reads))
      if (statements.length === 0) return result([])
      try {
        return await inTransaction(beginImmediate, async (run) => {
          if (guard) await run(guard)
          return result(await runAll(run, statements))
        })
      } catch (cause) {
        if (!isStale(cause)) throw cause
        if (attempt === limits.writeTries) {
          throw new StoreError('busy', `${location}: lost ${attempt} races to other writers`, { cause })
        }
      }
    }
  }

  return { read, write: guarded ? (unit) => inOrder(() => writeGuarded(unit)) : writeAtOnce }
}

/** Runs work one after the other, in the order it was given. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

async function runAll(run: Run, statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
  const results: (readonly Row[])[] = []
  for (const statement of statements) results.push(await run(statement))
  return results
}

/**
 * Tries again while somebody else holds the lock, without blocking the event loop: waits grow from 1 to 50 milliseconds,
 * with jitter, so that several waiting processes do not keep step.
 *
 * @throws {StoreError} busy naming the location, after `busyTimeout` milliseconds
 */
export async function retryBusy<T>(
  busyTimeout: number,
  location: string,
  attempt: () => T | Promise<T>,
): Promise<T> {
  const giveUp = performance.now() + busyTimeout
  for (let wait = 1; ; wait = Math.min(50, wait * 2)) {
    try {
      return await attempt()
    } catch (cause) {
      if (!isBusy(cause)) throw cause
      if (performance.now() >= giveUp) {
        throw new StoreError('busy', `${location} was locked by another writer for ${busyTimeout} ms`, {
          cause,
        })
      }
      const jittered = wait * (0.5 + Math.random())
      await new Promise((resolve) => setTimeout(resolve, jittered))
    }
  }
}
