// What stands around every method of a store: refuse after close, name the operation in errors, translate what the
// driver throws, and let `close` wait for what is under way.

import { isStoreError, StoreError, withOperation } from '../errors.ts'

/** Turns a driver's error into a {@link StoreError}; the operation is filled in afterwards. */
export type ClassifyError = (cause: unknown) => StoreError

export class Operations {
  readonly #classify: ClassifyError
  readonly #underWay = new Set<Promise<unknown>>()
  #closed = false

  constructor(classify: ClassifyError = unknownError) {
    this.#classify = classify
  }

  /**
   * Runs one operation of the port.
   *
   * @throws {StoreError} closed after {@link close}; else what `work` threw, with the operation's name
   */
  async run<T>(operation: string, work: () => T | Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreError('closed', 'the store is closed', { operation })
    const running = this.#guard(operation, work)
    this.#underWay.add(running)
    try {
      return await running
    } finally {
      this.#underWay.delete(running)
    }
  }

  /** Refuses what comes from now on and waits for what is under way. False when it was closed before. */
  async close(): Promise<boolean> {
    if (this.#closed) return false
    this.#closed = true
    await Promise.allSettled(this.#underWay)
    return true
  }

  async #guard<T>(operation: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      throw withOperation(isStoreError(cause) ? cause : this.#classify(cause), operation)
    }
  }
}

function unknownError(cause: unknown): StoreError {
  return new StoreError('unknown', cause instanceof Error ? cause.message : String(cause), { cause })
}
