// Conversations that were read from files, into a store: what belongs together stays together.

import type { SessionRecords } from '../port/sessions.ts'
import type { ImportReceipt } from '../types/transfer.ts'
import { createNewIds, inLinkOrder } from './links.ts'
import type { ImportedConversation, ImportedHeader } from './types.ts'

/** What became of one conversation. */
export type ConversationOutcome<Conversation> =
  | { readonly conversation: Conversation; readonly receipt: ImportReceipt }
  | { readonly conversation: Conversation; readonly error: unknown }

export interface ImportConversationsOptions {
  /** Whose the sessions become; unless given, whose they were. An owner's view of a store takes its own owner only. */
  readonly ownerId?: string | undefined
  /** What comes of a source that was imported before; "update" unless given. */
  readonly onExisting?: 'update' | 'skip' | 'copy' | undefined
}

/**
 * Stores conversations by `sessions.import`, one transaction each, and yields what became of each once it is stored.
 * Sub-agents, branches and forks come after the session they belong to and get the id it has here; where that session is
 * neither among the conversations nor in the store from an earlier import for this owner, the link is left out.
 *
 * A conversation that the store refuses is yielded with the error, and is the last: the same call again goes on there,
 * because a source that is stored is known.
 */
export async function* importConversations<Conversation extends ImportedConversation<string>>(
  store: { readonly sessions: Pick<SessionRecords, 'import' | 'list'> },
  conversations: Iterable<Conversation>,
  options: ImportConversationsOptions = {},
): AsyncGenerator<ConversationOutcome<Conversation>, void, undefined> {
  // An option that is none is the store's to refuse.
  const { ownerId: given, ...rest } = options
  const ownerOf = ({ session }: ImportedHeader) => given ?? session.ownerId
  const newIds = createNewIds((source, item) => findImported(store.sessions, source, ownerOf(item) ?? ''))
  for (const conversation of inLinkOrder([...conversations])) {
    const { session, messages } = conversation
    try {
      const ownerId = ownerOf(conversation)
      const owned = ownerId === undefined ? session : { ...session, ownerId }
      const links = await newIds.linksOf(conversation)
      const receipt = await store.sessions.import({ ...owned, ...links }, messages, rest as object)
      newIds.add(conversation, receipt.session.id)
      yield { conversation, receipt }
    } catch (error) {
      yield { conversation, error }
      return
    }
  }
}

/** The id of the session that was imported from a source, wherever it is now. */
async function findImported(
  sessions: Pick<SessionRecords, 'list'>,
  source: { readonly agent: string; readonly sessionId: string },
  ownerId: string,
): Promise<string | undefined> {
  const { items } = await sessions.list({
    sourceAgent: source.agent,
    sourceSessionId: source.sessionId,
    ownerId,
    types: 'all',
    archived: 'any',
    deleted: 'any',
    limit: 1,
  })
  return items[0]?.id
}
