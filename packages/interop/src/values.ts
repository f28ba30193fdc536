// Looking at values of foreign JSON, of which nothing is known.

import { type JsonObject, StoreError } from '@sess/core'

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What to throw for a value that cannot be read: `conversation[3].role: must be a string`. */
export function invalid(name: string, what: string): StoreError {
  return new StoreError('invalid', `${name}: ${what}`)
}

/** The members that are not named and hold something; `undefined` when there are none. Own `__proto__` keys stay. */
export function rest(value: JsonObject, ...known: readonly string[]): JsonObject | undefined {
  const left = Object.entries(value).filter(
    ([key, member]) => member !== null && member !== undefined && !known.includes(key),
  )
  return left.length === 0 ? undefined : Object.fromEntries(left)
}

/** The value, where it is a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A copy without the members whose value is undefined. Only for objects whose keys the code itself names. */
export function present<T extends object>(value: { readonly [key in keyof T]: T[key] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T
}
