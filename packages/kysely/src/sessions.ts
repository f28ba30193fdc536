// Sessions over SQL: what each method reads, decides and writes.

import { type Page, removeOptionsSchema, type Session, type SessionRecords } from '@sess/core'
import {
  addToCounts,
  checkFork,
  checkRewind,
  checkSessionId,
  checkUsage,
  isFarthest,
  isSessionId,
  type ListPlan,
  type PreparedSession,
  patchConflict,
  patchFields,
  planCurrent,
  planImport,
  planList,
  preparePatch,
  prepareSession,
  type SessionRecord,
  snapshot,
  sortKey,
} from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import { forkUnit, rewindUnit } from './copies.ts'
import { currentSession } from './current.ts'
import type { Statement, WriteUnit } from './engine.ts'
import { importUnit } from './import.ts'
import { planRemove, undeleteUnit } from './remove.ts'
import { indexMany } from './search/keeper.ts'
import { changeSeqOf, liveRow, newSessionId, sessionIn } from './session-rows.ts'
import { asSessionRow, type SessionRow, sessionById, sessionOf, sessionsOf } from './sql/columns.ts'
import { rowUnchanged, sessionAbsent } from './sql/guards.ts'
import { listStatement } from './sql/list.ts'
import { indexChanges, insertSession, replaceTags, toColumns, updateSession } from './sql/session-writes.ts'
import { insertUsage } from './usage.ts'

export function createSessionRecords(parts: StoreParts): SessionRecords {
  const { engine, operations, locale, onDamage, now } = parts
  /** A write to one session, whose id is checked first. */
  const write = <P, T>(
    name: keyof SessionRecords,
    id: string,
    prepare: () => P,
    unit: (prepared: P) => WriteUnit<T>,
  ): Promise<T> =>
    operations.call(
      `sessions.${name}`,
      () => {
        checkSessionId(id)
        return prepare()
      },
      (prepared) => engine.write(unit(prepared)),
    )
  return {
    create: (input = {}) =>
      operations.call(
        'sessions.create',
        () => prepareSession(input, locale),
        (session) => engine.write(createUnit(parts, session)),
      ),
    get: (id) =>
      operations.run('sessions.get', async () => {
        if (!isSessionId(id)) return undefined
        const [rows] = await engine.read([sessionById(id)])
        const row = asSessionRow(rows?.[0])
        return row && sessionOf(row, onDamage)
      }),
    list: (query = {}) =>
      operations.call(
        'sessions.list',
        () => planList(query),
        (plan) => listSessions(parts, plan),
      ),
    update: (id, patch) =>
      write(
        'update',
        id,
        () => preparePatch(patch),
        (prepared) =>
          changeUnit(parts, id, (row, at) => {
            const conflict = patchConflict(prepared, sessionOf(row, onDamage))
            if (conflict) throw conflict
            const { nameFolded, tags } = prepared
            return { fields: patchFields(prepared, row, at), nameFolded, tags }
          }),
      ),
    addUsage: (id, usage) =>
      write(
        'addUsage',
        id,
        () => checkUsage(usage),
        ({ event, counts: last }) =>
          changeUnit(parts, id, (row, at) => {
            const counts = addToCounts(sessionOf(row, onDamage).tokenCounts, last)
            const inserted = insertUsage(parts.db, id, { ...event, at: event.at ?? at })
            return { fields: { tokenCounts: JSON.stringify(counts) }, beside: [inserted] }
          }),
      ),
    current: (key, options = {}) =>
      operations.call(
        'sessions.current',
        () => planCurrent(key, options, locale),
        (plan) => currentSession(parts, plan),
      ),
    resetContext: (id) =>
      write('resetContext', id, nothing, () =>
        changeUnit(parts, id, ({ nextSeq, contextStartSeq, contextSummarySeq, version }) =>
          contextStartSeq === nextSeq && contextSummarySeq === null
            ? { fields: {} }
            : { fields: { contextStartSeq: nextSeq, contextSummarySeq: null, version: version + 1 } },
        ),
      ),
    fork: (id, options = {}) =>
      operations.call(
        'sessions.fork',
        () => {
          checkSessionId(id)
          return checkFork(options)
        },
        async (fork) => {
          const copy = await engine.write(forkUnit(parts, id, fork))
          await indexMany(parts, copy.messageCount)
          return copy
        },
      ),
    import: (session, messages, options = {}) =>
      operations.callReading(
        'sessions.import',
        (isGivenUp) => planImport(session, messages, options, parts, parts.maxMessageBytes, isGivenUp),
        async (plan) => {
          const receipt = await engine.write(importUnit(parts, plan))
          await indexMany(parts, receipt.added)
          return receipt
        },
      ),
    rewind: (id, options) =>
      write(
        'rewind',
        id,
        () => checkRewind(options),
        (rewind) => rewindUnit(parts, id, rewind),
      ),
    remove: (id, options = {}) =>
      write(
        'remove',
        id,
        () => snapshot(removeOptionsSchema, options, 'options'),
        ({ purge }) => planRemove(parts, id, purge === true),
      ),
    undelete: (id) => write('undelete', id, nothing, () => undeleteUnit(parts, id)),
  }

  /** What a change does to a session's row; no fields and no tags: nothing is written. */
  interface Change {
    readonly fields: Partial<SessionRecord>
    readonly nameFolded?: string | undefined
    readonly tags?: readonly string[] | undefined
    readonly beside?: readonly Statement[]
  }

  function changeUnit(
    { db }: StoreParts,
    id: string,
    change: (row: SessionRow, at: number) => Change,
  ): WriteUnit<Session> {
    return {
      reads: [sessionById(id)],
      plan: ([rows]) => {
        const row = liveRow(id, rows?.[0])
        const at = now()
        const { fields, nameFolded, tags, beside = [] } = change(row, at)
        if (tags === undefined && Object.keys(fields).length === 0) {
          return { statements: [], result: () => sessionOf(row, onDamage) }
        }
        const update = updateSession(db, id, toColumns(fields, nameFolded), at)
        const changed = { ...row, ...fields, ...(tags ? { tags: JSON.stringify(tags) } : {}), updatedAt: at }
        return {
          guards: [rowUnchanged(id, row.changeSeq)],
          statements: [
            update,
            ...(tags ? replaceTags(id, tags) : []),
            ...indexChanges(id, row, fields),
            ...beside,
          ],
          result: ([updated]) => sessionOf({ ...changed, changeSeq: changeSeqOf(updated) }, onDamage),
        }
      },
    }
  }
}

