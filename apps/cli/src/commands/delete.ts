// sess delete: into the trash, or with --purge for good. Sub-agents and hidden branches go along with their session.

import type { Session } from '@sess/core'
import { confirmUnless } from '../confirm.ts'
import { exitCodes } from '../exit-codes.ts'
import { resolveLiveSession, resolveSession, resolveSessions } from '../find-session.ts'
import { writeReceipt } from '../output/receipt.ts'
import { countOf, displayName, doneLine } from '../output/session.ts'
import { visibleLine } from '../output/text.ts'
import type { Context } from '../runtime.ts'
import { eachSession } from '../several.ts'

export interface DeleteFlags {
  readonly purge?: boolean
  readonly yes?: boolean
}

export async function deleteSessions(
  context: Context,
  names: readonly string[],
  { purge = false, yes }: DeleteFlags,
): Promise<number> {
  const confirm = confirmUnless(purge ? yes : true)
  const store = await context.existingStore()
  const sessions = await resolveSessions(store, names, purge ? resolveSession : resolveLiveSession)
  if (!(await confirm(describePurge(sessions)))) {
    context.output.note('Nothing deleted.')
    return exitCodes.other
  }
  const outcome = purge ? 'purged' : 'trashed'
  // False is no failure: it went along with one before.
  await eachSession(sessions, outcome, ({ id }) => store.sessions.remove(id, { purge }))
  const items = sessions.map(({ id }) => ({ id, outcome }))
  await writeReceipt(context, { items }, sessions.map((session) => doneLine(outcome, session)).join(''))
  return exitCodes.ok
}

function describePurge(sessions: readonly Session[]): string {
  const lines = sessions.map(
    (session) =>
      `  ${visibleLine(session.id)}: ${displayName(session)}, ${countOf(session.messageCount, 'message')}`,
  )
  return ['To be deleted for good, with sub-agents and hidden branches:', ...lines].join('\n')
}
