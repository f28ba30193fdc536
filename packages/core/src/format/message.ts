// One message of a file: as an export has it (`created_at`), or as callers give it (`createdAt`).

import { z } from 'zod'
import { check } from '../input/check.ts'
import type { ImportedMessage } from '../types/transfer.ts'
import { present } from './present.ts'
import { readTime } from './time.ts'

const anyObject = z.looseObject({})

/**
 * Reads a message, of which only the time is checked here; `content` and `metadata` are the values that were given, not
 * copies. Other members are not taken.
 *
 * @throws {StoreError} invalid what is no object or has a bad time, naming the field below `name`
 */
export function readMessage(value: unknown, name: string): ImportedMessage {
  const given = check(anyObject, value, name) as { readonly [key: string]: unknown }
  return present({
    id: given.id ?? undefined,
    seq: given.seq ?? undefined,
    role: given.role,
    content: given.content,
    createdAt: createdAt(given, name),
    metadata: given.metadata ?? undefined,
  }) as ImportedMessage
}

function createdAt(given: { readonly [key: string]: unknown }, name: string): number | undefined {
  const key = given.created_at === undefined ? 'createdAt' : 'created_at'
  const time = given[key] ?? undefined
  return time === undefined ? undefined : readTime(time, `${name}.${key}`)
}
