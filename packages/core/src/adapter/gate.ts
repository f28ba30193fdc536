// One transaction at a time in a store, and nobody of the same store in between: operations from outside wait for it,
// operations from inside that call the outer store by mistake would wait for themselves for ever, so they are refused.

import { StoreError } from '../errors.ts'

interface LocalStorage {
  run<T>(value: { open: boolean }, work: () => T): T
  getStore(): { open: boolean } | undefined
}

/** Taken, not imported: core runs where there is no Node. There, a call from inside ends as `busy`. */
function createLocalStorage(): LocalStorage | undefined {
  const { process } = globalThis as {
    process?: {
      getBuiltinModule?: (id: string) => { AsyncLocalStorage?: new () => LocalStorage } | undefined
    }
  }
  const AsyncLocalStorage = process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
  return AsyncLocalStorage && new AsyncLocalStorage()
}

export class TransactionGate {
  readonly #busyTimeout: number
  readonly #location: string
  readonly #local = createLocalStorage()
  /** Ends with the open transaction; `undefined` when there is none. */
  #open: Promise<void> | undefined

  /** @param busyTimeout how long an operation from outside waits, in milliseconds */
  constructor(busyTimeout: number, location: string) {
    this.#busyTimeout = busyTimeout
    this.#location = location
  }

  /** @throws {StoreError} invalid the caller stands inside this store's transaction */
  assertOutside(): void {
    if (this.#local?.getStore()?.open) {
      throw new StoreError(
        'invalid',
        'this store has a transaction open around the call: use the scope it gave',
      )
    }
  }

  /** Whether a transaction is open; then {@link wait} for it. */
  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /**
   * Waits for the open transaction.
   *
   * @throws {StoreError} busy it is still open after `busyTimeout`
   */
  async wait(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(
          new StoreError(
            'busy',
            `${this.#location}: a transaction was open for more than ${this.#busyTimeout} ms`,
          ),
        )
      }, this.#busyTimeout)
    })
    try {
      await Promise.race([this.#open, timeout])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Runs work as the only transaction. The caller has waited: none is open. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let end = () => {}
    this.#open = new Promise((resolve) => {
      end = resolve
    })
    const inside = { open: true }
    try {
      return await (this.#local ? this.#local.run(inside, work) : work())
    } finally {
      inside.open = false
      this.#open = undefined
      end()
    }
  }
}
