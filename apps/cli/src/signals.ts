// Ctrl-C and its like end the process as soon as it hears of them. A transaction that is open then is rolled back by the
// end of the process, which is why no store is closed: that would wait for what is under way.

import { exitCodes } from './exit-codes.ts'

export interface Signals {
  /** The exit code, once a signal is ending the process. */
  endedBy(): number | undefined
  /** Runs work without handlers, so that a signal ends the process in the middle of it. */
  without<T>(work: () => T): T
}

/** Listens from now on; `cleanUp` takes away what would stay behind, such as a file half written. */
export function createSignals(cleanUp: () => Promise<void>): Signals {
  let ended: number | undefined
  const endBy = (code: number) => async () => {
    ended = code
    try {
      await cleanUp()
    } finally {
      process.exit(code)
    }
  }
  const handlers = [
    ['SIGINT', endBy(exitCodes.interrupted)],
    ['SIGTERM', endBy(exitCodes.terminated)],
  ] as const
  // Once: a second Ctrl-C ends the process at once, as without a handler.
  const listen = () => {
    for (const [signal, handler] of handlers) process.once(signal, handler)
  }
  listen()
  return {
    endedBy: () => ended,
    without(work) {
      if (ended !== undefined) return work()
      for (const [signal, handler] of handlers) process.off(signal, handler)
      try {
        return work()
      } finally {
        listen()
      }
    },
  }
}
