// sess list: a page of sessions, as a table on a terminal, in columns between tabs in a pipe.

import { resolve } from 'node:path'
import type { Page, Session, SessionQuery, SessionStore, SessionType } from '@sess/core'
import { resolveSession } from '../find-session.ts'
import { toJsonText } from '../output/json.ts'
import { displayName } from '../output/session.ts'
import { visibleLine } from '../output/text.ts'
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
  const store = await context.store()
  const page = await store.sessions.list({ ...query, ...(await readFilter(store, flags)) })
  const nextCursor = page.nextCursor === undefined ? undefined : packCursor(page.nextCursor, query, flags)
  if (settings.json) return void (await output.write(`${toJsonText({ items: page.items, nextCursor })}\n`))
  if (output.isTerminal) {
    const { formatTable } = await import('../output/session-table.ts')
    await output.write(formatTable(page, context))
  } else await output.write(formatColumns(page))
  if (nextCursor !== undefined) output.note(`Next page: ${nextCommand(context.words, nextCursor)}`)
  else if (page.items.length === 0 && output.isTerminal) output.note(emptyHint(flags))
}

async function readFilter(store: SessionStore, flags: ListFlags): Promise<SessionQuery> {
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

function formatColumns({ items }: Page<Session>): string {
  return items
    .map((session) => {
      const { id, type, messageCount, lastActiveAt, workingDir = '' } = session
      const time = new Date(lastActiveAt).toISOString()
      const cells = [visibleLine(id), displayName(session), type, messageCount, time, visibleLine(workingDir)]
      return `${cells.join('\t')}\n`
    })
    .join('')
}

/** The command line that was given, with another cursor. */
function nextCommand(words: readonly string[], cursor: string): string {
  const kept = words.filter((word, index) => !word.startsWith('--cursor') && words[index - 1] !== '--cursor')
  return ['sess', ...kept, '--cursor', cursor].map(quote).join(' ')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
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
  'parent',
  'name',
  'since',
  'until',
  'cursor',
])
