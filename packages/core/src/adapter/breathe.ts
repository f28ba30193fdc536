// Awaited calls of a store whose work is synchronous never let go of the event loop by themselves: a loop of them keeps
// timers, input and signals waiting for its whole length. So an operation hands back now and then before it begins.

/** How long the turn of one operation after the other may last, in milliseconds. */
const longestTurn = 10

/** Taken when this is loaded: where a runtime has none, a timer comes as soon. */
const { setImmediate: immediate = (work: () => void) => setTimeout(work, 0) } = globalThis as {
  setImmediate?: (work: () => void) => unknown
}

/** When the first operation of this turn of the event loop began. */
let began: number | undefined
/** Operations that have handed back and not gone on. */
let waiting = 0

/** What an operation waits for before it begins; `undefined` most times. Operations keep the order they were called in. */
export function breathe(): Promise<void> | undefined {
  const now = performance.now()
  if (waiting === 0 && began === undefined) {
    began = now
    immediate(() => {
      began = undefined
    })
  }
  if (waiting === 0 && now - (began ?? now) < longestTurn) return undefined
  waiting++
  return new Promise((resolve) => {
    immediate(() => {
      waiting--
      resolve()
    })
  })
}
