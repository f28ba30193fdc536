import { describe, expect, test } from 'vitest'
import { StoreError } from '../errors.ts'
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
    expect(await operations.close()).toBe(true)
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
    const [slow, failing] = [deferred(), deferred()]
    const first = operations.run('sessions.import', () => slow.promise)
    const second = operations.run('messages.append', () => failing.promise)
    let closed = false
    const closing = operations.close().then(() => {
      closed = true
    })
    await expect(operations.run('sessions.get', () => 1)).rejects.toMatchObject({ code: 'closed' })
    failing.reject(new Error('disk'))
    await expect(second).rejects.toMatchObject({ code: 'unknown', message: 'disk' })
    expect(closed).toBe(false)
    slow.resolve('done')
    expect(await first).toBe('done')
    await closing
    expect(closed).toBe(true)
  })

  test('a second time does nothing', async () => {
    const operations = new Operations()
    expect(await operations.close()).toBe(true)
    expect(await operations.close()).toBe(false)
  })
})
