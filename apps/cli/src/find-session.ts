// How people name a session: by its id, by the id it had where it was imported from, by a unique beginning of its id, or
// by its place among the latest.

import { displayUrl } from '@sess/connect'
import { isStoreError, type Session, type SessionQuery, type SessionStore, StoreError } from '@sess/core'
import { ambiguous, maxNamed } from './ambiguous.ts'
import { reworded } from './reworded.ts'

type Sessions = Pick<SessionStore, 'sessions'>

/** No session has that name. */
export class UnknownSessionError extends StoreError {
  readonly wanted: string

  constructor(wanted: string) {
    super('not-found', `there is no session "${wanted}"`)
    this.wanted = wanted
  }
}

/** The error with the store that was looked into, where it is about a session that is not there. */
export function withStoreName(error: unknown, url: string): unknown {
  // `instanceof` takes every error of a store for this one, as they come from more than one copy of core.
  if (!isStoreError(error) || !('wanted' in error)) return error
  return reworded(error, (message) => `${message} in ${displayUrl(url)} ("sess list" shows what is there)`)
}

/** Whether a name stands for a place among the latest. No session is created under it: it would hide that place. */
export function isPlace(name: string): boolean {
  return /^@(last|\d+)$/.test(name)
}

export interface FindOptions {
  /** Takes whole ids only: for a command that would otherwise create the session. */
  readonly whole?: boolean
  /** Prefers what is in the trash, where the name is not an id. */
  readonly trashFirst?: boolean
}

/**
 * The session of a name; `undefined` when there is none.
 *
 * @throws {StoreError} invalid when there are several
 */
export async function findSession(
  { sessions }: Sessions,
  name: string,
  { whole = false, trashFirst = false }: FindOptions = {},
): Promise<Session | undefined> {
  const session = await sessions.get(name)
  if (session !== undefined || name === '') return session
  const place = /^@(last|[1-9]\d{0,8})$/.exec(name)?.[1]
  if (place !== undefined) return latestSession({ sessions }, place === 'last' ? 1 : Number(place))
  const only = (filter: SessionQuery, relation: string) =>
    onlySession({ sessions }, name, filter, relation, trashFirst)
  return (
    (await only({ sourceSessionId: name }, 'was the id of')) ??
    (whole ? undefined : await only({ idPrefix: name }, 'begins the ids of'))
  )
}

/**
 * The session of a name, also in the trash: for a command that reads, or brings it back, or deletes it for good.
 *
 * @throws {StoreError} not-found when there is none; invalid when there are several
 */
export async function resolveSession(
  store: Sessions,
  name: string,
  options: FindOptions = {},
): Promise<Session> {
  const session = await findSession(store, name, options)
  if (session === undefined) throw new UnknownSessionError(name)
  return session
}

/**
 * The session of a name, for a command that changes it.
 *
 * @throws {StoreError} not-found when there is none, or it is in the trash; invalid when there are several
 */
export async function resolveLiveSession(store: Sessions, name: string): Promise<Session> {
  const session = await resolveSession(store, name)
  if (session.deletedAt === undefined) return session
  const hint = `"sess undelete ${session.id}" brings it back`
  throw new StoreError('not-found', `session "${session.id}" is in the trash: ${hint}`)
}

/** The sessions of several names, each once, in the order named; `resolve` is one of the above. */
export async function resolveSessions(
  store: Sessions,
  names: readonly string[],
  resolve: (store: Sessions, name: string) => Promise<Session>,
): Promise<readonly Session[]> {
  const found = new Map<string, Session>()
  for (const name of names) {
    const session = await resolve(store, name)
    found.set(session.id, session)
  }
  return [...found.values()]
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

/** Those in the trash count only where nothing else is meant, or the other way round. */
async function onlySession(
  { sessions }: Sessions,
  name: string,
  filter: SessionQuery,
  relation: string,
  trashFirst: boolean,
): Promise<Session | undefined> {
  for (const deleted of [trashFirst, !trashFirst]) {
    const { items } = await sessions.list({
      ...filter,
      types: 'all',
      archived: 'any',
      deleted,
      limit: maxNamed + 1,
    })
    if (items.length === 1) return items[0]
    if (items.length > 1) throw ambiguous(name, `${relation} several sessions`, items)
  }
  return undefined
}
