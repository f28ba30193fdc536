// How people name a session: by its id, by the id it had where it was imported from, by a unique beginning of its id, or
// by its place among the latest.

import { type Session, type SessionQuery, type SessionStore, StoreError } from '@sess/core'

type Sessions = Pick<SessionStore, 'sessions'>

/** How many of several are named in an error. */
const named = 5

export interface FindOptions {
  /** Takes whole ids only: for a command that would otherwise create the session. */
  readonly whole?: boolean
}

/**
 * The session of a name; `undefined` when there is none.
 *
 * @throws {StoreError} invalid when there are several
 */
export async function findSession(
  { sessions }: Sessions,
  name: string,
  { whole = false }: FindOptions = {},
): Promise<Session | undefined> {
  const session = await sessions.get(name)
  if (session !== undefined || name === '') return session
  const place = /^@(last|[1-9]\d{0,8})$/.exec(name)?.[1]
  if (place !== undefined) return latestSession({ sessions }, place === 'last' ? 1 : Number(place))
  return (
    (await onlySession({ sessions }, name, { sourceSessionId: name }, 'was the id of')) ??
    (whole ? undefined : await onlySession({ sessions }, name, { idPrefix: name }, 'begins the ids of'))
  )
}

/**
 * The session of a name.
 *
 * @throws {StoreError} not-found when there is none; invalid when there are several
 */
export async function resolveSession(store: Sessions, name: string): Promise<Session> {
  const session = await findSession(store, name)
  if (session === undefined) throw new StoreError('not-found', `there is no session "${name}"`)
  return session
}

/** The n-th of a plain list. */
async function latestSession({ sessions }: Sessions, place: number): Promise<Session | undefined> {
  let before = 0
  let cursor: string | undefined
  do {
    const limit = Math.min(1000, place - before)
    const page = await sessions.list({ limit, cursor })
    before += page.items.length
    if (before === place) return page.items.at(-1)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return undefined
}

/** Those in the trash count only where nothing else is meant. */
async function onlySession(
  { sessions }: Sessions,
  name: string,
  filter: SessionQuery,
  relation: string,
): Promise<Session | undefined> {
  for (const deleted of [false, true]) {
    const { items } = await sessions.list({
      ...filter,
      types: 'all',
      archived: 'any',
      deleted,
      limit: named + 1,
    })
    if (items.length === 1) return items[0]
    if (items.length > 1) {
      const ids = items.slice(0, named).map((session) => session.id)
      const more = items.length > named ? ', ...' : ''
      throw new StoreError('invalid', `"${name}" ${relation} several sessions: ${ids.join(', ')}${more}`)
    }
  }
  return undefined
}
