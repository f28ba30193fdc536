// What an import would meet: the same import, into a store that is gone afterwards. It gets what the real one has of the
// same source first, as a history that has diverged there is refused.

import { openStore } from '@sess/connect'
import type { ImportedSession, Session, SessionStore } from '@sess/core'
import { messagePages } from './pages.ts'
import type { Context } from './runtime.ts'

/**
 * A store for the rehearsal; the real one, where there is one, is only read.
 *
 * @param sessions all that are to be imported
 */
export async function openRehearsal(
  { storeIfAny, settings, defer }: Context,
  sessions: Iterable<ImportedSession>,
): Promise<SessionStore> {
  const real = await storeIfAny()
  const { locale, timeZone } = settings
  const maxMessageBytes = real?.capabilities.maxMessageBytes
  const scratch = await openStore(':memory:', {
    locale,
    timeZone,
    ...(maxMessageBytes && { maxMessageBytes }),
  })
  defer(() => scratch.close())
  // Before any is made there: the ids they have must be free.
  if (real !== undefined) for (const session of sessions) await copyImported(real, session, scratch)
  return scratch
}

async function copyImported(from: SessionStore, imported: ImportedSession, to: SessionStore): Promise<void> {
  const session = await findImported(from, imported)
  if (session === undefined || (await to.sessions.get(session.id)) !== undefined) return
  const { id, source, ownerId, nextSeq, deletedAt } = session
  const messages = async function* () {
    for await (const page of messagePages(from, id)) {
      for (const { id, seq, role, content, metadata, createdAt } of page.items) {
        yield { id, seq, role, content, metadata, createdAt }
      }
    }
  }
  await to.sessions.import({ id, source, ownerId, nextSeq }, messages())
  if (deletedAt !== undefined) await to.sessions.remove(id)
}

/** The session that was imported from the same source. */
async function findImported(
  { sessions }: SessionStore,
  { source, ownerId = '' }: ImportedSession,
): Promise<Session | undefined> {
  if (source === undefined) return undefined
  const { items } = await sessions.list({
    types: 'all',
    archived: 'any',
    deleted: 'any',
    ownerId,
    sourceAgent: source.agent,
    sourceSessionId: source.sessionId,
    limit: 1,
  })
  return items[0]
}
