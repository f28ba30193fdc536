import { describe, expect, test } from 'vitest'
import { isStoreError, StoreError, storeErrorCodes, unsupported, withOperation } from './errors.ts'

describe('StoreError', () => {
  test('carries code, operation, cause and message', () => {
    const cause = new Error('disk')
    const error = new StoreError('unavailable', 'the file is gone', { operation: 'sessions.get', cause })
    expect(error).toMatchObject({
      name: 'StoreError',
      code: 'unavailable',
      message: 'the file is gone',
      operation: 'sessions.get',
      retryable: false,
    })
    expect(error.cause).toBe(cause)
    expect('cause' in new StoreError('invalid', 'no')).toBe(false)
  })

  test('is retryable where it is busy, unless said otherwise', () => {
    expect(storeErrorCodes.filter((code) => new StoreError(code, '').retryable)).toEqual(['busy'])
    expect(new StoreError('busy', '', { retryable: false }).retryable).toBe(false)
    expect(new StoreError('unavailable', '', { retryable: true }).retryable).toBe(true)
  })

  test('is recognised from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), { code: 'busy' })
    expect(isStoreError(foreign)).toBe(false)
    Object.defineProperty(foreign, Symbol.for('@sess/core/StoreError'), { value: true })
    expect(isStoreError(foreign)).toBe(true)
    expect(foreign instanceof StoreError).toBe(true)
  })

  test.each([undefined, null, 'StoreError', 1, {}, new Error('x')])('%s is none', (value) => {
    expect(isStoreError(value)).toBe(false)
    expect(value instanceof StoreError).toBe(false)
  })

  test('shows nothing but its fields when it is written out', () => {
    expect(JSON.parse(JSON.stringify(new StoreError('busy', 'locked')))).toEqual({
      name: 'StoreError',
      code: 'busy',
      operation: '',
      retryable: true,
    })
  })
})

describe('withOperation', () => {
  test('fills in a missing operation and keeps everything else', () => {
    const cause = new Error('disk')
    const error = new StoreError('busy', 'locked', { retryable: false, cause })
    const named = withOperation(error, 'messages.append')
    expect(named).toMatchObject({
      code: 'busy',
      message: 'locked',
      retryable: false,
      operation: 'messages.append',
    })
    expect(named.cause).toBe(cause)
    expect(named.stack).toBe(error.stack)
    expect(error.operation).toBe('')
  })

  test('leaves an operation that is there', () => {
    const error = new StoreError('busy', 'locked', { operation: 'sessions.get' })
    expect(withOperation(error, 'messages.append')).toBe(error)
  })
})

test('unsupported names method and backend', () => {
  expect(unsupported('sessions.fork', 'memory')).toMatchObject({
    code: 'unsupported',
    operation: 'sessions.fork',
    message: 'sessions.fork is not supported by the memory store',
  })
})

test('a subclass knows its own instances only', () => {
  class Mine extends StoreError {}
  expect(new StoreError('busy', 'x') instanceof Mine).toBe(false)
  expect(new Mine('busy', 'x') instanceof Mine).toBe(true)
  expect(new Mine('busy', 'x') instanceof StoreError).toBe(true)
})
