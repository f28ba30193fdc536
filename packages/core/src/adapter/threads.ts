// Threads on their way in, and their pages.

import { z } from 'zod'
import { type CursorPart, decodeCursor, encodeCursor } from '../cursor.ts'
import { StoreError } from '../errors.ts'
import { check, snapshot } from '../input/check.ts'
import { checkIdText } from '../input/ids.ts'
import { toJsonText } from '../input/json.ts'
import {
  nameSchema,
  objectSchema,
  ownerIdSchema,
  pageFields,
  pageSchema,
  sessionIdSchema,
} from '../input/schemas.ts'
import { filterText } from '../input/text.ts'
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

const newThreadSchema = z.strictObject({
  id: sessionIdSchema.optional(),
  ownerId: ownerIdSchema.optional(),
  name: nameSchema,
  metadata: objectSchema.optional(),
})

const threadPatchSchema = z.strictObject({ name: nameSchema.optional(), metadata: objectSchema.optional() })

const threadQuerySchema = z.strictObject({
  ...pageFields,
  ownerId: filterText.optional(),
  sessionId: filterText.optional(),
})

/** A new thread, checked: what it is given its time and, where it has none, its id by. */
export type PreparedThread = (now: number, newId: (now: number) => string) => ThreadRecord

/** @throws {StoreError} invalid naming the field; too-large */
export function prepareThread(input: NewThread): PreparedThread {
  const { id, ownerId = '', name, metadata = {} } = snapshot(newThreadSchema, input, 'thread')
  const text = toJsonText(metadata, 'thread.metadata', limits.objectBytes)
  return (now, newId) => ({
    threadId: id ?? check(sessionIdSchema, newId(now), 'options.ids.message()'),
    ownerId,
    name,
    metadata: text,
    createdAt: now,
    updatedAt: now,
  })
}

/** The columns a patch changes; none where it says nothing. */
export function prepareThreadPatch(patch: {
  readonly name?: string
  readonly metadata?: object
}): Partial<Pick<ThreadRecord, 'name' | 'metadata'>> {
  const { name, metadata } = snapshot(threadPatchSchema, patch, 'patch')
  return {
    ...(name === undefined ? {} : { name }),
    ...(metadata === undefined
      ? {}
      : { metadata: toJsonText(metadata, 'patch.metadata', limits.objectBytes) }),
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

/** What a list of threads is asked. */
export type ThreadQuery = PageRequest & { readonly ownerId?: string; readonly sessionId?: string }

export interface ThreadListPlan extends PagePlan<readonly [number, string]> {
  readonly filter: { readonly ownerId: string | undefined; readonly sessionId: string | undefined }
}

/** Threads by update, newest first: after (updatedAt, threadId). */
export function planThreadList(query: ThreadQuery): ThreadListPlan {
  const { ownerId, sessionId, ...page } = snapshot(threadQuerySchema, query, 'query')
  const filter = { ownerId, sessionId }
  return {
    filter,
    ...planPage<readonly [number, string]>('threads.list', filter, page, ['number', 'string']),
  }
}

/** Sessions of a thread in the order they were attached: after (position). */
export function planThreadSessions(threadId: string, page: PageRequest): PagePlan<readonly [number]> {
  checkIdText(threadId)
  return planPage('threads.sessions', { threadId }, snapshot(pageSchema, page, 'page'), ['number'])
}

/** Messages of a thread: after (createdAt, position, seq). */
export function planTimeline(
  threadId: string,
  page: PageRequest,
): PagePlan<readonly [number, number, number]> {
  checkIdText(threadId)
  const types = ['number', 'number', 'number']
  return planPage('threads.timeline', { threadId }, snapshot(pageSchema, page, 'page'), types)
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
