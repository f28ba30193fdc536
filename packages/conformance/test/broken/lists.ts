// Stores that list wrongly: the mistakes of real queries, over a right one.

import { foldText, type Session, type SessionQuery, type SessionStore } from '@sess/core'
import { type BrokenStore, replace } from './broken-store.ts'

type List = SessionStore['sessions']['list']

const withList = (store: SessionStore, list: List): SessionStore => replace(store, { sessions: { list } })

/** A store whose lists leave out what the test does not take. */
function keepOnly(
  store: SessionStore,
  test: (session: Session, query: SessionQuery) => boolean,
): SessionStore {
  return withList(store, async (query = {}) => {
    const page = await store.sessions.list(query)
    return { ...page, items: page.items.filter((session) => test(session, query)) }
  })
}

export const brokenLists: readonly BrokenStore[] = [
  {
    name: 'looks for half of a surrogate pair as drivers write it',
    fails: ['LST-50'],
    wrap: (store) =>
      withList(store, async (query = {}) => {
        const { ownerId } = query
        return store.sessions.list(
          ownerId === undefined ? query : { ...query, ownerId: ownerId.toWellFormed() },
        )
      }),
  },
  {
    name: 'goes on after the time of the last row and loses rows of that time',
    fails: ['LST-20', 'LST-21', 'LST-26', 'LIF-14'],
    wrap(store) {
      const times = new Map<string, number>()
      return withList(store, async (query = {}) => {
        const page = await store.sessions.list(query)
        const key = query.sort === 'created' ? 'createdAt' : 'lastActiveAt'
        const after = query.cursor === undefined ? undefined : times.get(query.cursor)
        const last = page.items.at(-1)
        if (page.nextCursor !== undefined && last) times.set(page.nextCursor, last[key])
        const items = page.items.filter((session) => session[key] !== after)
        return items.length > 0 ? { ...page, items } : { items }
      })
    },
  },
  {
    name: 'pages by offset, with a cursor for any query',
    fails: ['LST-23', 'LST-26', 'LST-27', 'LIF-37'],
    wrap: (store) =>
      withList(store, async ({ cursor, limit = 50, ...query } = {}) => {
        const { items } = await store.sessions.list({ ...query, limit: 1000 })
        const end = Number(cursor ?? 0) + limit
        const page = { items: items.slice(Number(cursor ?? 0), end) }
        return end < items.length ? { ...page, nextCursor: String(end) } : page
      }),
  },
  {
    name: 'has a next page after the last one that is full',
    fails: ['LST-24'],
    wrap: (store) =>
      withList(store, async (query = {}) => {
        const page = await store.sessions.list(query)
        if (page.nextCursor !== undefined || page.items.length < (query.limit ?? 50)) return page
        return { ...page, nextCursor: 'end' }
      }),
  },
  {
    name: 'orders equal times by id',
    fails: ['LST-05', 'LST-20'],
    wrap: (store) =>
      withList(store, async (query = {}) => {
        const page = await store.sessions.list(query)
        const sign = query.order === 'asc' ? 1 : -1
        const items = page.items.toSorted(
          (a, b) => (b.lastActiveAt - a.lastActiveAt) * -sign || (a.id < b.id ? -sign : sign),
        )
        return { ...page, items }
      }),
  },
  {
    name: 'shows every type',
    fails: ['LST-40', 'LST-48'],
    wrap: (store) => withList(store, (query) => store.sessions.list({ types: 'all', ...query })),
  },
  {
    name: 'shows the archive and the trash',
    fails: ['LST-44', 'LST-45', 'LST-46'],
    wrap: (store) =>
      withList(store, (query) => store.sessions.list({ archived: 'any', deleted: 'any', ...query })),
  },
  {
    name: 'ignores pinnedFirst',
    fails: ['LST-07', 'LST-20'],
    wrap: (store) => withList(store, ({ pinnedFirst: _, ...query } = {}) => store.sessions.list(query)),
  },
  {
    name: 'takes any of the tags',
    fails: ['LST-62'],
    wrap: (store) =>
      withList(store, async ({ tags, ...query } = {}) => {
        const page = await store.sessions.list(query)
        const wanted = (session: Session) => !tags?.length || tags.some((tag) => session.tags.includes(tag))
        return { ...page, items: page.items.filter(wanted) }
      }),
  },
  {
    name: 'compares names without folding',
    fails: ['LST-66'],
    wrap: (store) => keepOnly(store, ({ name }, { nameContains = '' }) => name.includes(nameContains)),
  },
  {
    name: 'takes % and _ in names for wildcards',
    fails: ['LST-67'],
    wrap: (store) =>
      withList(store, async ({ nameContains = '', ...query } = {}) => {
        const page = await store.sessions.list(query)
        const literal = foldText(nameContains).replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&')
        const pattern = literal.replaceAll('%', '.*').replaceAll('_', '.')
        const items = page.items.filter(({ name }) => new RegExp(pattern).test(foldText(name)))
        return { ...page, items }
      }),
  },
  {
    name: 'compares id prefixes without case',
    fails: ['LST-68'],
    wrap: (store) =>
      withList(store, async ({ idPrefix = '', ...query } = {}) => {
        const page = await store.sessions.list(query)
        const items = page.items.filter(({ id }) => id.toLowerCase().startsWith(idPrefix.toLowerCase()))
        return { ...page, items }
      }),
  },
  {
    name: 'takes true for 1 in metadata, as SQLite does',
    fails: ['LST-63'],
    wrap: (store) =>
      withList(store, async ({ metadata, ...query } = {}) => {
        const page = await store.sessions.list(query)
        const loose = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)
        const items = page.items.filter((session) =>
          Object.entries(metadata ?? {}).every(
            ([key, value]) => key in session.metadata && loose(session.metadata[key]) === loose(value),
          ),
        )
        return { ...page, items }
      }),
  },
  {
    name: 'includes until and leaves since out',
    fails: ['LST-69'],
    wrap: (store) =>
      withList(store, ({ since, until, ...query } = {}) =>
        store.sessions.list({
          ...query,
          ...(since === undefined ? {} : { since: since + 1 }),
          ...(until === undefined ? {} : { until: until + 1 }),
        }),
      ),
  },
]
