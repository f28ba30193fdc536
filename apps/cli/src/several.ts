// Commands that do one thing to several sessions. All names are resolved before anything is changed; after that one session
// follows the other, and when one fails, the error says which are done.

import type { Session, SessionStore } from '@sess/core'
import { resolveLiveSession, resolveSessions } from './find-session.ts'
import { writeReceipt } from './output/receipt.ts'
import { doneLine } from './output/session.ts'
import { reworded } from './reworded.ts'
import type { Context } from './runtime.ts'

/**
 * Changes the sessions of some names and prints them as they are then.
 *
 * @param done what has happened to them: "archived"
 */
export async function changeSessions(
  context: Context,
  names: readonly string[],
  done: string,
  change: (store: SessionStore, session: Session) => Promise<Session>,
): Promise<undefined> {
  const store = await context.existingStore()
  const sessions = await resolveSessions(store, names, resolveLiveSession)
  const items = await eachSession(sessions, done, (session) => change(store, session))
  await writeReceipt(context, { items }, items.map((session) => doneLine(done, session)).join(''))
}

/** The answers for each session, in that order; an error names those that went before. */
export async function eachSession<T>(
  sessions: readonly Session[],
  done: string,
  work: (session: Session) => Promise<T>,
): Promise<T[]> {
  const answers: T[] = []
  for (const session of sessions) {
    try {
      answers.push(await work(session))
    } catch (error) {
      const before = sessions.slice(0, answers.length).map(({ id }) => id)
      const note = `${before.length} of ${sessions.length} ${done} before: ${before.join(', ')}`
      throw reworded(error, (message) => (before.length === 0 ? message : `${message} (${note})`))
    }
  }
  return answers
}
