// Stores that keep sessions wrongly.

import type { Session, SessionQuery, SessionStore } from '@sess/core'
import { type BrokenStore, replace } from './broken-store.ts'

/** A store whose sessions all come back changed. */
function changeSessions(store: SessionStore, change: (session: Session) => Session): SessionStore {
  const { sessions } = store
  return replace(store, {
    sessions: {
      create: async (input) => change(await sessions.create(input)),
      async get(id) {
        const session = await sessions.get(id)
        return session && change(session)
      },
      update: async (id, patch) => change(await sessions.update(id, patch)),
      async list(query) {
        const page = await sessions.list(query)
        return { ...page, items: page.items.map(change) }
      },
    },
  })
}

/** Runs `work` while the children of a session have another type, so that nothing takes them along. */
async function withoutChildren<T>(store: SessionStore, id: string, work: () => Promise<T>): Promise<T> {
  const query: SessionQuery = { types: 'all', deleted: 'any', parentSessionId: id, limit: 1000 }
  const children = (await store.sessions.list(query)).items.filter(
    ({ type, deletedAt }) => type === 'sub_agent' && deletedAt === undefined,
  )
  for (const child of children) await store.sessions.update(child.id, { type: 'user' })
  const result = await work()
  for (const child of children) await store.sessions.update(child.id, { type: child.type })
  return result
}

export const brokenSessions: readonly BrokenStore[] = [
  {
    name: 'answers null for a session that is not there',
    fails: ['SES-03', 'SES-65', 'MSG-07'],
    wrap: (store) =>
      replace(store, { sessions: { get: async (id) => (await store.sessions.get(id)) ?? (null as never) } }),
  },
  {
    name: 'has null for fields that are absent',
    fails: ['SES-01', 'SES-41'],
    wrap: (store) =>
      changeSessions(
        store,
        (session) => ({ workingDir: null, mode: null, ...session }) as unknown as Session,
      ),
  },
  {
    name: 'takes an id that is taken',
    fails: ['SES-04', 'ERR-02'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async create(input) {
            const taken = input?.id === undefined ? undefined : await store.sessions.get(input.id)
            return taken ?? store.sessions.create(input)
          },
        },
      }),
  },
  {
    name: 'gives the id of a purged session again',
    fails: ['SES-21', 'LIF-12'],
    wrap(store) {
      const purged: string[] = []
      return replace(store, {
        sessions: {
          create: (input = {}) => store.sessions.create({ id: input.id ?? purged.pop(), ...input } as object),
          remove(id, options) {
            if (options?.purge) purged.push(id)
            return store.sessions.remove(id, options)
          },
        },
      })
    },
  },
  {
    name: 'deletes at once instead of using the trash',
    fails: ['SES-60', 'SES-63', 'SES-64', 'LST-45'],
    wrap: (store) =>
      replace(store, {
        sessions: { remove: (id, options) => store.sessions.remove(id, { ...options, purge: true }) },
      }),
  },
  {
    name: 'leaves sub-agents out of the trash',
    fails: ['SES-70', 'SES-75'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          remove: (id, options) =>
            options?.purge
              ? store.sessions.remove(id, options)
              : withoutChildren(store, id, () => store.sessions.remove(id, options)),
        },
      }),
  },
  {
    name: 'purges a session and leaves its sub-agents',
    fails: ['SES-73'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          remove: (id, options) =>
            options?.purge
              ? withoutChildren(store, id, () => store.sessions.remove(id, options))
              : store.sessions.remove(id, options),
        },
      }),
  },
  {
    name: 'takes the sub-agents of every owner along',
    fails: ['SES-76'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async remove(id, options) {
            const query: SessionQuery = { types: ['sub_agent'], parentSessionId: id }
            for (const child of (await store.sessions.list(query)).items) {
              await store.sessions.remove(child.id, options)
            }
            return store.sessions.remove(id, options)
          },
        },
      }),
  },
  {
    name: 'takes the first message for the preview',
    fails: ['MSG-02', 'MSG-81', 'MSG-82'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          async get(id) {
            const session = await store.sessions.get(id)
            const first = (await store.messages.read(id, { limit: 1 })).items[0]?.content[0]
            return session && { ...session, preview: first?.type === 'text' ? first.text : '' }
          },
        },
      }),
  },
  {
    name: 'cuts the preview by UTF-16 units',
    fails: ['MSG-83'],
    wrap: (store) =>
      changeSessions(store, (session) => ({ ...session, preview: session.preview.slice(0, 128) })),
  },
  {
    name: 'takes every change for activity',
    fails: ['SES-43', 'MSG-10'],
    wrap: (store) => changeSessions(store, (session) => ({ ...session, lastActiveAt: session.updatedAt })),
  },
  {
    name: 'counts a change of names as a version',
    fails: ['SES-40', 'SES-43'],
    wrap: (store) => changeSessions(store, (session) => ({ ...session, version: session.changeSeq })),
  },
  {
    name: 'ignores ifChangeSeq and ifNameSource',
    fails: ['SES-44', 'SES-45', 'SES-46', 'LIF-31'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          update(id, patch) {
            const { ifChangeSeq: _, ifNameSource: __, ...rest } = patch
            return store.sessions.update(id, rest)
          },
        },
      }),
  },
  {
    name: 'hands out the objects it keeps',
    fails: ['VAL-26'],
    wrap(store) {
      const kept = new Map<string, Session>()
      return replace(store, {
        sessions: {
          async get(id) {
            const session = await store.sessions.get(id)
            const known = kept.get(id)
            if (session === undefined || known?.changeSeq === session.changeSeq) return session && known
            kept.set(id, session)
            return session
          },
        },
      })
    },
  },
  {
    name: 'rejects with errors of its own',
    fails: ['SES-04', 'ERR-01', 'ERR-02'],
    wrap: (store) =>
      replace(store, {
        sessions: {
          create: (input) =>
            store.sessions.create(input).catch((error: unknown) => {
              throw new Error(String(error))
            }),
        },
      }),
  },
]
