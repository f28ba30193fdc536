// Threads on their way in, and their pages.

import { z } from 'zod'
import { type CursorPart, decodeCursor, encodeCursor } from '../cursor.ts'
import { StoreError } from '../errors.ts'
import { check } from '../input/check.ts'
import { toJsonText } from '../input/json.ts'
import { filterText, nameSchema, ownerIdSchema, pageSchema, sessionIdSchema } from '../input/schemas.ts'
import { limits } from '../limits.ts'
import type { Thread } from '../port/threads.ts'
import type { PageRequest } from '../types/query.ts'
import { assertIntact, type ColumnKinds, corruptRow, rowDamage } from './damage.ts'
import { isObject, type OnDamage, parseJson } from './records.ts'

/** One row of `threads`. */
export interface ThreadRecord {
  readonly threadId: string
  readonly ownerId: string
  readonly name: string
  readonly metadata: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface NewThread {
  readonly id?: string
  readonly ownerId?: string
  readonly name: string
  readonly metadata?: object
}

const object = z.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { message: 'must be an object' },
)

const newThreadSchema = z.strictObject({
  id: sessionIdSchema.optional(),
  ownerId: ownerIdSchema.optional(),
  name: nameSchema,
  metadata: object.optional(),
})

const threadPatchSchema = z.strictObject({ name: nameSchema.optional(), metadata: object.optional() })

const threadQuerySchema = z.strictObject({
  limit: z.number().int().min(1).max(limits.pageMax).optional(),
  cursor: z.string().optional(),
  ownerId: filterText.optional(),
  sessionId: filterText.optional(),
})

/** The row of a new thread. */
export function prepareThread(input: NewThread, now: number, newId: (now: number) => string): ThreadRecord {
  check(newThreadSchema, input, 'thread')
  return {
    threadId: input.id ?? check(sessionIdSchema, newId(now), 'options.ids.message()'),
    ownerId: input.ownerId ?? '',
    name: input.name,
    metadata:
      input.metadata === undefined ? '{}' : toJsonText(input.metadata, 'thread.metadata', limits.objectBytes),
    createdAt: now,
    updatedAt: now,
  }
}

/** The columns a patch changes; none where it says nothing. */
export function prepareThreadPatch(patch: {
  readonly name?: string
  readonly metadata?: object
}): Partial<Pick<ThreadRecord, 'name' | 'metadata'>> {
  check(threadPatchSchema, patch, 'patch')
  return {
    ...(patch.name === undefined ? {} : { name: patch.name }),
    ...(patch.metadata === undefined
      ? {}
      : { metadata: toJsonText(patch.metadata, 'patch.metadata', limits.objectBytes) }),
  }
}

/** What a write to a thread that is not there rejects with. */
export function unknownThread(id: string): StoreError {
  return new StoreError('not-found', `there is no thread "${id}"`)
}

const threadKinds: ColumnKinds<ThreadRecord> = {
  threadId: 'text',
  ownerId: 'text',
  name: 'text',
  createdAt: 'integer',
  updatedAt: 'integer',
}

/** The thread of a row for a page: `undefined` where the row is damaged, which is told of. */
export function readThread(row: ThreadRecord, sessionCount: number, onDamage: OnDamage): Thread | undefined {
  const damage = rowDamage(row, threadKinds)
  if (damage === undefined) return toThread(row, sessionCount, onDamage)
  onDamage(corruptRow('threads', row.threadId, damage).message)
  return undefined
}

/**
 * The thread of a row. Broken metadata read as empty and are told of.
 *
 * @throws {StoreError} corrupt another column holds what it cannot
 */
export function toThread(row: ThreadRecord, sessionCount: number, onDamage: OnDamage): Thread {
  assertIntact('threads', row.threadId, row, threadKinds)
  return {
    id: row.threadId,
    ownerId: row.ownerId,
    name: row.name,
    metadata: readObject(row, onDamage),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    sessionCount,
  }
}

function readObject({ threadId, metadata }: ThreadRecord, onDamage: OnDamage): Thread['metadata'] {
  const value = parseJson(metadata)
  if (isObject(value)) return value
  onDamage(`thread "${threadId}": metadata is not a JSON object`)
  return {}
}

/** A page with its defaults filled in; `after` is the position its cursor names. */
export interface PagePlan<Position extends readonly CursorPart[]> {
  readonly limit: number
  readonly after: Position | undefined
  readonly cursorAt: (position: Position) => string
}

/** Threads by update, newest first: after (updatedAt, threadId). */
export function planThreadList(
  query: PageRequest & { readonly ownerId?: string; readonly sessionId?: string },
): PagePlan<readonly [number, string]> {
  check(threadQuerySchema, query, 'query')
  const { ownerId, sessionId } = query
  return planPage('threads.list', { ownerId, sessionId }, query, ['number', 'string'])
}

/** Sessions of a thread in the order they were attached: after (position). */
export function planThreadSessions(threadId: string, page: PageRequest): PagePlan<readonly [number]> {
  check(pageSchema, page, 'page')
  return planPage('threads.sessions', { threadId }, page, ['number'])
}

/** Messages of a thread: after (createdAt, position, seq). */
export function planTimeline(
  threadId: string,
  page: PageRequest,
): PagePlan<readonly [number, number, number]> {
  check(pageSchema, page, 'page')
  return planPage('threads.timeline', { threadId }, page, ['number', 'number', 'number'])
}

function planPage<Position extends readonly CursorPart[]>(
  kind: string,
  binding: object,
  { limit = limits.pageDefault, cursor }: PageRequest,
  types: readonly string[],
): PagePlan<Position> {
  return {
    limit,
    after: cursor === undefined ? undefined : readPosition(decodeCursor(kind, binding, cursor), types),
    cursorAt: (position) => encodeCursor(kind, binding, position),
  }
}

function readPosition<Position extends readonly CursorPart[]>(
  position: readonly CursorPart[],
  types: readonly string[],
): Position {
  if (position.length === types.length && position.every((part, index) => typeof part === types[index])) {
    return position as Position
  }
  throw new StoreError('invalid-cursor', 'the cursor is damaged')
}

/** Order of text by code points, which is that of UTF-8 bytes and so SQLite's; JavaScript's own differs above U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left === right) continue
    // A surrogate stands for a code point above every other unit.
    const isSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xe000
    if (isSurrogate(left) !== isSurrogate(right)) return isSurrogate(left) ? 1 : -1
    return left - right
  }
  return a.length - b.length
}
