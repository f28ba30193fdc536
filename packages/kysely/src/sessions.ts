// Sessions over SQL: what each method reads, decides and writes.

import { type Page, removeOptionsSchema, type Session, type SessionRecords } from '@sess/core'
import {
  addToCounts,
  check,
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
  const write = <T>(name: keyof SessionRecords, id: string, unit: () => WriteUnit<T>): Promise<T> =>
    operations.run(`sessions.${name}`, () => {
      checkSessionId(id)
      return engine.write(unit())
    })
  return {
    create: (input = {}) =>
      operations.run('sessions.create', () => engine.write(createUnit(parts, prepareSession(input, locale)))),
    get: (id) =>
      operations.run('sessions.get', async () => {
        if (!isSessionId(id)) return undefined
        const [rows] = await engine.read([sessionById(id)])
        const row = asSessionRow(rows?.[0])
        return row && sessionOf(row, onDamage)
      }),
    list: (query = {}) => operations.run('sessions.list', () => listSessions(parts, planList(query))),
    update: (id, patch) =>
      write('update', id, () => {
        const prepared = preparePatch(patch)
        return changeUnit(parts, id, (row, at) => {
          const conflict = patchConflict(prepared, sessionOf(row, onDamage))
          if (conflict) throw conflict
          const { nameFolded, tags } = prepared
          return { fields: patchFields(prepared, row, at), nameFolded, tags }
        })
      }),
    addUsage: (id, usage) =>
      write('addUsage', id, () => {
        const last = checkUsage(usage)
        return changeUnit(parts, id, (row, at) => {
          const counts = addToCounts(sessionOf(row, onDamage).tokenCounts, last)
          const event = insertUsage(parts.db, id, { ...usage, at: usage.at ?? at })
          return { fields: { tokenCounts: JSON.stringify(counts) }, beside: [event] }
        })
      }),
    current: (key, options = {}) =>
      operations.run('sessions.current', () => currentSession(parts, planCurrent(key, options, locale))),
    resetContext: (id) =>
      write('resetContext', id, () =>
        changeUnit(parts, id, ({ nextSeq, contextStartSeq, contextSummarySeq, version }) =>
          contextStartSeq === nextSeq && contextSummarySeq === null
            ? { fields: {} }
            : { fields: { contextStartSeq: nextSeq, contextSummarySeq: null, version: version + 1 } },
        ),
      ),
    fork: (id, options = {}) =>
      operations.run('sessions.fork', async () => {
        checkSessionId(id)
        checkFork(options)
        const fork = await engine.write(forkUnit(parts, id, options))
        await indexMany(parts, fork.messageCount)
        return fork
      }),
    import: async (session, messages, options = {}) => {
      // In two steps: while the messages are read, other operations go on.
      const plan = await operations.run('sessions.import', () =>
        planImport(session, messages, options, parts, parts.maxMessageBytes),
      )
      return operations.run('sessions.import', async () => {
        const receipt = await engine.write(importUnit(parts, plan))
        await indexMany(parts, receipt.added)
        return receipt
      })
    },
    rewind: (id, options) =>
      write('rewind', id, () => {
        checkRewind(options)
        return rewindUnit(parts, id, options)
      }),
    remove: (id, options = {}) =>
      write('remove', id, () => {
        check(removeOptionsSchema, options, 'options')
        return planRemove(parts, id, options.purge === true)
      }),
    undelete: (id) => write('undelete', id, () => undeleteUnit(parts, id)),
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
