// The error about a name that fits several things.

import { StoreError } from '@sess/core'

/** How many of them are named. */
export const maxNamed = 5

/**
 * Names the things a name fits, so that one can be chosen.
 *
 * @param relation what the name is to them: "begins the ids of several sessions"; @param items may be more than are named
 */
export function ambiguous(
  name: string,
  relation: string,
  items: readonly { readonly id: string }[],
): StoreError {
  const ids = items.slice(0, maxNamed).map(({ id }) => id)
  const more = items.length > maxNamed ? ', ...' : ''
  return new StoreError('invalid', `"${name}" ${relation}: ${ids.join(', ')}${more}`)
}
