// How statements reach a database. A write is one read, then one batch: where the dialect holds a connection, both run
// in one IMMEDIATE transaction; where each costs a round trip, two requests, the batch guarded by first statements that
// raise when somebody else was faster. The store above knows neither.

import { limits, StoreError } from '@sess/core'
import { type Outcome, outcomeOf } from '@sess/core/adapter'
import { CompiledQuery, type Kysely } from 'kysely'
import { isStale } from './classify.ts'
import { LockQueue, pause, retryBusy } from './locks.ts'
import type { Database } from './schema/tables.ts'

/** One statement with its parameters, as Kysely compiles it. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export type Row = Readonly<Record<string, unknown>>

/** The rows of several statements, in their order. */
export type Results = readonly (readonly Row[])[]

/** A write, in two steps without reading between. */
export interface WriteUnit<T> {
  readonly reads: readonly Statement[]
  /** Decides on what was read, and throws to refuse. Called again when a race was lost. */
  readonly plan: (read: Results) => WritePlan<T>
}

export interface WritePlan<T> {
  /** Each raises `sess.stale` when what was read is no longer so; only sent where it can be. */
  readonly guards?: readonly Statement[]
  /** All or nothing, in this order; none: nothing is written. */
  readonly statements: readonly Statement[]
  /** The answer, from the statements' rows. */
  readonly result: (rows: Results) => T
}

/** Reads and writes, each atomic by itself. */
export interface SqlRunner {
  /** Runs reads in order on one snapshot and answers the rows of each. */
  read(statements: readonly Statement[]): Promise<Results>
  /** @param patience how long it waits for another process's lock, in milliseconds; the engine's own time unless given */
  write<T>(unit: WriteUnit<T>, patience?: number): Promise<T>
}

/** What runs around something, such as a gate that keeps others out meanwhile. */
export type Around = <T>(work: () => Promise<T>) => Promise<T>

export interface SqlEngine extends SqlRunner {
  /**
   * Runs work in one transaction: its writes are savepoints, and all are kept when it ends with a value. While another
   * process holds the lock, `around` is left between the attempts: only who has the lock need keep others out.
   */
  transact<T>(work: (runner: SqlRunner) => Promise<Outcome<T>>, around?: Around): Promise<Outcome<T>>
}

export interface KyselyEngineOptions {
  /** How long a write waits for a lock, in milliseconds. */
  readonly busyTimeout: number
  /** The file or URL, for messages. */
  readonly location: string
  /** Whether reads and batch run apart, guarded: what a remote database does. */
  readonly guarded?: boolean
  /** Rewrites each statement before it runs: table names with a prefix. */
  readonly rewrite?: (sql: string) => string
  /** Called inside each write's transaction before anything is written; what it throws ends the write. */
  readonly beforeWrite?: (() => void) | undefined
}

const statement = (sql: string): Statement => ({ sql, parameters: [] })
const begin = statement('begin')
const beginImmediate = statement('begin immediate')
const commit = statement('commit')
const rollback = statement('rollback')

type Run = (statement: Statement) => Promise<readonly Row[]>

