// sess search: what was said, found by words. On a terminal a heading and the passage of each hit, in a pipe columns.

import type { MessageHit, Role, SearchPage, SearchQuery, SessionHit } from '@sess/core'
import { toJsonText } from '../output/json.ts'
import { noteNextPage } from '../output/next-page.ts'
import { displayName } from '../output/session.ts'
import { markedSnippet } from '../output/snippet.ts'
import { tabbedLine } from '../output/text.ts'
import { isoTime } from '../output/time.ts'
import type { Context } from '../runtime.ts'
import { type FilterFlags, packCursor, readFilter, readPeriod } from './filter.ts'

export interface SearchFlags extends FilterFlags {
  readonly sessions?: boolean
  readonly in?: 'text' | 'tool' | 'all'
  readonly role?: readonly Role[]
  readonly sort?: 'relevance' | 'recent'
  readonly limit?: number
}

export async function search(
  context: Context,
  words: readonly string[],
  flags: SearchFlags,
): Promise<undefined> {
  const { output, settings } = context
  const period = readPeriod(context, flags)
  const store = await context.existingStore()
  const query: SearchQuery = {
    text: words.join(' '),
    ...period,
    ...(await readFilter(store, flags)),
    in: flags.in,
    roles: flags.role,
    sort: flags.sort,
    limit: flags.limit,
  }
  const page = flags.sessions ? await store.search.sessions(query) : await store.search.messages(query)
  const nextCursor = page.nextCursor === undefined ? undefined : packCursor(page.nextCursor, period, flags)
  if (settings.json) return void (await output.write(`${toJsonText({ ...page, nextCursor })}\n`))
  await output.write(await formatHits(page.items, context))
  tell(page, context)
  noteNextPage(context, nextCursor)
}

/** What a page says of itself. */
function tell({ items, relaxed, ignored = [], partial }: SearchPage<unknown>, { output }: Context): void {
  if (partial) output.warn('the index is behind and could not be written: not everything was looked at')
  if (ignored.length > 0) output.warn(`the query is too long, left out of it: ${ignored.join(' ')}`)
  if (relaxed) output.note('Nothing has all of it: these have some of it.')
  if (items.length === 0) output.note('Nothing found.')
}

async function formatHits(items: readonly (MessageHit | SessionHit)[], context: Context): Promise<string> {
  if (context.output.isTerminal) {
    const { formatMessageHit, formatSessionHit } = await import('../output/hits.ts')
    return items
      .map((hit) => ('hitCount' in hit ? formatSessionHit(hit, context) : formatMessageHit(hit, context)))
      .join('\n')
  }
  const { colors } = context.output
  return items
    .map((hit) => {
      if (!('hitCount' in hit)) {
        const { sessionId, seq, role, createdAt, session, snippet } = hit
        return tabbedLine([
          sessionId,
          seq,
          role,
          isoTime(createdAt),
          displayName(session),
          markedSnippet(snippet, colors),
        ])
      }
      const { session, hitCount, hits, nameSnippet } = hit
      const best = hits[0]?.snippet ?? nameSnippet
      const passage = best === undefined ? '' : markedSnippet(best, colors)
      return tabbedLine([session.id, displayName(session), hitCount, isoTime(session.lastActiveAt), passage])
    })
    .join('')
}
