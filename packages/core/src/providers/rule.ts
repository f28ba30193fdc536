// What a rule of a provider is. Each is a small function over a request as it would be sent, with the public source
// that shows the provider refusing its breach. Requests are taken as they come: a rule must not fail on odd ones.

import { isObject, own } from './json.ts'

/** One place where a rule is broken. */
export interface Finding {
  /** As the provider would name it: `messages[1].content[0].id`. */
  readonly path: string
  readonly message: string
}

/** A rule that a request breaks. */
export interface RuleBreach extends Finding {
  /** Name of the rule, as `results-answer-calls`. */
  readonly rule: string
  /** Where the provider's refusal is documented: a page, or an issue as `owner/repository#number`. */
  readonly source: string
}

/** A rule over requests read into `View`. */
export interface Rule<View> {
  readonly rule: string
  readonly source: string
  readonly check: (view: View) => Iterable<Finding>
}

/** All breaches, in the order of the rules. */
export function breachesOf<View>(rules: readonly Rule<View>[], view: View): RuleBreach[] {
  return rules.flatMap(({ rule, source, check }) =>
    Array.from(check(view), ({ path, message }) => ({ rule, path, message, source })),
  )
}

/** Texts with half a surrogate pair: the JSON that is sent is refused as a whole. */
export function* illFormed(value: unknown, path: string): Generator<Finding> {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) yield { path, message: 'has half of a surrogate pair' }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* illFormed(item, `${path}[${index}]`)
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!key.isWellFormed()) yield { path, message: 'has a member named with half of a surrogate pair' }
      yield* illFormed(member, path === '' ? key : `${path}.${key}`)
    }
  }
}

/** A member that is a string; `undefined` otherwise. */
export function textOf(value: unknown, key: string): string | undefined {
  const member = isObject(value) ? own(value, key) : undefined
  return typeof member === 'string' ? member : undefined
}

/** Values that stood earlier in the list already, with their index. */
export function* repeated<T>(items: readonly T[], keyOf: (item: T) => unknown): Generator<T> {
  const seen = new Set<unknown>()
  for (const item of items) {
    const key = keyOf(item)
    if (key !== undefined && seen.has(key)) yield item
    seen.add(key)
  }
}
