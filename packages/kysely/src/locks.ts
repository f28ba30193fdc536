// How a handle waits for a lock that another process holds, without blocking the event loop. Each attempt may block for
// the driver's own timeout: so many who wait must not try one after the other.

import { StoreError } from '@sess/core'
import { isBusy, isLocked } from './classify.ts'

interface Waiter {
  /** When it fails, on the clock of `performance.now`. */
  readonly giveUp: number
  readonly resolve: () => void
  readonly reject: (error: StoreError) => void
  next: Waiter | undefined
}

/** The longest pause between two attempts, in milliseconds; the first is 1. */
const longestPause = 50

/** Waits without blocking the event loop. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** With jitter, so that several waiting processes do not keep step. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random())
}

/** Writes of one handle, one after the other: the first alone tries to get the lock, the rest wait behind it in memory. */
export class LockQueue {
  readonly #busyTimeout: number
  readonly #location: string
  #taken = false
  #first: Waiter | undefined
  #last: Waiter | undefined
  /** Before the next attempt, whose ever it is; 0 unless the last one met another's lock. */
  #pause = 0

  /** @param busyTimeout how long each waits for another process, in milliseconds */
  constructor(busyTimeout: number, location: string) {
    this.#busyTimeout = busyTimeout
    this.#location = location
  }

  /**
   * Runs an attempt when its turn comes, and again for as long as the lock is another's.
   *
   * @param patience waits no longer than this, in milliseconds, if that is less than `busyTimeout`
   * @throws {StoreError} busy naming the location, `busyTimeout` after the call
   */
  async run<T>(attempt: () => Promise<T>, patience: number = this.#busyTimeout): Promise<T> {
    const timeout = Math.min(patience, this.#busyTimeout)
    const giveUp = performance.now() + timeout
    // Awaited, so that the attempt runs in the caller's own asynchronous context.
    if (this.#taken) await this.#turn(giveUp)
    this.#taken = true
    try {
      for (;;) {
        if (this.#pause > 0) await pause(jittered(this.#pause))
        try {
          const value = await attempt()
          this.#pause = 0
          return value
        } catch (cause) {
          if (!isLocked(cause)) throw cause
          this.#pause = Math.min(longestPause, Math.max(1, this.#pause * 2))
          this.#refuseLate(lockedFor(this.#busyTimeout, this.#location, cause))
          if (performance.now() >= giveUp) throw lockedFor(timeout, this.#location, cause)
        }
      }
    } finally {
      this.#passOn()
    }
  }

  /** Runs what keeps the lock for as long as a caller likes: those behind it are refused at their deadline all the same. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#first === undefined) return work()
    const timer = setInterval(() => {
      this.#refuseLate(
        new StoreError(
          'busy',
          `${this.#location}: a transaction was open for more than ${this.#busyTimeout} ms`,
        ),
      )
    }, this.#busyTimeout + 1)
    try {
      return await work()
    } finally {
      clearInterval(timer)
    }
  }

  #turn(giveUp: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { giveUp, resolve, reject, next: undefined }
      if (this.#last === undefined) this.#first = waiter
      else this.#last.next = waiter
      this.#last = waiter
    })
  }

  /** The first of those who wait, taken out. */
  #shift(): Waiter | undefined {
    const waiter = this.#first
    this.#first = waiter?.next
    if (this.#first === undefined) this.#last = undefined
    return waiter
  }

  #passOn(): void {
    const waiter = this.#shift()
    waiter?.resolve()
    if (waiter !== undefined) return
    this.#taken = false
    this.#pause = 0
  }

  /** Who came first is late first. */
  #refuseLate(error: StoreError): void {
    const now = performance.now()
    while (this.#first !== undefined && this.#first.giveUp <= now) this.#shift()?.reject(error)
  }
}

/**
 * Tries again while somebody else holds the lock: for what one caller waits for alone, like opening. Writes of a handle
 * wait in a {@link LockQueue}.
 *
 * @throws {StoreError} busy naming the location, after `busyTimeout` milliseconds
 */
export async function retryBusy<T>(
  busyTimeout: number,
  location: string,
  attempt: () => T | Promise<T>,
): Promise<T> {
  const giveUp = performance.now() + busyTimeout
  for (let next = 1; ; next = Math.min(longestPause, next * 2)) {
    try {
      return await attempt()
    } catch (cause) {
      if (!isBusy(cause)) throw cause
      if (performance.now() >= giveUp) throw lockedFor(busyTimeout, location, cause)
      await pause(jittered(next))
    }
  }
}

function lockedFor(busyTimeout: number, location: string, cause: unknown): StoreError {
  return new StoreError('busy', `${location} was locked by another writer for ${busyTimeout} ms`, { cause })
}
