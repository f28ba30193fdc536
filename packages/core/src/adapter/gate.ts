// One transaction at a time in a store, and nobody of the same store in between: operations from outside wait for it,
// operations from inside that call the outer store by mistake would wait for themselves for ever, so they are refused.
// What a caller's own code may never end (a transaction's work, an import's messages) is given up when the store closes.

import { StoreError } from '../errors.ts'

/** Whose code runs: it stands inside as long as what it was run for is open. */
interface Inside {
  readonly kind: 'transaction' | 'import'
  open: boolean
}

interface LocalStorage {
  run<T>(value: Inside, work: () => T): T
  getStore(): Inside | undefined
}

const insideTransaction = 'this store has a transaction open around the call: use the scope it gave'
const insideImport =
  'this store has an import open that reads from where the call stands: close it afterwards'

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
  /** What ends each piece of a caller's code that may be given up. */
  readonly #giveUp = new Set<() => void>()
  /** Ends with the open transaction; `undefined` when there is none. */
  #open: Promise<void> | undefined

  /** @param busyTimeout how long an operation from outside, or `close`, waits, in milliseconds */
  constructor(busyTimeout: number, location: string) {
    this.#busyTimeout = busyTimeout
    this.#location = location
  }

  /** @throws {StoreError} invalid the caller stands inside this store's transaction */
  assertOutside(): void {
    const inside = this.#local?.getStore()
    if (inside?.open && inside.kind === 'transaction') throw new StoreError('invalid', insideTransaction)
  }

  /** @throws {StoreError} invalid the caller is what closing would wait for */
  assertMayClose(): void {
    const inside = this.#local?.getStore()
    if (!inside?.open) return
    throw new StoreError('invalid', inside.kind === 'transaction' ? insideTransaction : insideImport)
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
    if (await endsWithin(this.#busyTimeout, this.#open)) return
    throw new StoreError(
      'busy',
      `${this.#location}: a transaction was open for more than ${this.#busyTimeout} ms`,
    )
  }

  /** Runs work as the only transaction. The caller has waited: none is open. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let end = () => {}
    this.#open = new Promise((resolve) => {
      end = resolve
    })
    try {
      return await this.#runInside('transaction', work)
    } finally {
      this.#open = undefined
      end()
    }
  }

  /** Runs what reads an import's messages: other operations go on meanwhile, also those it calls itself. */
  read<T>(work: (isGivenUp: () => boolean) => Promise<T>): Promise<T> {
    return this.#runInside('import', () => this.orGiveUp('sessions.import', work))
  }

  /**
   * Runs a caller's code, which may never end.
   *
   * @param operation the method it was given to
   *
   * @throws {StoreError} closed the store was closed, and the code had not ended after `busyTimeout`
   */
  async orGiveUp<T>(operation: string, work: (isGivenUp: () => boolean) => Promise<T>): Promise<T> {
    let isGivenUp = false
    let giveUp = () => {}
    const closed = new Promise<never>((_, reject) => {
      giveUp = () => {
        isGivenUp = true
        reject(new StoreError('closed', `${this.#location} was closed before this had ended`, { operation }))
      }
    })
    this.#giveUp.add(giveUp)
    try {
      return await Promise.race([work(() => isGivenUp), closed])
    } finally {
      this.#giveUp.delete(giveUp)
    }
  }

  /** Waits for what is under way; what of callers' code has not ended after `busyTimeout` is given up. */
  async drain(underWay: Promise<unknown>): Promise<void> {
    if (!(await endsWithin(this.#busyTimeout, underWay))) for (const giveUp of this.#giveUp) giveUp()
    await underWay
  }

  async #runInside<T>(kind: Inside['kind'], work: () => Promise<T>): Promise<T> {
    const inside = { kind, open: true }
    try {
      return await (this.#local ? this.#local.run(inside, work) : work())
    } finally {
      inside.open = false
    }
  }
}

/** A timer of more milliseconds goes off at once. */
const longestTimer = 2 ** 31 - 1

/** Whether something ends in time. */
async function endsWithin(milliseconds: number, ends: Promise<unknown> | undefined): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(milliseconds, longestTimer))
  })
  try {
    return await Promise.race([Promise.resolve(ends).then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