/** For methods that take an id alone. */
const nothing = () => {}

function createUnit(parts: StoreParts, session: PreparedSession): WriteUnit<Session> {
  const now = parts.now()
  const { read, idFrom } = newSessionId(parts, session.id, now)
  return {
    reads: [read],
    plan: ([rows]) => {
      const id = idFrom(rows)
      return {
        guards: [sessionAbsent(id)],
        statements: [...insertSession(parts.db, id, session, now, {}), sessionById(id)],
        result: (results) => sessionIn(parts, results.at(-1)),
      }
    },
  }
}

async function listSessions({ engine, onDamage }: StoreParts, plan: ListPlan): Promise<Page<Session>> {
  if (plan.types.length === 0) return { items: [] }
  const phases = !plan.pinnedFirst ? [null] : plan.after?.phase === 0 ? ([0] as const) : ([1, 0] as const)
  const results = await engine.read(phases.map((phase) => listStatement(plan, phase)))
  const direction = plan.order === 'desc' ? -1 : 1
  const rows = results.flatMap((phaseRows) =>
    (phaseRows as unknown as SessionRow[]).toSorted(
      (a, b) => direction * (sortKey(a[plan.sort]) - sortKey(b[plan.sort]) || a.rowId - b.rowId),
    ),
  )
  const page = rows.slice(0, plan.limit)
  const last = page.at(-1)
  // A type of another program's reads as hidden: only a list of hidden sessions may show it.
  const items = sessionsOf(page, onDamage).filter(({ type }) => plan.types.includes(type))
  if (last === undefined || rows.length <= plan.limit) return { items }
  const time = last[plan.sort]
  // Where oldest come first, rows without a time are the last, and none of them can be given.
  if (isFarthest(time) && plan.order === 'asc') return { items }
  const phase = plan.pinnedFirst ? (last.pinned === 1 ? 1 : 0) : null
  return { items, nextCursor: plan.cursorAt({ phase, time: sortKey(time), rowId: last.rowId }) }
}
