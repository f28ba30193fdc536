// sess archive, unarchive, pin, unpin: marks that lists go by.

import type { SessionPatch } from '@sess/core'
import type { Context } from '../runtime.ts'
import { changeSessions } from '../several.ts'

export type Mark = 'archive' | 'unarchive' | 'pin' | 'unpin'

const marks: Readonly<Record<Mark, { readonly patch: SessionPatch; readonly done: string }>> = {
  archive: { patch: { archived: true }, done: 'archived' },
  unarchive: { patch: { archived: false }, done: 'unarchived' },
  pin: { patch: { pinned: true }, done: 'pinned' },
  unpin: { patch: { pinned: false }, done: 'unpinned' },
}

export function mark(context: Context, name: Mark, sessions: readonly string[]): Promise<undefined> {
  const { patch, done } = marks[name]
  return changeSessions(context, sessions, done, (store, { id }) => store.sessions.update(id, patch))
}
