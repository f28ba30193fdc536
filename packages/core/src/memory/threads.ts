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
  type ThreadListPlan,
  toThread,
  unknownThread,
} from '../adapter/threads.ts'
import { StoreError } from '../errors.ts'
import { isSessionId } from '../input/ids.ts'
import { checkSessionId } from '../input/sessions.ts'
import type { MessagePage } from '../port/messages.ts'
import type { Thread, ThreadRecords } from '../port/threads.ts'
import type { Page } from '../types/query.ts'
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
      operations.call(
        'threads.create',
        () => prepareThread(input),
        (thread) => {
          const row = thread(state.context.now(), state.context.ids.message)
          if (state.threads.has(row.threadId)) {
            throw new StoreError('already-exists', `thread "${row.threadId}" exists already`)
          }
          const entry = { row, positions: new Map() }
          state.threads.set(row.threadId, entry)
          return given(entry)
        },
      ),
    get: (id) =>
      operations.run('threads.get', () => {
        const entry = find(id)
        return entry && given(entry)
      }),
    list: (query = {}) =>
      operations.call(
        'threads.list',
        () => planThreadList(query),
        (plan) => listThreads(state, plan, given),
      ),
    update: (id, patch) =>
      operations.call(
        'threads.update',
        () => prepareThreadPatch(patch),
        (fields) => {
          const entry = known(id)
          if (Object.keys(fields).length > 0) touch(entry, fields)
          return given(entry)
        },
      ),
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
      operations.call(
        'threads.sessions',
        () => planThreadSessions(id, page),
        (plan) => sessionsOf(state, find(id), plan),
      ),
    timeline: (id, page = {}) =>
      operations.call(
        'threads.timeline',
        () => planTimeline(id, page),
        (plan) => timelineOf(state, find(id), plan),
      ),
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
  { filter, limit, after, cursorAt }: ThreadListPlan,
  given: (entry: ThreadEntry) => Thread,
): Page<Thread> {
  const compare = (a: readonly [number, string], b: readonly [number, string]) =>
    b[0] - a[0] || compareCodePoints(b[1], a[1])
  const place = ({ row }: ThreadEntry) => [row.updatedAt, row.threadId] as const
  const matching = [...state.threads.values()]
    .filter(
      (entry) =>
        (filter.ownerId === undefined || entry.row.ownerId === filter.ownerId) &&
        (filter.sessionId === undefined || entry.positions.has(filter.sessionId)) &&
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
  { limit, after, cursorAt }: ReturnType<typeof planThreadSessions>,
): Page<Session> {
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
  plan: ReturnType<typeof planTimeline>,
): MessagePage {
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
