// What stands around every method of a store: read the arguments at once, refuse after close, keep out of an open
// transaction, name the operation in errors, translate what the driver throws, and let `close` wait for what is under way.

import {
  isStoreError,
  StoreError,
  type StoreErrorCode,
  thrownText,
  unreadable,
  withOperation,
} from '../errors.ts'
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
  #closing: Promise<void> | undefined

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
  run<T>(operation: string, work: () => T | Promise<T>): Promise<T> {
    return this.call(operation, () => undefined, work)
  }

  /**
   * Runs one operation with arguments. They are read before anything is waited for, so that the caller may change what it
   * gave as soon as it has called; what cannot be read is `invalid`.
   *
   * @param prepare checks the arguments and takes of them what the work needs
   * @throws {StoreError} as {@link run}
   */
  call<P, T>(operation: string, prepare: () => P, work: (prepared: P) => T | Promise<T>): Promise<T> {
    return this.#track(operation, async () => {
      this.#assertCallable()
      let prepared: P
      try {
        prepared = prepare()
      } catch (cause) {
        refuse(cause)
      }
      return this.#whenFree(() => work(prepared))
    })
  }

  /**
   * Runs one operation whose arguments take time to read: an import. Others go on meanwhile.
   *
   * @throws {StoreError} as {@link run}; closed where the store was closed and the arguments did not end
   */
  callReading<P, T>(
    operation: string,
    prepare: (isGivenUp: () => boolean) => Promise<P>,
    work: (prepared: P) => T | Promise<T>,
  ): Promise<T> {
    return this.#track(operation, async () => {
      this.#assertCallable()
      const prepared = this.#gate ? this.#gate.read(prepare) : prepare(() => false)
      const ready = await prepared.catch(refuse)
      return this.#whenFree(() => work(ready))
    })
  }

  /**
   * Refuses what comes from now on, waits for what is under way, and lets go. A second call waits for the first.
   *
   * @throws {StoreError} invalid from inside a transaction or the messages of an import, which it would wait for
   */
  async close(release: () => void | Promise<void> = () => {}): Promise<void> {
    try {
      this.#gate?.assertMayClose()
      this.#closing ??= this.#end(release)
      await this.#closing
    } catch (cause) {
      throw this.#named(cause, 'close')
    }
  }

  async #end(release: () => void | Promise<void>): Promise<void> {
    const underWay = Promise.allSettled(this.#underWay)
    await (this.#gate ? this.#gate.drain(underWay) : underWay)
    await release()
  }

  async #track<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#underWay.add(running)
    try {
      return await running
    } catch (cause) {
      throw this.#named(cause, operation)
    } finally {
      this.#underWay.delete(running)
    }
  }

  #assertCallable(): void {
    if (this.#closing) throw new StoreError(this.#whenClosed.code, this.#whenClosed.message)
    this.#gate?.assertOutside()
  }

  async #whenFree<T>(work: () => T | Promise<T>): Promise<T> {
    const wait = breathe()
    if (wait !== undefined) await wait
    // Checked again after each wait, and then nothing comes between: a store whose work is synchronous stays atomic.
    while (this.#gate?.isOpen) await this.#gate.wait()
    return work()
  }

  #named(cause: unknown, operation: string): StoreError {
    return withOperation(isStoreError(cause) ? cause : this.#classify(cause), operation)
  }
}

/** Checks throw StoreErrors; anything else comes of a getter or a proxy that answers each time otherwise. */
function refuse(cause: unknown): never {
  throw isStoreError(cause) ? cause : unreadable('an argument', cause)
}

function unknownError(cause: unknown): StoreError {
  return new StoreError('unknown', thrownText(cause), { cause })
}
