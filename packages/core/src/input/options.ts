// Options that only one backend has, held to what they may be before anything is opened.

import { StoreError } from '../errors.ts'

/** One of these words, or a value of this type. */
export type OptionRule = readonly string[] | 'boolean' | 'string' | 'function'

/**
 * Checks options that were given; those without a rule are let be.
 *
 * @throws {StoreError} invalid naming the option
 */
export function checkOptions(options: object, rules: { readonly [option: string]: OptionRule }): void {
  for (const [option, rule] of Object.entries(rules)) {
    const value = (options as { readonly [option: string]: unknown })[option]
    if (value === undefined) continue
    const isFit = typeof rule === 'string' ? typeof value === rule : rule.some((word) => word === value)
    if (isFit) continue
    const expected =
      typeof rule === 'string' ? `a ${rule}` : `one of ${rule.map((word) => `"${word}"`).join(', ')}`
    throw new StoreError('invalid', `options.${option}: must be ${expected}, found ${found(value)}`)
  }
}

function found(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value === null) return 'null'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
