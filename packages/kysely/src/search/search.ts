// Search over SQL. The index names candidates; everything that decides is in core, so that it answers like every store.

import type { Message, MessageHit, MessageSearch, SearchQuery, Session } from '@sess/core'
import {
  type Hit,
  type MessageRecord,
  planSearch,
  readMessages,
  type SearchPlan,
  searchMessages,
  searchSessions,
  toMessageHit,
  toSearchPage,
} from '@sess/core/adapter'
import { isIndexDamage } from '../classify.ts'
import type { StoreParts } from '../context.ts'
import { type SessionRow, sessionsOf } from '../sql/columns.ts'
import { neighbours, sessionsByIds } from '../sql/search.ts'
import type { IndexKeeper } from './keeper.ts'
import { createSessionSource } from './sessions.ts'
import { openView, type SearchView } from './view.ts'
import { Walker } from './walk.ts'

/** Messages around hits are read for so many hits at a time. */
const hitsAtOnce = 50

export function createMessageSearch(parts: StoreParts, keeper: IndexKeeper): MessageSearch {
  const { engine, operations, timeZone } = parts
  const run = <T>(
    name: keyof MessageSearch,
    query: SearchQuery,
    work: (plan: SearchPlan, view: SearchView, walker: Walker) => Promise<T>,
  ): Promise<T> =>
    operations.call(
      `search.${name}`,
      () => planSearch(`search.${name}`, query, timeZone),
      async (plan) => {
        const attempt = async () => {
          const view = plan.isEmpty ? emptyView : await openView(engine, keeper, plan)
          return work(plan, view, new Walker(engine, plan, view))
        }
        try {
          return await attempt()
        } catch (error) {
          if (!isIndexDamage(error)) throw error
          await keeper.distrust()
          return attempt()
        }
      },
    )
  return {
    messages: (query) =>
      run('messages', query, async (plan, view, walker) => {
        const found = await searchMessages(plan, (parsed, { from = 0, below = view.top }) =>
          walker.candidates(parsed, { from, below }),
        )
        return toSearchPage(plan, await messageHits(parts, plan, found.hits), found, view.isPartial)
      }),
    sessions: (query) =>
      run('sessions', query, async (plan, view, walker) => {
        const { found, ...rest } = await searchSessions(plan, createSessionSource(parts, plan, view, walker))
        const hits = await messageHits(
          parts,
          plan,
          found.flatMap((one) => one.hits),
        )
        const bySession = Map.groupBy(hits, ({ sessionId }) => sessionId)
        const items = found.map((one) => ({ ...one, hits: bySession.get(one.session.id) ?? [] }))
        return toSearchPage(plan, items, rest, view.isPartial)
      }),
  }
}

const emptyView: SearchView = {
  top: 1,
  isIndexed: false,
  names: 0,
  tail: [],
  isPartial: false,
  sessions: [],
}

/** Hits for callers, in their order; those of a session that is damaged, or no more, are left out. */
async function messageHits(
  { engine, onDamage }: StoreParts,
  plan: SearchPlan,
  hits: readonly Hit[],
): Promise<MessageHit[]> {
  if (hits.length === 0) return []
  const ids = [...new Set(hits.map(({ candidate }) => candidate.message.sessionId))]
  const [rows = []] = await engine.read([sessionsByIds(ids)])
  const sessions = new Map<string, Session>(
    sessionsOf(rows as unknown as readonly SessionRow[], onDamage).map((session) => [session.id, session]),
  )
  const items: MessageHit[] = []
  for (let start = 0; start < hits.length; start += hitsAtOnce) {
    const some = hits.slice(start, start + hitsAtOnce)
    const around = await aroundOf(engine, plan, some)
    some.forEach((hit, index) => {
      const session = sessions.get(hit.candidate.message.sessionId)
      if (session !== undefined) items.push(toMessageHit(plan, hit, session, around[index] ?? []))
    })
  }
  return items
}

async function aroundOf(
  engine: StoreParts['engine'],
  { around = 0 }: SearchPlan,
  hits: readonly Hit[],
): Promise<Message[][]> {
  if (around === 0) return []
  const results = await engine.read(
    hits.flatMap(({ candidate: { message } }) =>
      (['before', 'after'] as const).map((side) => neighbours(message.sessionId, message.seq, side, around)),
    ),
  )
  return hits.map(({ candidate: { message } }, index) => {
    const [before = [], after = []] = results.slice(index * 2, index * 2 + 2)
    const rows = [...before.toReversed(), ...after] as unknown as readonly MessageRecord[]
    return [...readMessages(message.sessionId, rows).messages]
  })
}
