// The clock goes on by 1 ms each time it is looked at, so that turns can be counted.

import { afterEach, expect, test, vi } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import { breathe } from './breathe.ts'

const { setImmediate } = globalThis as unknown as { setImmediate: (work: () => void) => void }
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

afterEach(() => {
  vi.restoreAllMocks()
})

function countClock(): void {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => ++now)
}

test('an operation waits once the turn is 10 ms old, and those behind it keep their order', async () => {
  await turn()
  countClock()
  const order: number[] = []
  const calls = Array.from({ length: 12 }, (_, index) => {
    const wait = breathe()
    if (wait === undefined) order.push(index)
    return wait?.then(() => order.push(index))
  })
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  await Promise.all(calls)
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  await turn()
  expect(breathe()).toBeUndefined()
})

test('a loop of awaited calls lets the event loop go on', async () => {
  const store = createMemoryStore()
  await store.sessions.create({ id: 's' })
  await turn()
  countClock()
  let isOver = false
  let calls = 0
  setImmediate(() => {
    isOver = true
  })
  while (!isOver && calls < 1000) {
    await store.sessions.get('s')
    calls++
  }
  expect(calls).toBe(11)
  await store.close()
})

test('an operation that waits is still one from before the store was closed', async () => {
  const store = createMemoryStore()
  await store.sessions.create({ id: 's' })
  await turn()
  countClock()
  const reads = Array.from({ length: 20 }, () => store.sessions.get('s'))
  const closing = store.close()
  expect(new Set((await Promise.all(reads)).map((session) => session?.id))).toEqual(new Set(['s']))
  await closing
})
