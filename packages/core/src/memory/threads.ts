// The memory store's threads.

import type { Operations } from '../adapter/operations.ts'
import { comparePlaces, pageBytes, rowsThatFit, toTimelinePage } from '../adapter/range.ts'
import {
  compareCodePoints,
  planThreadList,
  planThreadSessions,
  planTimeline,
  prepareThread,
  prepareThreadPatch,
  toThread,
  unknownThread,
} from '../adapter/threads.ts'
import { StoreError } from '../errors.ts'
import { isSessionId } from '../input/ids.ts'
import { checkSessionId } from '../input/sessions.ts'
import type { MessagePage } from '../port/messages.ts'
import type { Thread, ThreadRecords } from '../port/threads.ts'
import type { Page, PageRequest } from '../types/query.ts'
import type { Session } from '../types/session.ts'
import type { Entry, MemoryState, ThreadEntry } from './state.ts'

export function createMemoryThreads(state: MemoryState, operations: Operations): ThreadRecords {
  const find = (id: string): ThreadEntry | undefined => (isSessionId(id) ? state.threads.get(id) : undefined)
  const known = (id: string): ThreadEntry => {
    checkSessionId(id)
    const thread = state.threads.get(id)
    if (thread === undefined) throw unknownThread(id)
    return thread
  }
  const given = (entry: ThreadEntry): Thread =>
    toThread(entry.row, shown(state, entry).length, state.onDamage)
  const touch = (entry: ThreadEntry, fields: Partial<ThreadEntry['row']> = {}) => {
    entry.row = { ...entry.row, ...fields, updatedAt: state.context.now() }
  }
  return {
    create: (input) =>
      operations.run('threads.create', () => {
        const row = prepareThread(input, state.context.now(), state.context.ids.message)
        if (state.threads.has(row.threadId)) {
          throw new StoreError('already-exists', `thread "${row.threadId}" exists already`)
        }
        const entry = { row, positions: new Map() }
        state.threads.set(row.threadId, entry)
        return given(entry)
      }),
    get: (id) =>
      operations.run('threads.get', () => {
        const entry = find(id)
        return entry && given(entry)
      }),
    list: (query = {}) => operations.run('threads.list', () => listThreads(state, query, given)),
    update: (id, patch) =>
      operations.run('threads.update', () => {
        const fields = prepareThreadPatch(patch)
        const entry = known(id)
        if (Object.keys(fields).length > 0) touch(entry, fields)
        return given(entry)
      }),
    remove: (id) =>
      operations.run('threads.remove', () => {
        checkSessionId(id)
        return state.threads.delete(id)
      }),
    attach: (id, sessionId) =>
      operations.run('threads.attach', () => {
        const thread = known(id)
        checkSessionId(sessionId, 'sessionId')
        state.live(sessionId)
        if (thread.positions.has(sessionId)) return
        thread.positions.set(sessionId, Math.max(0, ...thread.positions.values()) + 1)
        touch(thread)
      }),
    detach: (id, sessionId) =>
      operations.run('threads.detach', () => {
        checkSessionId(id)
        checkSessionId(sessionId, 'sessionId')
        const thread = state.threads.get(id)
        if (!thread?.positions.delete(sessionId)) return false
        touch(thread)
        return true
      }),
    sessions: (id, page = {}) =>
      operations.run('threads.sessions', () => sessionsOf(state, find(id), id, page)),
    timeline: (id, page = {}) =>
      operations.run('threads.timeline', () => timelineOf(state, find(id), id, page)),
  }
}

interface Placed {
  readonly entry: Entry
  readonly position: number
}

/** The sessions of a thread that are not in the trash, in the order of attaching. */
function shown(state: MemoryState, thread: ThreadEntry | undefined): Placed[] {
  return [...(thread?.positions ?? [])]
    .flatMap(([id, position]) => {
      const entry = state.entries.get(id)
      return entry === undefined || entry.row.deletedAt !== null ? [] : [{ entry, position }]
    })
    .sort((a, b) => a.position - b.position)
}

function listThreads(
  state: MemoryState,
  query: PageRequest & { readonly ownerId?: string; readonly sessionId?: string },
  given: (entry: ThreadEntry) => Thread,
): Page<Thread> {
  const { limit, after, cursorAt } = planThreadList(query)
  const compare = (a: readonly [number, string], b: readonly [number, string]) =>
    b[0] - a[0] || compareCodePoints(b[1], a[1])
  const place = ({ row }: ThreadEntry) => [row.updatedAt, row.threadId] as const
  const matching = [...state.threads.values()]
    .filter(
      (entry) =>
        (query.ownerId === undefined || entry.row.ownerId === query.ownerId) &&
        (query.sessionId === undefined || entry.positions.has(query.sessionId)) &&
        (after === undefined || compare(place(entry), after) > 0),
    )
    .sort((a, b) => compare(place(a), place(b)))
  const items = matching.slice(0, limit)
  const last = items.at(-1)
  const more = last !== undefined && matching.length > limit
  return { items: items.map(given), ...(more ? { nextCursor: cursorAt(place(last)) } : {}) }
}

function sessionsOf(
  state: MemoryState,
  thread: ThreadEntry | undefined,
  id: string,
  page: PageRequest,
): Page<Session> {
  const { limit, after, cursorAt } = planThreadSessions(id, page)
  const matching = shown(state, thread).filter(({ position }) => position > (after?.[0] ?? 0))
  const items = matching.slice(0, limit)
  const last = items.at(-1)
  const more = last !== undefined && matching.length > limit
  return {
    items: items.map(({ entry }) => state.session(entry)),
    ...(more ? { nextCursor: cursorAt([last.position]) } : {}),
  }
}

function timelineOf(
  state: MemoryState,
  thread: ThreadEntry | undefined,
  id: string,
  page: PageRequest,
): MessagePage {
  const plan = planTimeline(id, page)
  const rows = shown(state, thread)
    .flatMap(({ entry, position }) =>
      entry.rows.map((row) => ({
        ...row,
        sessionId: entry.row.id,
        place: [row.createdAt, position, row.seq] as const,
      })),
    )
    .filter(({ place }) => plan.after === undefined || comparePlaces(place, plan.after) > 0)
    .sort((a, b) => comparePlaces(a.place, b.place))
  const candidates = rows.slice(0, plan.limit)
  const fit = rowsThatFit(candidates.map(pageBytes))
  return toTimelinePage(plan, candidates.slice(0, fit), fit < rows.length)
}
