// Naming beside the reply, which it must neither hold up nor break.

import type { SessionStore } from '../port/store.ts'
import { type AutoNameOptions, autoName } from './auto-name.ts'
import { warn } from './warn.ts'

/**
 * {@link autoName} for a host that does not wait: it begins now, and the promise ends with it, for who closes the store
 * afterwards. Never rejects: what goes wrong is told to the logger at warn, without any text of a message.
 */
export async function autoNameInBackground(
  store: Pick<SessionStore, 'sessions' | 'messages'>,
  sessionId: string,
  options: AutoNameOptions,
): Promise<void> {
  try {
    await autoName(store, sessionId, options)
  } catch (error) {
    warn(options?.logger, sessionId, error, 'the session could not be named')
  }
}
