// sess tag, untag. A patch replaces all tags, so each is tried again where the session has changed since it was read.

import { isStoreError, type Session, type SessionStore } from '@sess/core'
import type { Context } from '../runtime.ts'
import { changeSessions } from '../several.ts'

const tries = 5

export function tag(context: Context, name: string, sessions: readonly string[]): Promise<undefined> {
  return changeSessions(context, sessions, 'tagged', (store, session) =>
    changeTags(store, session, (tags) => (tags.includes(name) ? tags : [...tags, name])),
  )
}

export function untag(context: Context, name: string, sessions: readonly string[]): Promise<undefined> {
  return changeSessions(context, sessions, 'untagged', (store, session) =>
    changeTags(store, session, (tags) => tags.filter((tag) => tag !== name)),
  )
}

async function changeTags(
  { sessions }: Pick<SessionStore, 'sessions'>,
  session: Session,
  change: (tags: readonly string[]) => readonly string[],
): Promise<Session> {
  let latest = session
  for (let left = tries; ; left--) {
    const tags = change(latest.tags)
    if (tags.length === latest.tags.length) return latest
    try {
      return await sessions.update(latest.id, { tags, ifChangeSeq: latest.changeSeq })
    } catch (error) {
      if (left === 1 || !isStoreError(error) || error.code !== 'conflict') throw error
      latest = (await sessions.get(latest.id)) ?? latest
    }
  }
}
