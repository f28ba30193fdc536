// What every store's `transact` has in common: the caller's own error comes out as it is, the scope ends with it.

import { StoreError, unsupported } from '../errors.ts'
import type { StoreScope } from '../port/store.ts'
import type { TransactionGate } from './gate.ts'
import { Operations, type OperationsOptions } from './operations.ts'

/** How a caller's work ended. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/** Runs a caller's work and answers how it ended; never rejects. */
export async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error }
  }
}

/**
 * Runs a transaction as an operation of the store. What the store itself throws is a {@link StoreError} of `transact`;
 * what the caller's work threw comes out untouched.
 *
 * @param run does the work in a transaction that ends as it does, through the store's gate for as long as it is open
 */
export async function transactWith<T>(
  operations: Operations,
  work: (scope: StoreScope) => Promise<T>,
  run: () => Promise<Outcome<T>>,
): Promise<T> {
  const checkWork = () => {
    if (typeof work !== 'function')
      throw new StoreError('invalid', 'work: must be a function that takes the scope')
  }
  const outcome = await operations.call('transact', checkWork, run)
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/** Runs a caller's work in a scope, which ends with it; a work that never ends is given up when the store closes. */
export async function runInScope<T>(
  gate: TransactionGate,
  scoped: Operations,
  work: () => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return await gate.orGiveUp('transact', async () => {
      const outcome = await outcomeOf(work)
      await scoped.close()
      return outcome
    })
  } catch (error) {
    await scoped.close()
    return { error }
  }
}

/** What runs the operations of a scope: they end with the transaction. */
export function scopeOperations(options: Pick<OperationsOptions, 'classify'> = {}): Operations {
  const closed = { code: 'invalid', message: 'the transaction of this scope is over' } as const
  return new Operations({ ...options, closed })
}

/** An import reads its messages while other writers go on, so it has no place inside a transaction. */
export function withoutImport(scope: StoreScope, backend: string): StoreScope {
  const refuse = async () => {
    throw unsupported('sessions.import inside transact', backend)
  }
  return { ...scope, sessions: { ...scope.sessions, import: refuse } }
}
