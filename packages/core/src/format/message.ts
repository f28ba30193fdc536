// One message of a file, checked: as an export has it (`created_at`), or as callers give it (`createdAt`).

import { z } from 'zod'
import { check } from '../input/check.ts'
import { assertJsonValue } from '../input/json.ts'
import { importedMessageSchema } from '../input/schemas.ts'
import type { ImportedMessage } from '../types/transfer.ts'
import { present } from './present.ts'
import { readTime } from './time.ts'

const anyObject = z.looseObject({})

const seq = z.number().int().min(1)
const summarySchema = z
  .looseObject({
    summary: z.object({ fromSeq: seq, throughSeq: seq, line: z.array(seq) }).optional(),
  })
  .optional()

/**
 * Reads a message; `content` and `metadata` are the values that were given, not copies. Other members are not taken.
 *
 * @throws {StoreError} invalid naming the field below `name`
 */
export function readMessage(value: unknown, name: string): ImportedMessage {
  const given = check(anyObject, value, name) as { readonly [key: string]: unknown }
  const message = present({
    id: given.id ?? undefined,
    seq: given.seq ?? undefined,
    role: given.role,
    content: given.content,
    createdAt: createdAt(given, name),
    metadata: given.metadata ?? undefined,
  })
  check(importedMessageSchema, message, name)
  check(summarySchema, message.metadata, `${name}.metadata`)
  assertJsonValue(message.content, `${name}.content`)
  assertJsonValue(message.metadata ?? null, `${name}.metadata`)
  return message as ImportedMessage
}

function createdAt(given: { readonly [key: string]: unknown }, name: string): number | undefined {
  const key = given.created_at === undefined ? 'createdAt' : 'created_at'
  const time = given[key] ?? undefined
  return time === undefined ? undefined : readTime(time, `${name}.${key}`)
}
