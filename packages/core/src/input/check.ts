// Runs a zod schema over a caller's value. Where any key may stand the caller's value itself goes on: zod's own output is
// never stored (zod 4 drops an own `__proto__` key). Where the fields are fixed zod's output is what was checked, read once.

import type { z } from 'zod'
import { StoreError, unreadable } from '../errors.ts'
import { formatPath } from './json.ts'

/**
 * Checks a value; what comes back is the value, not a copy.
 *
 * @throws {StoreError} invalid naming the first thing that is wrong and where
 */
export function check<T>(schema: z.ZodType<unknown>, value: T, name: string): T {
  snapshot(schema, value, name)
  return value
}

/**
 * Checks a value of fixed fields; what comes back is a copy, which no later change of the value reaches. Members that a
 * schema takes as they are (`metadata`) are not copied.
 *
 * @throws {StoreError} invalid naming the first thing that is wrong and where
 */
export function snapshot<T>(schema: z.ZodType<unknown>, value: T, name: string): T {
  let problem: string
  try {
    if (typeof value === 'object' && !plainKinds.includes(kindOf(value))) {
      problem = `${name}: is a ${kindOf(value)}, not a plain object`
    } else {
      const result = schema.safeParse(value)
      if (result.success) return result.data as T
      problem = describe(result.error.issues, name)
    }
  } catch (cause) {
    // A getter or a proxy of the caller's threw, or the value nests deeper than zod's recursion goes.
    throw unreadable(name, cause)
  }
  throw new StoreError('invalid', problem)
}

/** Of a Date, a Map or a promise (a forgotten `await`) zod reads no fields and finds nothing wrong. */
const plainKinds = ['Object', 'Array', 'Null']

/** "Object", "Date", "Promise", ... */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

function describe(issues: readonly z.core.$ZodIssue[], name: string): string {
  const { issue, path } = deepest(issues)
  const keys = path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  if (issue === undefined) return `${name} is not valid`
  if (issue.code === 'unrecognized_keys') {
    return `${formatPath(name, [...keys, issue.keys[0] ?? ''])} is not a field that is known here`
  }
  return `${formatPath(name, keys)}: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`
}

interface Located {
  readonly issue: z.core.$ZodIssue | undefined
  readonly path: readonly PropertyKey[]
}

/** Of the branches of a union, the one that fails deepest inside is the one that was meant. */
export function deepest(issues: readonly z.core.$ZodIssue[]): Located {
  const issue = issues[0]
  if (issue?.code !== 'invalid_union') return { issue, path: issue?.path ?? [] }
  const branches = issue.errors.map(deepest).filter((branch) => branch.path.length > 0)
  const best = branches.sort((a, b) => b.path.length - a.path.length)[0]
  return best === undefined ? { issue, path: issue.path } : { ...best, path: [...issue.path, ...best.path] }
}
