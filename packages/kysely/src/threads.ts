// Threads over SQL.

import {
  limits,
  type MessagePage,
  type Page,
  type Session,
  StoreError,
  type Thread,
  type ThreadRecords,
} from '@sess/core'
import {
  checkSessionId,
  comparePlaces,
  isFarthest,
  isSessionId,
  type MessageRecord,
  type OnDamage,
  type PreparedThread,
  planThreadList,
  planThreadSessions,
  planTimeline,
  prepareThread,
  prepareThreadPatch,
  readThread,
  sortKey,
  type ThreadListPlan,
  type ThreadRecord,
  toThread,
  toTimelinePage,
  unknownThread,
} from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { Row, WriteUnit } from './engine.ts'
import { liveRow } from './session-rows.ts'
import { type SessionRow, sessionById, sessionsOf } from './sql/columns.ts'
import { answerUnchanged, sessionPresent } from './sql/guards.ts'
import * as statements from './sql/threads.ts'

type ThreadRow = ThreadRecord & { readonly sessionCount: number }

export function createThreadRecords(parts: StoreParts): ThreadRecords {
  const { engine, operations, onDamage } = parts
  return {
    create: (input) =>
      operations.call(
        'threads.create',
        () => prepareThread(input),
        (thread) => engine.write(createUnit(parts, thread)),
      ),
    get: (id) =>
      operations.run('threads.get', async () => {
        if (!isSessionId(id)) return undefined
        const [rows] = await engine.read([statements.threadById(id)])
        return threadIn(rows, onDamage)
      }),
    list: (query = {}) =>
      operations.call(
        'threads.list',
        () => planThreadList(query),
        (plan) => listThreads(parts, plan),
      ),
    update: (id, patch) =>
      operations.call(
        'threads.update',
        () => {
          checkSessionId(id)
          return prepareThreadPatch(patch)
        },
        (fields) => {
          const isEmpty = Object.keys(fields).length === 0
          return engine.write({
            reads: [statements.threadById(id)],
            plan: ([rows]) => {
              const thread = threadIn(rows, onDamage)
              if (thread === undefined) throw unknownThread(id)
              if (isEmpty) return { statements: [], result: () => thread }
              return {
                guards: [answerUnchanged(statements.threadCount(id), 1)],
                statements: [
                  statements.updateThread(parts.db, id, fields, parts.now()),
                  statements.threadById(id),
                ],
                result: (results) => threadIn(results.at(-1), onDamage) ?? thread,
              }
            },
          })
        },
      ),
    remove: (id) =>
      operations.run('threads.remove', () => {
        checkSessionId(id)
        return engine.write({
          reads: [statements.threadById(id)],
          plan: ([rows]) => ({
            statements: rows?.[0] === undefined ? [] : [statements.deleteThread(id)],
            result: () => rows?.[0] !== undefined,
          }),
        })
      }),
    attach: (id, sessionId) =>
      operations.run('threads.attach', () => {
        checkSessionId(id)
        checkSessionId(sessionId, 'sessionId')
        return engine.write(attachUnit(parts, id, sessionId))
      }),
    detach: (id, sessionId) =>
      operations.run('threads.detach', () => {
        checkSessionId(id)
        checkSessionId(sessionId, 'sessionId')
        return engine.write(detachUnit(parts, id, sessionId))
      }),
    sessions: (id, page = {}) =>
      operations.call(
        'threads.sessions',
        () => planThreadSessions(id, page),
        (plan) => sessionsIn(parts, id, plan),
      ),
    timeline: (id, page = {}) =>
      operations.call(
        'threads.timeline',
        () => planTimeline(id, page),
        (plan) => timelineOf(parts, id, plan),
      ),
  }
}

function threadIn(rows: readonly Row[] = [], onDamage: OnDamage): Thread | undefined {
  const row = rows[0] as unknown as ThreadRow | undefined
  return row && toThread(row, row.sessionCount, onDamage)
}

