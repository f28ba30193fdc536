// A page of messages with its defaults filled in, the same for every store.

import { decodeCursor, encodeCursor } from '../cursor.ts'
import { StoreError } from '../errors.ts'
import { snapshot } from '../input/check.ts'
import { checkIdText } from '../input/ids.ts'
import { messageRangeSchema } from '../input/schemas.ts'
import { limits } from '../limits.ts'
import type { MessagePage, MessageRange } from '../port/messages.ts'
import { utf8Length } from '../text/utf8.ts'
import type { Message } from '../types/message.ts'
import { isFarthest, sortKey } from './damage.ts'
import { isDamaged, type MessageRecord, readMessages, toMessage } from './records.ts'

/** A checked range: rows from `fromSeq` to `toSeq`, both included, in this order. */
export interface ReadPlan {
  readonly fromSeq: number
  readonly toSeq: number
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly cursorAt: (seq: number) => string
}

const kind = 'messages.read'

/**
 * Checks a range and fills in its defaults; a cursor moves the bound it came to.
 *
 * @throws {StoreError} invalid invalid-cursor
 */
export function planRead(sessionId: string, range: MessageRange): ReadPlan {
  checkIdText(sessionId)
  const {
    limit = limits.pageDefault,
    cursor,
    order = 'asc',
    fromSeq = 1,
    toSeq = Number.MAX_SAFE_INTEGER,
  } = snapshot(messageRangeSchema, range, 'range')
  const binding = { sessionId, order, fromSeq, toSeq }
  const bounds = { fromSeq, toSeq }
  if (cursor !== undefined) {
    const [seq] = decodeCursor(kind, binding, cursor)
    if (typeof seq !== 'number') throw new StoreError('invalid-cursor', 'the cursor is damaged')
    if (order === 'asc') bounds.fromSeq = seq + 1
    else bounds.toSeq = seq - 1
  }
  return { ...bounds, order, limit, cursorAt: (seq) => encodeCursor(kind, binding, [seq]) }
}

/**
 * The page of some rows.
 *
 * @param rows those of the page, damaged ones too; @param more whether rows follow
 */
export function toMessagePage(
  sessionId: string,
  plan: Pick<ReadPlan, 'cursorAt'>,
  rows: readonly MessageRecord[],
  more: boolean,
): MessagePage {
  const { messages, damaged } = readMessages(sessionId, rows)
  const last = rows.at(-1)
  return {
    items: messages,
    ...(more && last !== undefined ? { nextCursor: plan.cursorAt(last.seq) } : {}),
    ...(damaged.length > 0 ? { damaged } : {}),
  }
}

/** The order of a timeline: by creation, the session's position, and seq. */
export function comparePlaces(
  a: readonly [number, number, number],
  b: readonly [number, number, number],
): number {
  const [time, position, seq] = [0, 1, 2].map((part) => sortKey(a[part]) - sortKey(b[part]))
  return time || position || seq || 0
}

/** The page of some rows of several sessions; each row carries its session and its place in the timeline. */
export function toTimelinePage(
  plan: { readonly cursorAt: (place: readonly [number, number, number]) => string },
  rows: readonly (MessageRecord & {
    readonly sessionId: string
    readonly place: readonly [number, number, number]
  })[],
  more: boolean,
): MessagePage {
  const found = rows.map((row) => toMessage(row.sessionId, row))
  const damaged = found.flatMap((row, index) =>
    isDamaged(row) ? [{ sessionId: rows[index]?.sessionId ?? '', ...row }] : [],
  )
  const last = rows.at(-1)
  return {
    items: found.filter((message): message is Message => !isDamaged(message)),
    // Places that are no numbers come last.
    ...(more && last && !last.place.some(isFarthest) ? { nextCursor: plan.cursorAt(last.place) } : {}),
    ...(damaged.length > 0 ? { damaged } : {}),
  }
}

/** The bytes a row counts for in a page: those of its content and metadata, where `{}` is nothing. */
export function pageBytes({
  contentJson,
  metadataJson,
}: Pick<MessageRecord, 'contentJson' | 'metadataJson'>): number {
  return utf8Length(contentJson) + utf8Length(metadataJson) - 2
}

/** How many of some rows, given by their sizes in bytes, a page takes: at least one, at most 4 MiB. */
export function rowsThatFit(sizes: readonly number[]): number {
  let bytes = 0
  const over = sizes.findIndex((size, index) => {
    bytes += size
    return index > 0 && bytes > limits.pageBytes
  })
  return over < 0 ? sizes.length : over
}
