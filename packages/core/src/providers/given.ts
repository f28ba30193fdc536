// What converters are given, checked where it comes in. They look at what they know and keep all else, so only what
// holds a conversation has to be there; what cannot be read at all (a proxy that throws, a cycle) is invalid, too.

import { z } from 'zod'
import { isStoreError, StoreError } from '../errors.ts'
import { checkFor } from '../input/arguments.ts'

const object = z.looseObject({})
type Kind = 'messages' | 'items' | 'request' | 'contents'

const schemas: { readonly [kind in Kind]: z.ZodType<unknown> } = {
  messages: z.array(object),
  items: z.array(z.unknown()),
  request: z.looseObject({ messages: z.array(object) }),
  contents: z.looseObject({ contents: z.array(object) }),
}
const optionsSchema = object.optional()

/**
 * Converts what is checked before.
 *
 * @throws {StoreError} invalid naming the converter and what it cannot read
 */
export function converted<Given, Made>(
  converter: string,
  kind: Kind,
  given: Given,
  convert: (given: Given) => Made,
): Made {
  const name = kind === 'contents' ? 'request' : kind
  checkFor(converter, schemas[kind], given, name)
  try {
    return convert(given)
  } catch (cause) {
    if (isStoreError(cause)) throw cause
    throw new StoreError('invalid', `${name} cannot be read: ${String(cause)}`, {
      operation: converter,
      cause,
    })
  }
}

/** @throws {StoreError} invalid */
export function checkOptions(converter: string, options: object | undefined): void {
  checkFor(converter, optionsSchema, options, 'options')
}
