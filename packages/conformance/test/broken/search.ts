// Stores that search wrongly: what an index over plain text gets wrong, over a right one.

import type { MessageHit, SearchQuery, SessionStore } from '@sess/core'
import { type BrokenStore, replace } from './broken-store.ts'

type Search = SessionStore['search']

const withMessages = (store: SessionStore, messages: Search['messages']): SessionStore =>
  replace(store, { search: { messages } })

/** A store that asks something else. */
function asks(store: SessionStore, change: (query: SearchQuery) => SearchQuery): SessionStore {
  return withMessages(store, (query) => store.search.messages(change(query)))
}

/** A store whose hits come out changed. */
function changes(store: SessionStore, change: (hit: MessageHit) => MessageHit): SessionStore {
  return withMessages(store, async (query) => {
    const page = await store.search.messages(query)
    return { ...page, items: page.items.map(change) }
  })
}

export const brokenSearch: readonly BrokenStore[] = [
  {
    name: 'finds whole words between blanks only',
    fails: ['SRC-01'],
    wrap: (store) =>
      withMessages(store, async (query) => {
        const page = await store.search.messages({ ...query, include: 'message' })
        const words = query.text.toLowerCase().split(/\s+/)
        const items = page.items.filter(({ message }) => {
          const found = JSON.stringify(message?.content)
            .toLowerCase()
            .split(/[\s"]+/)
          return words.every((word) => found.includes(word))
        })
        return { ...page, items }
      }),
  },
  {
    name: 'hands the query to the index as it stands',
    fails: ['SRC-02'],
    wrap: (store) =>
      withMessages(store, async (query) => {
        if (/^[*^(]|"$/.test(query.text)) throw new Error(`fts5: syntax error near "${query.text[0]}"`)
        return store.search.messages(query)
      }),
  },
  {
    name: 'does not look into tools',
    fails: ['SRC-03'],
    wrap: (store) => asks(store, (query) => ({ ...query, in: 'text' })),
  },
  {
    name: 'goes on finding what was there when it was first asked',
    fails: ['SRC-04', 'SRC-05', 'SRC-10'],
    wrap(store) {
      const seen = new Map<string, MessageHit>()
      return withMessages(store, async (query) => {
        const page = await store.search.messages(query)
        for (const hit of page.items) seen.set(`${hit.sessionId}:${hit.seq}`, hit)
        return { ...page, items: [...seen.values()] }
      })
    },
  },
  {
    name: 'shows every type',
    fails: ['SRC-06'],
    wrap: (store) => asks(store, (query) => ({ types: 'all', ...query })),
  },
  {
    name: 'knows no owners',
    fails: ['SRC-07'],
    wrap: (store) => asks(store, ({ ownerId: _, ...query }) => query),
  },
  {
    name: 'counts the moment of before: as within',
    fails: ['SRC-08'],
    wrap: (store) =>
      asks(store, ({ until, ...query }) => ({
        ...query,
        ...(until === undefined ? {} : { until: until + 1 }),
        text: query.text.replace('before:2026-03-01', 'before:2026-03-01T00:00:00.001'),
      })),
  },
  {
    name: 'says nothing of relaxed words',
    fails: ['SRC-09'],
    wrap: (store) =>
      withMessages(store, async (query) => {
        const { relaxed: _, ...page } = await store.search.messages(query)
        return page
      }),
  },
  {
    name: 'counts ranges in bytes',
    fails: ['SRC-20'],
    wrap: (store) =>
      changes(store, (hit) => ({
        ...hit,
        snippet: { ...hit.snippet, ranges: hit.snippet.ranges.map(([start, end]) => [start, end - start]) },
      })),
  },
  {
    name: 'ranks newest first',
    fails: ['SRC-21'],
    wrap: (store) => asks(store, (query) => ({ ...query, sort: 'recent' })),
  },
  {
    name: 'orders by the time of messages',
    fails: ['SRC-22'],
    wrap: (store) =>
      withMessages(store, async (query) => {
        const page = await store.search.messages(query)
        return { ...page, items: page.items.toSorted((a, b) => b.createdAt - a.createdAt) }
      }),
  },
  {
    name: 'pages by offset, with a cursor for any query',
    fails: ['SRC-23', 'SRC-24'],
    wrap: (store) =>
      withMessages(store, async ({ cursor, limit = 50, ...query }) => {
        const { items } = await store.search.messages({ ...query, limit: 1000 })
        const end = Number(cursor ?? 0) + limit
        const page = { items: items.slice(Number(cursor ?? 0), end) }
        return end < items.length ? { ...page, nextCursor: String(end) } : page
      }),
  },
  {
    name: 'finds sessions by one message alone',
    fails: ['SRC-30'],
    wrap: (store) =>
      replace(store, {
        search: {
          sessions: async (query: SearchQuery) => {
            const page = await store.search.sessions(query)
            const { items } = await store.search.messages({ ...query, limit: 1000 })
            const hit = new Set(items.map(({ sessionId }) => sessionId))
            return { ...page, items: page.items.filter(({ session }) => hit.has(session.id)) }
          },
        },
      }),
  },
  {
    name: 'shows no names and counts only the hits that it shows',
    fails: ['SRC-31'],
    wrap: (store) =>
      replace(store, {
        search: {
          sessions: async (query: SearchQuery) => {
            const page = await store.search.sessions(query)
            const items = page.items.map(({ nameSnippet: _, ...hit }) => ({
              ...hit,
              hitCount: hit.hits.length,
            }))
            return { ...page, items }
          },
        },
      }),
  },
  {
    name: 'keeps the first name it saw',
    fails: ['SRC-32'],
    wrap: (store) => {
      const names = new Map<string, string>()
      return replace(store, {
        sessions: {
          create: async (input = {}) => {
            const session = await store.sessions.create(input)
            names.set(session.name, session.id)
            return session
          },
        },
        search: {
          sessions: async (query: SearchQuery) => {
            const page = await store.search.sessions(query)
            const old = [...names].find(([name]) => name.toLowerCase().includes(query.text.toLowerCase()))
            const session = old && (await store.sessions.get(old[1]))
            return session ? { items: [{ session, hitCount: 0, hits: [] }] } : page
          },
        },
      })
    },
  },
  {
    name: 'limits hits and then groups them by session',
    fails: ['SRC-33', 'SRC-34'],
    wrap: (store) =>
      replace(store, {
        search: {
          sessions: async ({ cursor: _, ...query }: SearchQuery) => {
            const { items } = await store.search.messages(query)
            const first = new Map(items.map((hit) => [hit.sessionId, hit]))
            return {
              items: [...first.values()].map((hit) => ({ session: hit.session, hitCount: 1, hits: [hit] })),
            }
          },
        },
      }),
  },
]
