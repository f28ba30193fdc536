// Arrays in arguments.

import { z } from 'zod'
import { holeOf } from './json.ts'

/** An array without holes: for each of the four billion an array may have zod would make an item. */
export function list<T>(item: z.ZodType<T>, maximum: number = Number.POSITIVE_INFINITY): z.ZodType<T[]> {
  const dense = z.unknown().check((context) => {
    const items = context.value
    if (!Array.isArray(items) || Object.keys(items).length >= items.length) return
    const hole = holeOf(items) ?? 0
    const message = 'is missing (a hole in the array)'
    context.issues.push({ code: 'custom', message, path: [hole], input: items })
  })
  return dense.pipe(z.array(item).max(maximum))
}
