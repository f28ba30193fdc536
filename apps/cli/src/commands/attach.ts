// sess thread attach, detach: which sessions belong to a thread.

import type { SessionStore } from '@sess/core'
import { resolveLiveSession, resolveSessions } from '../find-session.ts'
import { resolveThread } from '../find-thread.ts'
import { writeReceipt } from '../output/receipt.ts'
import { doneLine } from '../output/session.ts'
import { visibleLine } from '../output/text.ts'
import type { Context } from '../runtime.ts'
import { eachSession } from '../several.ts'

export function attach(context: Context, thread: string, sessions: readonly string[]): Promise<undefined> {
  return changeThread(context, thread, sessions, 'attached', async ({ threads }, id, sessionId) => {
    await threads.attach(id, sessionId)
    return true
  })
}

export function detach(context: Context, thread: string, sessions: readonly string[]): Promise<undefined> {
  return changeThread(context, thread, sessions, 'detached', ({ threads }, id, sessionId) =>
    threads.detach(id, sessionId),
  )
}

/** `change` answers whether there was anything to do. */
async function changeThread(
  context: Context,
  name: string,
  names: readonly string[],
  done: string,
  change: (store: SessionStore, id: string, sessionId: string) => Promise<boolean>,
): Promise<undefined> {
  const store = await context.existingStore()
  const { id } = await resolveThread(store, name)
  const sessions = await resolveSessions(store, names, resolveLiveSession)
  const changed = await eachSession(sessions, done, (session) => change(store, id, session.id))
  const items = sessions.map((session, index) => ({
    id: session.id,
    outcome: changed[index] ? done : 'unchanged',
  }))
  const lines = sessions.map((session, index) =>
    changed[index]
      ? doneLine(done, session)
      : `nothing to detach: ${visibleLine(session.id)} is not in the thread\n`,
  )
  await writeReceipt(context, { items }, lines.join(''))
}
