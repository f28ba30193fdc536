// Assertions the specs share. A rejection is looked at as a whole: code, operation and brand.

import assert from 'node:assert/strict'
import { isStoreError, type StoreError, type StoreErrorCode } from '@sess/core'
import type { PortMethod } from './methods.ts'
import { callOf } from './trace.ts'

/** Asserts that a call rejects with a StoreError of that code that names the method, and answers the error. */
export async function rejects(
  code: StoreErrorCode,
  operation: PortMethod | 'close' | 'restoreConversation',
  call: () => Promise<unknown>,
): Promise<StoreError> {
  let promise: Promise<unknown> | undefined
  let error: unknown
  // With what it was called, where that is known.
  const what = () => callOf(promise) ?? operation
  try {
    promise = call()
    const value = await promise
    assert.fail(`${what()} was expected to reject with "${code}" and answered ${summary(value)}`)
  } catch (caught) {
    error = caught
  }
  if (error instanceof assert.AssertionError) throw error
  if (!isStoreError(error)) assert.fail(`${what()} rejected with something else: ${String(error)}`)
  if (error.code !== code) {
    assert.fail(
      `${what()} was expected to reject with "${code}" and did with "${error.code}": ${error.message}`,
    )
  }
  assert.equal(error.operation, operation)
  return error
}

/** Asserts that two values are deep-equal and have the same JSON text, so the same order of keys. */
export function sameValue(actual: unknown, expected: unknown, what: string): void {
  assert.deepEqual(actual, expected, `${what} is not deep-equal`)
  assert.equal(JSON.stringify(actual), JSON.stringify(expected), `${what} has another JSON text`)
}

/** The value, which a spec knows to be there. */
export function defined<T>(value: T | undefined, what = 'the value'): T {
  assert.notEqual(value, undefined, `${what} is undefined`)
  assert.notEqual(value, null, `${what} is null where absent is undefined`)
  return value as T
}

function summary(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`
}
