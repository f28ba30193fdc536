// sess list: a page of sessions, as a table on a terminal, in columns between tabs in a pipe.

import { toJsonText } from '../output/json.ts'
import { noteNextPage } from '../output/next-page.ts'
import { writeSessions } from '../output/session-page.ts'
import type { Context } from '../runtime.ts'
import { type FilterFlags, isNarrowed, packCursor, readFilter, readPeriod } from './filter.ts'

export interface ListFlags extends FilterFlags {
  readonly sort?: 'active' | 'created'
  readonly reverse?: boolean
  readonly limit?: number
}

export async function list(context: Context, flags: ListFlags): Promise<undefined> {
  const { output, settings } = context
  const query = readPeriod(context, flags)
  const store = await context.existingStore()
  const page = await store.sessions.list({
    ...query,
    ...(await readFilter(store, flags)),
    sort: flags.sort,
    order: flags.reverse ? 'asc' : undefined,
    limit: flags.limit,
  })
  const nextCursor = page.nextCursor === undefined ? undefined : packCursor(page.nextCursor, query, flags)
  if (settings.json) return void (await output.write(`${toJsonText({ items: page.items, nextCursor })}\n`))
  await writeSessions(context, page.items)
  noteNextPage(context, nextCursor)
  if (page.items.length === 0 && output.isTerminal) output.note(emptyHint(flags))
}

function emptyHint(flags: ListFlags): string {
  return isNarrowed(flags)
    ? 'No session like that.'
    : 'No sessions yet. Try "sess demo", or "sess import" and "sess new".'
}
