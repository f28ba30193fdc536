// sess list: a page of sessions, as a table on a terminal, in columns between tabs in a pipe.

import { resolve } from 'node:path'
import type { SessionQuery, SessionStore, SessionType } from '@sess/core'
import { resolveSession } from '../find-session.ts'
import { resolveThread } from '../find-thread.ts'
import { toJsonText } from '../output/json.ts'
import { noteNextPage } from '../output/next-page.ts'
import { writeSessions } from '../output/session-page.ts'
import type { Context } from '../runtime.ts'
import { isRelative, parseWhen } from '../when.ts'

export interface ListFlags {
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
  readonly sort?: 'active' | 'created'
  readonly reverse?: boolean
  readonly limit?: number
  readonly cursor?: string
}

export async function list(context: Context, flags: ListFlags): Promise<undefined> {
  const { output, settings } = context
  const query = readPeriod(context, flags)
  const store = await context.existingStore()
  const page = await store.sessions.list({ ...query, ...(await readFilter(store, flags)) })
  const nextCursor = page.nextCursor === undefined ? undefined : packCursor(page.nextCursor, query, flags)
  if (settings.json) return void (await output.write(`${toJsonText({ items: page.items, nextCursor })}\n`))
  await writeSessions(context, page.items)
  noteNextPage(context, nextCursor)
  if (page.items.length === 0 && output.isTerminal) output.note(emptyHint(flags))
}

async function readFilter(store: SessionStore, flags: ListFlags): Promise<SessionQuery> {
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
    sort: flags.sort,
    order: flags.reverse ? 'asc' : undefined,
    limit: flags.limit,
  }
}

type Period = Pick<SessionQuery, 'since' | 'until' | 'cursor'>

/**
 * An age means another moment each time it is read, and a cursor belongs to one query: so the cursors printed here carry
 * the moments of the first page behind the store's own, between dots.
 */
function readPeriod({ now, settings: { timeZone } }: Context, flags: ListFlags): Period {
  const [cursor, since = '', until = ''] = flags.cursor?.split('.') ?? []
  const moment = (text: string | undefined, kept: string) => {
    if (text === undefined) return undefined
    return isRelative(text) && /^-?\d{1,15}$/.test(kept) ? Number(kept) : parseWhen(text, { now, timeZone })
  }
  return { since: moment(flags.since, since), until: moment(flags.until, until), cursor }
}

function packCursor(cursor: string, { since, until }: Period, flags: ListFlags): string {
  const moves = [flags.since, flags.until].some((text) => text !== undefined && isRelative(text))
  return moves ? `${cursor}.${since ?? ''}.${until ?? ''}` : cursor
}

function emptyHint(flags: ListFlags): string {
  return Object.keys(flags).some((key) => filterFlags.has(key))
    ? 'No session like that.'
    : 'No sessions yet. Try "sess demo", or "sess import" and "sess new".'
}

const filterFlags: ReadonlySet<string> = new Set<keyof ListFlags>([
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
])
