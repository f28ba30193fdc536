// Looking at values of foreign JSON, of which nothing is known.

import { type JsonObject, readTime, StoreError } from '@sess/core'

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

/** Reads optional members of an object; null counts as absent, and so does an empty text. */
export interface Fields {
  text(key: string): string | undefined
  object(key: string): JsonObject | undefined
  /** Epoch milliseconds. */
  time(key: string): number | undefined
}

/** Members of `value`; one of another type is thrown as `invalid`, named by `prefix` and its key. */
export function createFields(value: JsonObject, prefix: string): Fields {
  const member = (key: string) => value[key] ?? undefined
  return {
    text(key) {
      const text = member(key)
      if (text === undefined || typeof text === 'string') return textOf(text)
      throw invalid(prefix + key, 'must be a string')
    },
    object(key) {
      const object = member(key)
      if (object === undefined || isObject(object)) return object
      throw invalid(prefix + key, 'must be an object')
    },
    time(key) {
      const time = member(key)
      return time === undefined ? undefined : readTime(time, prefix + key)
    },
  }
}
