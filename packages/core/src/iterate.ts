// All messages of a session, page by page.

import type { MessageRange } from './port/messages.ts'
import type { SessionStore } from './port/store.ts'
import type { Message } from './types/message.ts'

/**
 * Gives the messages of a range one by one, reading a page at a time: memory stays flat however long the session is.
 * Damaged rows are left out; what is appended meanwhile comes too, when the range reaches it. `limit` is that of a page.
 *
 * @throws {StoreError} what `messages.read` throws
 */
export async function* iterate(
  store: Pick<SessionStore, 'messages'>,
  id: string,
  range: MessageRange = {},
): AsyncGenerator<Message, void, undefined> {
  let cursor = range.cursor
  do {
    const page = await store.messages.read(id, cursor === undefined ? range : { ...range, cursor })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
