// What stands around every method of a store: refuse after close, keep out of an open transaction, name the operation in
// errors, translate what the driver throws, and let `close` wait for what is under way.

import { isStoreError, StoreError, type StoreErrorCode, withOperation } from '../errors.ts'
import { breathe } from './breathe.ts'
import type { TransactionGate } from './gate.ts'

/** Turns a driver's error into a {@link StoreError}; the operation is filled in afterwards. */
export type ClassifyError = (cause: unknown) => StoreError

export interface OperationsOptions {
  /** `unknown` with the cause's message unless given. */
  readonly classify?: ClassifyError
  /** Keeps operations out of open transactions. */
  readonly gate?: TransactionGate
  /** What a method rejects with after {@link Operations.close}. */
  readonly closed?: { readonly code: StoreErrorCode; readonly message: string }
}

export class Operations {
  readonly #classify: ClassifyError
  readonly #gate: TransactionGate | undefined
  readonly #whenClosed: { readonly code: StoreErrorCode; readonly message: string }
  readonly #underWay = new Set<Promise<unknown>>()
  #closed = false

  constructor(options: OperationsOptions = {}) {
    this.#classify = options.classify ?? unknownError
    this.#gate = options.gate
    this.#whenClosed = options.closed ?? { code: 'closed', message: 'the store is closed' }
  }

  /**
   * Runs one operation of the port.
   *
   * @throws {StoreError} closed after {@link close}; invalid from inside a transaction; else what `work` threw, with the
   *   operation's name
   */
  async run<T>(operation: string, work: () => T | Promise<T>): Promise<T> {
    const running = this.#guard(operation, work)
    this.#underWay.add(running)
    try {
      return await running
    } finally {
      this.#underWay.delete(running)
    }
  }

  /**
   * Refuses what comes from now on and waits for what is under way. False when it was closed before.
   *
   * @throws {StoreError} invalid from inside a transaction, which it would wait for
   */
  async close(): Promise<boolean> {
    if (this.#closed) return false
    try {
      this.#gate?.assertOutside()
    } catch (error) {
      throw withOperation(error as StoreError, 'close')
    }
    this.#closed = true
    await Promise.allSettled(this.#underWay)
    return true
  }

  async #guard<T>(operation: string, work: () => T | Promise<T>): Promise<T> {
    try {
      if (this.#closed) throw new StoreError(this.#whenClosed.code, this.#whenClosed.message)
      this.#gate?.assertOutside()
      const wait = breathe()
      if (wait !== undefined) await wait
      // Checked again after each wait, and then nothing comes between: a store whose work is synchronous stays atomic.
      while (this.#gate?.isOpen) await this.#gate.wait()
      return await work()
    } catch (cause) {
      throw withOperation(isStoreError(cause) ? cause : this.#classify(cause), operation)
    }
  }
}

function unknownError(cause: unknown): StoreError {
  return new StoreError('unknown', cause instanceof Error ? cause.message : String(cause), { cause })
}
