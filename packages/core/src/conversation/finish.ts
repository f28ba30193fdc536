// The end of a run: its usage.

import { isStoreError } from '../errors.ts'
import type { Logger } from '../options.ts'
import type { SessionStore } from '../port/store.ts'

/** The usage of a session that was deleted meanwhile is nobody's; a store that keeps none is told of. */
export async function addUsage(
  store: Pick<SessionStore, 'sessions'>,
  id: string,
  usage: Parameters<SessionStore['sessions']['addUsage']>[1],
  logger: Logger | undefined,
): Promise<void> {
  try {
    await store.sessions.addUsage(id, usage)
  } catch (error) {
    if (!isStoreError(error) || !['not-found', 'unsupported'].includes(error.code)) throw error
    if (error.code === 'unsupported') warn(logger, { sessionId: id, code: error.code })
  }
}

/** A logger that fails must not undo what it only tells of. */
function warn(logger: Logger | undefined, fields: object): void {
  try {
    logger?.warn(fields, 'usage is not counted: the store cannot add it')
  } catch {}
}