function createUnit({ db, now, ids, onDamage }: StoreParts, thread: PreparedThread): WriteUnit<Thread> {
  const row = thread(now(), ids.message)
  return {
    reads: [statements.threadById(row.threadId)],
    plan: ([rows]) => {
      if (rows?.[0] !== undefined) {
        throw new StoreError('already-exists', `thread "${row.threadId}" exists already`)
      }
      return {
        guards: [answerUnchanged(statements.threadCount(row.threadId), 0)],
        statements: [statements.insertThread(db, row)],
        result: () => toThread(row, 0, onDamage),
      }
    },
  }
}

function attachUnit({ now }: StoreParts, id: string, sessionId: string): WriteUnit<void> {
  return {
    reads: [statements.threadById(id), sessionById(sessionId), statements.position(id, sessionId)],
    plan: ([threads, sessions, positions]) => {
      if (threads?.[0] === undefined) throw unknownThread(id)
      liveRow(sessionId, sessions?.[0])
      if (positions?.[0] !== undefined) return { statements: [], result: () => {} }
      return {
        guards: [
          answerUnchanged(statements.threadCount(id), 1),
          answerUnchanged(statements.positionCount(id, sessionId), 0),
          sessionPresent(sessionId),
        ],
        statements: [statements.attach(id, sessionId), statements.touchThread(id, now())],
        result: () => {},
      }
    },
  }
}

function detachUnit({ now }: StoreParts, id: string, sessionId: string): WriteUnit<boolean> {
  return {
    reads: [statements.position(id, sessionId)],
    plan: ([positions]) => {
      if (positions?.[0] === undefined) return { statements: [], result: () => false }
      return {
        guards: [answerUnchanged(statements.positionCount(id, sessionId), 1)],
        statements: [statements.detach(id, sessionId), statements.touchThread(id, now())],
        result: () => true,
      }
    },
  }
}

async function listThreads(
  { engine, onDamage }: StoreParts,
  { filter, limit, after, cursorAt }: ThreadListPlan,
): Promise<Page<Thread>> {
  const [rows = []] = await engine.read([statements.threadPage(filter, after, limit + 1)])
  const found = rows as unknown as readonly ThreadRow[]
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.flatMap((row) => readThread(row, row.sessionCount, onDamage) ?? []),
    ...(last && found.length > limit
      ? { nextCursor: cursorAt([sortKey(last.updatedAt), String(last.threadId)]) }
      : {}),
  }
}

async function sessionsIn(
  { engine, onDamage }: StoreParts,
  id: string,
  { limit, after, cursorAt }: ReturnType<typeof planThreadSessions>,
): Promise<Page<Session>> {
  if (!isSessionId(id)) return { items: [] }
  const [rows = []] = await engine.read([statements.sessionPage(id, after?.[0] ?? 0, limit + 1)])
  const found = rows as unknown as readonly (SessionRow & { readonly position: number })[]
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  // Positions that are no numbers come last.
  const more = last && found.length > limit && !isFarthest(last.position)
  return {
    items: sessionsOf(shown, onDamage),
    ...(more ? { nextCursor: cursorAt([last.position]) } : {}),
  }
}

type TimelineRow = MessageRecord & {
  readonly sessionId: string
  readonly position: number
  readonly candidates: number
}

async function timelineOf(
  { engine }: StoreParts,
  id: string,
  plan: ReturnType<typeof planTimeline>,
): Promise<MessagePage> {
  if (!isSessionId(id)) return { items: [] }
  const [rows = []] = await engine.read([
    statements.timelinePage(id, plan.after, plan.limit, limits.pageBytes),
  ])
  const found = (rows as unknown as readonly TimelineRow[])
    .map((row) => ({ ...row, place: [row.createdAt, row.position, row.seq] as const }))
    .toSorted((a, b) => comparePlaces(a.place, b.place))
  return toTimelinePage(plan, found, (found[0]?.candidates ?? 0) > found.length)
}
