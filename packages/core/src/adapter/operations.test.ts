import { describe, expect, test } from 'vitest'
import { StoreError } from '../errors.ts'
import { TransactionGate } from './gate.ts'
import { Operations } from './operations.ts'

/** A promise that is settled from outside. */
function deferred() {
  let settle = { resolve: (_: string) => {}, reject: (_: Error) => {} }
  const promise = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}

describe('Operations.run', () => {
  test('answers what the work answers, at once or later', async () => {
    const operations = new Operations()
    expect(await operations.run('sessions.get', () => 1)).toBe(1)
    expect(await operations.run('sessions.get', async () => 2)).toBe(2)
  })

  test('names the operation in a store’s error', async () => {
    const operations = new Operations()
    const fail = () => {
      throw new StoreError('conflict', 'no', { retryable: true })
    }
    await expect(operations.run('messages.append', fail)).rejects.toMatchObject({
      code: 'conflict',
      message: 'no',
      operation: 'messages.append',
      retryable: true,
    })
  })

  test('leaves an operation that is named already', async () => {
    const error = new StoreError('conflict', 'no', { operation: 'inner' })
    await expect(new Operations().run('outer', () => Promise.reject(error))).rejects.toBe(error)
  })

  test.each<[string, unknown, string]>([
    ['an error', new TypeError('x is not a function'), 'x is not a function'],
    ['a text', 'out of paper', 'out of paper'],
    ['undefined', undefined, 'undefined'],
  ])('makes "unknown" of %s, with the cause kept', async (_, cause, message) => {
    const failed = await new Operations()
      .run('sessions.list', () => Promise.reject(cause))
      .catch((error) => error)
    expect(failed).toMatchObject({ name: 'StoreError', code: 'unknown', message, operation: 'sessions.list' })
    expect(failed.cause).toBe(cause)
  })

  test('asks the backend what its driver’s error means, but not of a store’s error', async () => {
    const operations = new Operations({ classify: (cause) => new StoreError('busy', 'locked', { cause }) })
    await expect(
      operations.run('sessions.get', () => Promise.reject(new Error('SQLITE_BUSY'))),
    ).rejects.toMatchObject({ code: 'busy', message: 'locked', operation: 'sessions.get', retryable: true })
    await expect(
      operations.run('sessions.get', () => Promise.reject(new StoreError('invalid', 'no'))),
    ).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('Operations.close', () => {
  test('refuses what comes afterwards, without doing it', async () => {
    const operations = new Operations()
    await operations.close()
    let ran = false
    const late = operations.run('messages.read', () => {
      ran = true
    })
    await expect(late).rejects.toMatchObject({
      code: 'closed',
      message: 'the store is closed',
      operation: 'messages.read',
      retryable: false,
    })
    expect(ran).toBe(false)
  })

  test('refuses in the words of what was closed', async () => {
    const operations = new Operations({ closed: { code: 'invalid', message: 'the scope has ended' } })
    await operations.close()
    await expect(operations.run('messages.read', () => 1)).rejects.toMatchObject({
      code: 'invalid',
      message: 'the scope has ended',
      operation: 'messages.read',
    })
  })

  test('waits for what is under way, which ends as it would have', async () => {
    const operations = new Operations()
    const [slow, failing, begun] = [deferred(), deferred(), deferred()]
    const first = operations.run('sessions.import', () => slow.promise)
    const second = operations.run('messages.append', () => {
      begun.resolve('begun')
      return failing.promise
    })
    let closed = false
    const closing = operations.close().then(() => {
      closed = true
    })
    await expect(operations.run('sessions.get', () => 1)).rejects.toMatchObject({ code: 'closed' })
    const failed = expect(second).rejects.toMatchObject({ code: 'unknown', message: 'disk' })
    await begun.promise
    failing.reject(new Error('disk'))
    await failed
    expect(closed).toBe(false)
    slow.resolve('done')
    expect(await first).toBe('done')
    await closing
    expect(closed).toBe(true)
  })

  test('a second time waits for the first, and lets go once', async () => {
    const operations = new Operations()
    const slow = deferred()
    const running = operations.run('sessions.get', () => slow.promise)
    const events: string[] = []
    const close = () => operations.close(() => void events.push('let go')).then(() => events.push('closed'))
    const both = Promise.all([close(), close()])
    await Promise.resolve()
    expect(events).toEqual([])
    slow.resolve('done')
    await Promise.all([running, both])
    await close()
    expect(events).toEqual(['let go', 'closed', 'closed', 'closed'])
  })

  test('what letting go throws is an error of close', async () => {
    const operations = new Operations({ classify: (cause) => new StoreError('unavailable', 'no', { cause }) })
    await expect(operations.close(() => Promise.reject(new Error('disk')))).rejects.toMatchObject({
      code: 'unavailable',
      operation: 'close',
    })
  })
})

describe('Operations.call', () => {
  test('reads the arguments at once, and works with what it read when the transaction is over', async () => {
    const gate = new TransactionGate(1000, 'x')
    const operations = new Operations({ gate })
    const open = deferred()
    const transaction = gate.run(() => open.promise)
    const argument = { name: 'given' }
    const answer = operations.call(
      'sessions.create',
      () => ({ ...argument }),
      ({ name }) => name,
    )
    argument.name = 'changed'
    open.resolve('over')
    await transaction
    expect(await answer).toBe('given')
  })

  test('an argument that cannot be read is invalid, with what it threw as the cause', async () => {
    const cause = new TypeError('x is not iterable')
    const failed = await new Operations({ classify: () => new StoreError('busy', 'not the driver') })
      .call(
        'sessions.create',
        () => {
          throw cause
        },
        () => 1,
      )
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({
      code: 'invalid',
      operation: 'sessions.create',
      message: 'an argument cannot be read: x is not iterable',
      cause,
    })
  })
})

describe('Operations.callReading', () => {
  test('others go on while it reads, and close waits for it', async () => {
    const operations = new Operations({ gate: new TransactionGate(1000, 'x') })
    const source = deferred()
    const importing = operations.callReading(
      'sessions.import',
      () => source.promise,
      (text) => `${text} stored`,
    )
    expect(await operations.run('sessions.get', () => 1)).toBe(1)
    const closing = operations.close()
    source.resolve('read')
    expect(await importing).toBe('read stored')
    await closing
  })

  test('closing from what it reads is invalid, also later on and from a call it makes', async () => {
    const operations = new Operations({ gate: new TransactionGate(1000, 'x') })
    const refused = { code: 'invalid', operation: 'close' }
    const importing = operations.callReading(
      'sessions.import',
      async () => {
        await expect(operations.close()).rejects.toMatchObject(refused)
        await Promise.resolve()
        await operations.run('messages.read', () => expect(operations.close()).rejects.toMatchObject(refused))
        return 'read'
      },
      (text) => text,
    )
    expect(await importing).toBe('read')
    await operations.close()
  })

  test('what never ends is given up by close after busyTimeout, and told to stop', async () => {
    const operations = new Operations({ gate: new TransactionGate(0, 'x') })
    let isGivenUp = () => false
    let ran = false
    const importing = operations.callReading(
      'sessions.import',
      (given) => {
        isGivenUp = given
        return new Promise<never>(() => {})
      },
      () => {
        ran = true
      },
    )
    const ended = expect(importing).rejects.toMatchObject({
      code: 'closed',
      operation: 'sessions.import',
      message: 'x was closed before this had ended',
    })
    await operations.close()
    await ended
    expect([isGivenUp(), ran]).toEqual([true, false])
  })

  test('what it throws that is no StoreError is invalid', async () => {
    await expect(
      new Operations().callReading(
        'sessions.import',
        () => Promise.reject(new Error('torn')),
        () => 1,
      ),
    ).rejects.toMatchObject({ code: 'invalid', message: 'an argument cannot be read: torn' })
  })
})
