// Small tools for JSON values that converters and rules share. Absent and undefined are the same here, as they are in
// the JSON text that is stored and sent.

import type { JsonObject } from '../types/content.ts'

/** An object that is no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The items of an array; none for anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A member that is the object's own, so that `constructor` in a value is never taken from its prototype. */
export function own(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

/** Whether two values have the same JSON, whatever the order of their members. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => sameJson(item, other[index]))
    )
  }
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one).filter((key) => one[key] !== undefined)
  const others = Object.keys(other).filter((key) => other[key] !== undefined)
  return keys.length === others.length && keys.every((key) => sameJson(one[key], own(other, key)))
}

/** The value with half surrogate pairs replaced by U+FFFD, in keys too; the value itself where there are none. */
export function wellFormed<T>(value: T): T {
  return repaired(value) as T
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) {
    const items = value.map(repaired)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const mended = entries.map(([key, member]) => [key.toWellFormed(), repaired(member)] as const)
  const changed = mended.some(
    ([key, member], index) => key !== entries[index]?.[0] || member !== entries[index]?.[1],
  )
  return changed ? Object.fromEntries(mended) : value
}

/** The object without the named members. */
export function omit(value: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

/** The named members that the object has and that are not undefined, in the order of the object. */
export function pick(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([key, member]) => keys.includes(key) && member !== undefined),
  )
}
