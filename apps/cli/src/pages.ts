// Walks through a conversation page by page, so that a long one is never held whole.

import type { MessagePage, SessionStore } from '@sess/core'
import { pause } from './pause.ts'

export interface PagesRange {
  /** Included. */
  readonly fromSeq?: number
  /** Included. */
  readonly toSeq?: number
  /** How many rows are read at the most, damaged ones too. */
  readonly limit?: number
}

/** The pages of a range, oldest first. */
export async function* messagePages(
  store: Pick<SessionStore, 'messages'>,
  id: string,
  { fromSeq, toSeq, limit = Number.POSITIVE_INFINITY }: PagesRange = {},
): AsyncGenerator<MessagePage, void, undefined> {
  let left = limit
  let cursor: string | undefined
  do {
    const page = await store.messages.read(id, { fromSeq, toSeq, limit: Math.min(left, 1000), cursor })
    left -= page.items.length + (page.damaged?.length ?? 0)
    cursor = page.nextCursor
    yield page
    await pause()
  } while (cursor !== undefined && left > 0)
}
