import { describe, expect, test } from 'vitest'
import { StoreError } from '../errors.ts'
import { createMemoryStore } from '../memory/index.ts'
import type { StoreScope } from '../port/store.ts'
import { TransactionGate } from './gate.ts'
import { Operations } from './operations.ts'
import { type Outcome, outcomeOf, scopeOperations, transactWith, withoutImport } from './transact.ts'

function open() {
  const gate = new TransactionGate(1000, 'x')
  return { gate, operations: new Operations({ gate }) }
}

/** As a store does that is one transaction's own for as long as it runs. */
function transactThrough<T>(
  operations: Operations,
  gate: TransactionGate,
  run: () => Promise<Outcome<T>>,
): Promise<T> {
  return transactWith(
    operations,
    async () => undefined as never,
    () => gate.run(run),
  )
}

describe('transactWith', () => {
  test('answers the value, whatever it is', async () => {
    const { gate, operations } = open()
    for (const value of [1, undefined, null, { error: 'no error' }])
      expect(await transactThrough(operations, gate, async () => ({ value }))).toBe(value)
  })

  test.each([[new Error('mine')], [undefined], [null], ['text'], [new StoreError('busy', 'mine')]])(
    'the work’s own error comes out as it is: %s',
    async (error) => {
      const { gate, operations } = open()
      const failed = await transactThrough(operations, gate, async () => ({ error })).then(
        () => 'resolved',
        (caught: unknown) => ({ caught }),
      )
      expect((failed as { caught: unknown }).caught).toBe(error)
    },
  )

  test('what the store throws is an error of transact', async () => {
    const { gate, operations } = open()
    const failed = transactThrough(operations, gate, () => Promise.reject(new Error('no begin')))
    await expect(failed).rejects.toMatchObject({
      code: 'unknown',
      message: 'no begin',
      operation: 'transact',
    })
    expect(gate.isOpen).toBe(false)
  })

  test('one inside another of the same store is refused', async () => {
    const { gate, operations } = open()
    await transactThrough(operations, gate, async () => {
      const inner = transactThrough(operations, gate, async () => ({ value: 1 }))
      await expect(inner).rejects.toMatchObject({ code: 'invalid', operation: 'transact' })
      return { value: 0 }
    })
  })

  test('several at once run one after the other', async () => {
    const { gate, operations } = open()
    let running = 0
    let most = 0
    const one = () =>
      transactThrough(operations, gate, async () => {
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => setTimeout(resolve, 0))
        running--
        return { value: 0 }
      })
    await Promise.all([one(), one(), one(), one()])
    expect([most, running]).toEqual([1, 0])
  })

  test('closing from inside is refused, from outside it waits', async () => {
    const { gate, operations } = open()
    let end = () => {}
    const ending = new Promise<void>((resolve) => {
      end = resolve
    })
    const transaction = transactThrough(operations, gate, async () => {
      await expect(operations.close()).rejects.toMatchObject({ code: 'invalid', operation: 'close' })
      await ending
      return { value: 'kept' }
    })
    const closing = operations.close()
    end()
    expect(await transaction).toBe('kept')
    expect(await closing).toBe(undefined)
  })
})

test('outcomeOf never rejects', async () => {
  expect(await outcomeOf(async () => 1)).toEqual({ value: 1 })
  const error = new Error('mine')
  expect(await outcomeOf(() => Promise.reject(error))).toEqual({ error })
  expect(
    await outcomeOf(() => {
      throw error
    }),
  ).toEqual({ error })
})

test('operations of a scope that is over are invalid', async () => {
  const scoped = scopeOperations()
  expect(await scoped.run('sessions.get', () => 1)).toBe(1)
  await scoped.close()
  await expect(scoped.run('sessions.get', () => 1)).rejects.toMatchObject({
    code: 'invalid',
    message: 'the transaction of this scope is over',
    operation: 'sessions.get',
  })
})

test('a scope has no import, and all else as it was', async () => {
  const sessions = { get: () => 'get', import: () => 'import' }
  const scope = { sessions, messages: {}, threads: {} } as unknown as StoreScope
  const without = withoutImport(scope, 'memory')
  await expect(without.sessions.import({}, [])).rejects.toMatchObject({ code: 'unsupported' })
  expect(without.sessions.get).toBe(sessions.get)
  expect([without.messages, without.threads]).toEqual([scope.messages, scope.threads])
})

test.each([undefined, null, 5, {}])('work that is no function (%j) is invalid', async (work) => {
  await expect(createMemoryStore().transact(work as never)).rejects.toMatchObject({
    code: 'invalid',
    operation: 'transact',
    message: 'work: must be a function that takes the scope',
  })
})

test('an operation is forgotten after 256 further versions, also where no other operation came', async () => {
  const store = createMemoryStore()
  const append = () =>
    store.messages.append('s', [{ role: 'user', content: 'x' }], { createSession: true, operationId: 'op' })
  const first = await append()
  for (let version = 0; version < 256; version++)
    await store.messages.append('s', [{ role: 'user', content: 'y' }])
  expect(await append()).toEqual(first)
  await store.messages.append('s', [{ role: 'user', content: 'y' }])
  expect((await append()).version).toBe(259)
})
