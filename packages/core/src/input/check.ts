// Runs a zod schema over a caller's value and answers the caller's value itself: zod's own output is never stored (zod 4
// drops an own `__proto__` key).

import type { z } from 'zod'
import { StoreError } from '../errors.ts'
import { formatPath } from './json.ts'

/**
 * Checks a value; what comes back is the value, not a copy.
 *
 * @throws {StoreError} invalid naming the first thing that is wrong and where
 */
export function check<T>(schema: z.ZodType<unknown>, value: T, name: string): T {
  let problem: string
  try {
    const result = schema.safeParse(value)
    if (result.success) return value
    // Words for what was given instead are only made here.
    problem = describe(result.error.issues, name)
  } catch (cause) {
    // A getter or a proxy of the caller's threw, or the value nests deeper than zod's recursion goes.
    throw new StoreError('invalid', `${name} cannot be read: ${String(cause)}`, { cause })
  }
  throw new StoreError('invalid', problem)
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
function deepest(issues: readonly z.core.$ZodIssue[]): Located {
  const issue = issues[0]
  if (issue?.code !== 'invalid_union') return { issue, path: issue?.path ?? [] }
  const branches = issue.errors.map(deepest).filter((branch) => branch.path.length > 0)
  const best = branches.sort((a, b) => b.path.length - a.path.length)[0]
  return best === undefined ? { issue, path: issue.path } : { ...best, path: [...issue.path, ...best.path] }
}