/** The engine over any Kysely SQLite dialect. */
export function createKyselyEngine(db: Kysely<Database>, options: KyselyEngineOptions): SqlEngine {
  const { busyTimeout, location, guarded = false, rewrite = (sql) => sql, beforeWrite = () => {} } = options

  const onConnection = <T>(work: (run: Run) => Promise<T>): Promise<T> =>
    db.connection().execute((connection) =>
      work(async ({ sql, parameters }) => {
        const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(rewrite(sql), [...parameters]))
        return rows
      }),
    )

  const inTransaction = <T>(start: Statement, work: (run: Run) => Promise<T>): Promise<T> =>
    onConnection(async (run) => {
      await run(start)
      return endTransaction(run, await outcomeOf(() => work(run)))
    })

  const inWrite = <T>(work: (run: Run) => Promise<T>): Promise<T> =>
    inTransaction(beginImmediate, (run) => {
      beforeWrite()
      return work(run)
    })

  const read: SqlEngine['read'] = (statements) =>
    retryBusy(busyTimeout, location, () =>
      statements.length === 1
        ? onConnection((run) => runAll(run, statements))
        : inTransaction(begin, (run) => runAll(run, statements)),
    )

  const writeAtOnce: SqlEngine['write'] = (unit) => inWrite((run) => readThenWrite(run, unit))

  const writeGuarded = async <T>(unit: WriteUnit<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const plan = unit.plan(unit.reads.length === 0 ? [] : await read(unit.reads))
      if (plan.statements.length === 0) return plan.result([])
      try {
        return await inWrite(async (run) => {
          await runAll(run, plan.guards ?? [])
          return plan.result(await runAll(run, plan.statements))
        })
      } catch (cause) {
        if (!isStale(cause)) throw cause
        if (attempt === limits.writeTries) {
          throw new StoreError('busy', `${location}: lost ${attempt} races to other writers`, { cause })
        }
        // The first time at once: most races are lost to one writer only.
        if (attempt > 1) await pause(2 ** (attempt - 1))
      }
    }
  }

  // One write after the other within this handle: only other handles can win a race or hold the lock.
  const locks = new LockQueue(busyTimeout, location)
  const writeOnce = guarded ? writeGuarded : writeAtOnce

  const transact: SqlEngine['transact'] = async (work, around = (attempt) => attempt()) => {
    const attempt = () =>
      onConnection(async (run) => {
        await run(beginImmediate)
        // From here on nothing is tried again: the caller's work runs once.
        return locks.hold(() => outcomeOf(() => transaction(run, beforeWrite, work)))
      })
    const ended = await locks.run(() => around(attempt))
    if ('error' in ended) throw ended.error
    return ended.value
  }
  return { read, write: (unit, patience) => locks.run(() => writeOnce(unit), patience), transact }
}

/** Runs the work of a transaction that has begun, and ends it. */
async function transaction<T>(
  run: Run,
  beforeWrite: () => void,
  work: (runner: SqlRunner) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { runner, lost } = savepoints(run)
  try {
    beforeWrite()
  } catch (cause) {
    await run(rollback)
    throw cause
  }
  const outcome = await work(runner)
  if ('error' in outcome) await run(rollback).catch(() => undefined)
  else await endTransaction(run, lost() ?? outcome)
  return outcome
}

/**
 * Inside a transaction: each operation is a savepoint, one at a time, so that one that fails leaves nothing of itself. A
 * full disk for one may end the whole transaction: then every other operation fails with that error, because what it
 * wrote would be kept by itself.
 */
function savepoints(run: Run): {
  readonly runner: SqlRunner
  /** Why the transaction is over already, if it is. */
  readonly lost: () => { readonly error: unknown } | undefined
} {
  const inOrder = createQueue()
  let lost: { readonly error: unknown } | undefined
  const operation = <T>(work: () => Promise<T>): Promise<T> =>
    inOrder(async () => {
      if (lost) throw lost.error
      await run(statement('savepoint sess_operation'))
      const outcome = await outcomeOf(work)
      try {
        if ('error' in outcome) await run(statement('rollback to sess_operation'))
        await run(statement('release sess_operation'))
      } catch (cause) {
        lost = 'error' in outcome ? outcome : { error: cause }
        throw lost.error
      }
      if ('error' in outcome) throw outcome.error
      return outcome.value
    })
  return {
    runner: {
      read: (statements) => operation(() => runAll(run, statements)),
      write: (unit) => operation(() => readThenWrite(run, unit)),
    },
    lost: () => lost,
  }
}

async function readThenWrite<T>(run: Run, unit: WriteUnit<T>): Promise<T> {
  const { statements, result } = unit.plan(await runAll(run, unit.reads))
  return result(await runAll(run, statements))
}

/** Commits what ended with a value, rolls back what did not. */
async function endTransaction<T>(run: Run, outcome: Outcome<T>): Promise<T> {
  try {
    if ('error' in outcome) throw outcome.error
    await run(commit)
    return outcome.value
  } catch (cause) {
    // Some errors have rolled back already; what counts is the first.
    await run(rollback).catch(() => undefined)
    throw cause
  }
}

async function runAll(run: Run, statements: readonly Statement[]): Promise<Results> {
  const results: (readonly Row[])[] = []
  for (const one of statements) results.push(await run(one))
  return results
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
