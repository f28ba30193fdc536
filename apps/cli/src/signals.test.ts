import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSignals } from './signals.ts'

const signals = ['SIGINT', 'SIGTERM'] as const
const others = new Map(signals.map((signal) => [signal, process.listeners(signal)]))
const counts = () => signals.map((signal) => process.listenerCount(signal))

beforeEach(() => {
  for (const signal of signals) process.removeAllListeners(signal)
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const [signal, listeners] of others) {
    process.removeAllListeners(signal)
    for (const listener of listeners) process.on(signal, listener as () => void)
  }
})

/** Sends a signal and answers what the process did, in order. */
async function send(signal: 'SIGINT' | 'SIGTERM', cleanUp: () => Promise<void>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done: unknown[] = []
  vi.spyOn(process, 'exit').mockImplementation(((code: number) => {
    done.push(code)
    resolve()
  }) as never)
  const { endedBy } = createSignals(async () => {
    done.push(endedBy())
    await cleanUp()
    done.push('cleaned up')
  })
  expect(endedBy()).toBeUndefined()
  process.emit(signal)
  await promise
  return done
}

describe('createSignals', () => {
  it('cleans up, then ends with the code of the signal', async () => {
    expect(await send('SIGINT', async () => {})).toStrictEqual([130, 'cleaned up', 130])
    // The next one finds no handler.
    expect(counts()).toStrictEqual([0, 1])
    process.removeAllListeners('SIGTERM')
    expect(await send('SIGTERM', async () => {})).toStrictEqual([143, 'cleaned up', 143])
  })

  it('has no handlers while work runs that would not let them', () => {
    const { without } = createSignals(async () => {})
    expect(counts()).toStrictEqual([1, 1])
    expect(without(counts)).toStrictEqual([0, 0])
    expect(counts()).toStrictEqual([1, 1])
    const fail = () => {
      throw new Error('no')
    }
    expect(() => without(fail)).toThrow('no')
    expect(counts()).toStrictEqual([1, 1])
  })
})
