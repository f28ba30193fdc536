import { afterEach, describe, expect, test, vi } from 'vitest'
import { TransactionGate } from './gate.ts'

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('TransactionGate', () => {
  test('is open while the work runs, and not after, also when it fails', async () => {
    const gate = new TransactionGate(1000, 'x')
    const states = [gate.isOpen]
    await gate.run(async () => {
      states.push(gate.isOpen)
    })
    states.push(gate.isOpen)
    await expect(gate.run(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    states.push(gate.isOpen)
    expect(states).toEqual([false, true, false, false])
  })

  test('waits for the end of the open transaction', async () => {
    const gate = new TransactionGate(1000, 'x')
    const work = deferred()
    const running = gate.run(() => work.promise)
    let waited = false
    const waiting = gate.wait().then(() => {
      waited = true
    })
    await Promise.resolve()
    expect(waited).toBe(false)
    work.resolve()
    await Promise.all([running, waiting])
    expect(waited).toBe(true)
  })

  test('is busy after busyTimeout, naming the place', async () => {
    const gate = new TransactionGate(5, 'sess.db')
    const work = deferred()
    const running = gate.run(() => work.promise)
    await expect(gate.wait()).rejects.toMatchObject({
      code: 'busy',
      retryable: true,
      message: 'sess.db: a transaction was open for more than 5 ms',
    })
    work.resolve()
    await running
  })

  test('knows a call from inside, however it comes, and from inside another’s', async () => {
    const [gate, other] = [new TransactionGate(1000, 'x'), new TransactionGate(1000, 'y')]
    const inside = expect.objectContaining({ code: 'invalid' })
    await gate.run(async () => {
      expect(() => gate.assertOutside()).toThrow(inside)
      await new Promise<void>((resolve) => setTimeout(resolve, 0))
      expect(() => gate.assertOutside()).toThrow(inside)
      expect(() => other.assertOutside()).not.toThrow()
      await other.run(async () => {
        expect(() => gate.assertOutside()).toThrow(inside)
        expect(() => other.assertOutside()).toThrow(inside)
      })
      expect(() => other.assertOutside()).not.toThrow()
    })
    expect(() => gate.assertOutside()).not.toThrow()
  })

  test('what outlives a transaction is outside again, also while the next one is open', async () => {
    const gate = new TransactionGate(1000, 'x')
    const [first, second] = [deferred(), deferred()]
    let later: Promise<void> = Promise.resolve()
    await gate.run(async () => {
      later = first.promise.then(() => gate.assertOutside())
    })
    const next = gate.run(() => second.promise)
    first.resolve()
    await expect(later).resolves.toBeUndefined()
    second.resolve()
    await next
  })

  test('a caller that stands outside is not taken for one inside', async () => {
    const gate = new TransactionGate(1000, 'x')
    const work = deferred()
    const running = gate.run(() => work.promise)
    expect(() => gate.assertOutside()).not.toThrow()
    work.resolve()
    await running
  })

  test.each([
    ['no process', undefined],
    ['a process without built-in modules', {}],
    ['modules without local storage', { getBuiltinModule: () => undefined }],
  ])('where the runtime has %s a call from inside is not known, and waits', async (_, process) => {
    vi.stubGlobal('process', process)
    const gate = new TransactionGate(5, 'x')
    await gate.run(async () => {
      expect(() => gate.assertOutside()).not.toThrow()
      await expect(gate.wait()).rejects.toMatchObject({ code: 'busy' })
    })
    expect(gate.isOpen).toBe(false)
  })
})
