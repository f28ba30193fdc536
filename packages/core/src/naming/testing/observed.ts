// What the tests of naming look at: what was logged, and the name a session has.

import type { Logger } from '../../options.ts'
import type { SessionStore } from '../../port/store.ts'

/** A logger that keeps what it is told: level, fields, message. */
export function logger(): { readonly logged: [string, object, string][]; readonly logger: Logger } {
  const logged: [string, object, string][] = []
  const log = (level: string) => (fields: object, message: string) => {
    logged.push([level, fields, message])
  }
  const kept: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  return { logged, logger: kept }
}

/** Name and origin of the name of session `s`. */
export async function named(store: SessionStore): Promise<readonly [string, string] | undefined> {
  const session = await store.sessions.get('s')
  return session && [session.name, session.nameSource]
}
