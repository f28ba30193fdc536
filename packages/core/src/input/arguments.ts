// Arguments of the policies a host calls: checked before anything is read or written, with the call's name in the error.

import { z } from 'zod'
import { isStoreError, withOperation } from '../errors.ts'
import type { Logger } from '../options.ts'
import { check } from './check.ts'

/**
 * {@link check} for a function that is no method of a store.
 *
 * @throws {StoreError} invalid naming the call and what is wrong
 */
export function checkFor<T>(operation: string, schema: z.ZodType<unknown>, value: T, name: string): T {
  try {
    return check(schema, value, name)
  } catch (error) {
    throw isStoreError(error) ? withOperation(error, operation) : error
  }
}

export const functionSchema: z.ZodType<unknown> = z.custom<unknown>((value) => typeof value === 'function', {
  message: 'must be a function',
})

export const loggerSchema: z.ZodType<Logger> = z.custom<Logger>(
  (value) => typeof value === 'object' && value !== null && typeof (value as Logger).warn === 'function',
  { message: 'must be a logger' },
)

const text = z.string()

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

type Part = 'messages' | 'sessions'

function storeSchema(parts: readonly Part[]): z.ZodType<unknown> {
  return z.custom<unknown>(
    (value) =>
      isObject(value) &&
      parts.every((part) => isObject((value as { readonly [part in Part]?: unknown })[part])),
    { message: 'must be a store' },
  )
}

/** Checks the store that a call works on. */
export function checkStore(operation: string, store: object, ...parts: readonly Part[]): void {
  checkFor(operation, storeSchema(parts), store, 'store')
}

/** An id that is read by: any text, since a session that cannot be is one that is not there. */
export function checkReadId(operation: string, sessionId: string): void {
  checkFor(operation, text, sessionId, 'sessionId')
}

const windowSchema = z.custom<unknown>(
  (value) => {
    const messages = isObject(value) ? (value as { messages?: unknown }).messages : undefined
    return Array.isArray(messages) && messages.every(isObject)
  },
  { message: 'must have a list of messages' },
)

/** Checks the window that a restore is made of. */
export function checkWindow(operation: string, window: object): void {
  checkFor(operation, windowSchema, window, 'window')
}
