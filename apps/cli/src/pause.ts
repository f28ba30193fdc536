// Work that takes long gives back to the event loop, so that Ctrl-C is heard.

import { setImmediate as nextTurn } from 'node:timers/promises'

/** How many messages are handled between two turns of the event loop. */
const atOnce = 500

/** Lets the event loop go round once. */
export async function pause(): Promise<void> {
  await nextTurn()
}

/** The items, with a pause now and then. */
export async function* withPauses<T>(
  items: Iterable<T> | AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  let count = 0
  for await (const item of items) {
    if (++count % atOnce === 0) await pause()
    yield item
  }
}
