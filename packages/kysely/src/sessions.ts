// Sessions over SQL: what each method reads, decides and writes.

import { type Page, removeOptionsSchema, type Session, type SessionRecords } from '@sess/core'
import {
  check,
  checkSessionId,
  isSessionId,
  type ListPlan,
  missingMethods,
  type PreparedSession,
  patchConflict,
  patchFields,
  planList,
  preparePatch,
  prepareSession,
} from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { WriteUnit } from './engine.ts'
import { importSession } from './import.ts'
import { planRemove } from './remove.ts'
import { changeSeqOf, liveRow, newSessionId } from './session-rows.ts'
import { asSessionRow, type SessionRow, sessionById, sessionOf } from './sql/columns.ts'
import { rowUnchanged, sessionAbsent } from './sql/guards.ts'
import { listStatement } from './sql/list.ts'
import { insertSession, replaceTags, toColumns, updateSession } from './sql/session-writes.ts'

export const missingSessionMethods = [
  'addUsage',
  'current',
  'resetContext',
  'fork',
  'rewind',
  'undelete',
] as const

export function createSessionRecords(parts: StoreParts): SessionRecords {
  const { engine, operations, locale, onDamage, now } = parts
  return {
    ...missingMethods(parts.backend, 'sessions', missingSessionMethods),
    create: (input = {}) =>
      operations.run('sessions.create', () => {
        const session = prepareSession(input, locale)
        return engine.write(createUnit(parts, session))
      }),
    get: (id) =>
      operations.run('sessions.get', async () => {
        if (!isSessionId(id)) return undefined
        const [rows] = await engine.read([sessionById(id)])
        const row = asSessionRow(rows?.[0])
        return row && sessionOf(row, onDamage)
      }),
    list: (query = {}) => operations.run('sessions.list', () => listSessions(parts, planList(query))),
    update: (id, patch) =>
      operations.run('sessions.update', () => {
        checkSessionId(id)
        const prepared = preparePatch(patch)
        return engine.write({
          reads: [sessionById(id)],
          plan: ([rows]) => {
            const row = liveRow(id, rows?.[0])
            const conflict = patchConflict(prepared, sessionOf(row, onDamage))
            if (conflict) throw conflict
            const at = now()
            const fields = patchFields(prepared, row, at)
            const unchanged = prepared.tags === undefined && Object.keys(fields).length === 0
            if (unchanged) return { statements: [], result: () => sessionOf(row, onDamage) }
            const tags = prepared.tags === undefined ? [] : replaceTags(id, prepared.tags)
            return {
              guard: rowUnchanged(id, row.changeSeq),
              statements: [updateSession(parts.db, id, toColumns(fields, prepared.nameFolded), at), ...tags],
              result: ([updated]) =>
                sessionOf(
                  {
                    ...row,
                    ...fields,
                    ...(prepared.tags ? { tags: JSON.stringify(prepared.tags) } : {}),
                    updatedAt: at,
                    changeSeq: changeSeqOf(updated),
                  },
                  onDamage,
                ),
            }
          },
        })
      }),
    import: (session, messages, options = {}) =>
      operations.run('sessions.import', () => importSession(parts, session, messages, options)),
    remove: (id, options = {}) =>
      operations.run('sessions.remove', () => {
        checkSessionId(id)
        check(removeOptionsSchema, options, 'options')
        return engine.write(planRemove(parts, id, options.purge === true))
      }),
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
        guard: sessionAbsent(id),
        statements: [...insertSession(parts.db, id, session, now, {}), sessionById(id)],
        result: (results) => sessionOf(asSessionRow(results.at(-1)?.[0]) as SessionRow, parts.onDamage),
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
      (a, b) => direction * (a[plan.sort] - b[plan.sort] || a.rowId - b.rowId),
    ),
  )
  const page = rows.slice(0, plan.limit)
  const last = page.at(-1)
  const items = page.map((row) => sessionOf(row, onDamage))
  if (last === undefined || rows.length <= plan.limit) return { items }
  const phase = plan.pinnedFirst ? (last.pinned === 1 ? 1 : 0) : null
  return { items, nextCursor: plan.cursorAt({ phase, time: last[plan.sort], rowId: last.rowId }) }
}
