// All messages of a session, page by page.

import { StoreError } from './errors.ts'
import type { MessageRange } from './port/messages.ts'
import type { SessionStore } from './port/store.ts'
import type { Message } from './types/message.ts'

/**
 * Gives the messages of a range one by one, reading a page at a time: memory stays flat however long the session is.
 * Damaged rows are left out; what is appended meanwhile comes too, when the range reaches it. `limit` is that of a page.
 *
 * @throws {StoreError} what `messages.read` throws; invalid a store that is none
 */
export async function* iterate(
  store: Pick<SessionStore, 'messages'>,
  id: string,
  range: MessageRange = {},
): AsyncGenerator<Message, void, undefined> {
  if (typeof store?.messages?.read !== 'function') {
    throw new StoreError('invalid', 'store: must be a store of sessions', { operation: 'iterate' })
  }
  // The first page checks the range; those after it go on with what it was then.
  let page = await store.messages.read(id, range)
  const checked = { ...range }
  yield* page.items
  while (page.nextCursor !== undefined) {
    page = await store.messages.read(id, { ...checked, cursor: page.nextCursor })
    yield* page.items
  }
}
