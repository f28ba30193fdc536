// Which sessions a list or a search is about, read from flags.

import { resolve } from 'node:path'
import type { SessionFilter, SessionQuery, SessionStore, SessionType } from '@sess/core'
import { resolveSession } from '../find-session.ts'
import { resolveThread } from '../find-thread.ts'
import type { Context } from '../runtime.ts'
import { isRelative, parseWhen } from '../when.ts'

export interface FilterFlags {
  readonly type?: readonly SessionType[]
  readonly all?: boolean
  readonly archived?: boolean
  readonly trash?: boolean
  readonly pinned?: boolean
  readonly cwd?: string
  readonly channel?: string
  readonly chat?: string
  readonly owner?: string
  readonly tag?: readonly string[]
  readonly thread?: string
  readonly parent?: string
  readonly name?: string
  readonly since?: string
  readonly until?: string
  readonly cursor?: string
}

/** The filter but for its times. */
export async function readFilter(store: SessionStore, flags: FilterFlags): Promise<SessionFilter> {
  const thread = flags.thread === undefined ? undefined : await resolveThread(store, flags.thread)
  const parent = flags.parent === undefined ? undefined : await resolveSession(store, flags.parent)
  return {
    types: flags.type ?? (flags.all ? 'all' : undefined),
    archived: flags.archived ? true : flags.all ? 'any' : undefined,
    deleted: flags.trash || undefined,
    pinned: flags.pinned || undefined,
    workingDir: flags.cwd === undefined ? undefined : resolve(flags.cwd),
    channelType: flags.channel,
    channelKey: flags.chat,
    ownerId: flags.owner,
    tags: flags.tag,
    threadId: thread?.id,
    parentSessionId: parent?.id,
    nameContains: flags.name,
  }
}

export type Period = Pick<SessionQuery, 'since' | 'until' | 'cursor'>

/**
 * An age means another moment each time it is read, and a cursor belongs to one query: so the cursors printed here carry
 * the moments of the first page behind the store's own, between dots.
 */
export function readPeriod({ now, settings: { timeZone } }: Context, flags: FilterFlags): Period {
  const [cursor, since = '', until = ''] = flags.cursor?.split('.') ?? []
  const moment = (text: string | undefined, kept: string) => {
    if (text === undefined) return undefined
    return isRelative(text) && /^-?\d{1,15}$/.test(kept) ? Number(kept) : parseWhen(text, { now, timeZone })
  }
  return { since: moment(flags.since, since), until: moment(flags.until, until), cursor }
}

export function packCursor(cursor: string, { since, until }: Period, flags: FilterFlags): string {
  const moves = [flags.since, flags.until].some((text) => text !== undefined && isRelative(text))
  return moves ? `${cursor}.${since ?? ''}.${until ?? ''}` : cursor
}

const narrowing: readonly (keyof FilterFlags)[] = [
  'type',
  'archived',
  'trash',
  'pinned',
  'cwd',
  'channel',
  'chat',
  'owner',
  'tag',
  'thread',
  'parent',
  'name',
  'since',
  'until',
  'cursor',
]

/** Whether a flag narrows what is looked at. */
export function isNarrowed(flags: FilterFlags): boolean {
  return narrowing.some((name) => flags[name] !== undefined)
}
