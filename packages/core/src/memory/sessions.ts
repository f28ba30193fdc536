// The memory store's sessions.

import { decideImport, type ImportPlan, planImport } from '../adapter/import.ts'
import type { Operations } from '../adapter/operations.ts'
import { patchFields } from '../adapter/patch.ts'
import { missingMethods } from '../adapter/port-methods.ts'
import { type ListPlan, matchesPlan, planList } from '../adapter/query.ts'
import type { SessionRecord } from '../adapter/records.ts'
import { check } from '../input/check.ts'
import { isSessionId } from '../input/ids.ts'
import { removeOptionsSchema } from '../input/schemas.ts'
import { checkSessionId, patchConflict, preparePatch, prepareSession } from '../input/sessions.ts'
import type { SessionRecords } from '../port/sessions.ts'
import type { Page } from '../types/query.ts'
import type { Session } from '../types/session.ts'
import type { ImportReceipt } from '../types/transfer.ts'
import type { Entry, MemoryState } from './state.ts'

export const missingSessionMethods = [
  'addUsage',
  'current',
  'resetContext',
  'fork',
  'rewind',
  'undelete',
] as const

export function createMemorySessions(
  state: MemoryState,
  operations: Operations,
  maxBytes: number,
): SessionRecords {
  return {
    ...missingMethods('memory', 'sessions', missingSessionMethods),
    create: (input = {}) =>
      operations.run('sessions.create', () => {
        const session = prepareSession(input, state.context.locale)
        const now = state.context.now()
        if (session.id !== undefined) state.assertFree(session.id)
        return state.session(state.add(session.id ?? state.newSessionId(now), session, now))
      }),
    get: (id) =>
      operations.run('sessions.get', () => {
        const entry = isSessionId(id) ? state.entries.get(id) : undefined
        return entry && state.session(entry)
      }),
    list: (query = {}) => operations.run('sessions.list', () => listSessions(state, planList(query))),
    update: (id, patch) =>
      operations.run('sessions.update', () => {
        checkSessionId(id)
        const prepared = preparePatch(patch)
        const entry = state.live(id)
        const conflict = patchConflict(prepared, state.session(entry))
        if (conflict) throw conflict
        const fields = patchFields(prepared, entry.row, state.context.now())
        if (prepared.tags === undefined && Object.keys(fields).length === 0) return state.session(entry)
        entry.tags = prepared.tags ?? entry.tags
        state.change(entry, fields)
        return state.session(entry)
      }),
    import: (session, messages, options = {}) =>
      operations.run('sessions.import', async () => {
        const plan = await planImport(session, messages, options, state.context, maxBytes)
        return importSession(state, plan)
      }),
    remove: (id, options = {}) =>
      operations.run('sessions.remove', () => {
        checkSessionId(id)
        check(removeOptionsSchema, options, 'options')
        const entry = state.entries.get(id)
        if (entry === undefined) return false
        if (options.purge !== true) return moveToTrash(state, entry)
        purge(state, entry)
        return true
      }),
  }
}

function listSessions(state: MemoryState, plan: ListPlan): Page<Session> {
  const direction = plan.order === 'desc' ? -1 : 1
  const phaseOf = (row: SessionRecord) => (plan.pinnedFirst ? row.pinned : 0)
  const compare = (a: SessionRecord, b: SessionRecord) =>
    phaseOf(b) - phaseOf(a) || direction * (a[plan.sort] - b[plan.sort] || a.rowId - b.rowId)
  const after = plan.after
  const isAfter = (row: SessionRecord) => {
    if (after === undefined) return true
    const phases = plan.pinnedFirst ? (after.phase ?? 0) - row.pinned : 0
    return (phases || direction * (row[plan.sort] - after.time || row.rowId - after.rowId)) > 0
  }
  const matching = [...state.entries.values()]
    .filter(
      (entry) => matchesPlan(plan, entry.row, { tags: entry.tags, threadIds: [] }) && isAfter(entry.row),
    )
    .sort((a, b) => compare(a.row, b.row))
  const items = matching.slice(0, plan.limit)
  const last = items.at(-1)?.row
  return {
    items: items.map((entry) => state.session(entry)),
    ...(last !== undefined && matching.length > items.length
      ? {
          nextCursor: plan.cursorAt({
            phase: plan.pinnedFirst ? (last.pinned as 0 | 1) : null,
            time: last[plan.sort],
            rowId: last.rowId,
          }),
        }
      : {}),
  }
}

function importSession(state: MemoryState, plan: ImportPlan): ImportReceipt {
  const match = plan.session.source && findSource(state, plan.session)
  const decision = decideImport(plan, match && { row: match.row, messages: match.rows })
  if (decision.outcome === 'unchanged' || decision.outcome === 'skipped') {
    return { session: state.session(match as Entry), outcome: decision.outcome, added: 0 }
  }
  if (decision.outcome === 'updated') {
    const entry = match as Entry
    state.addRows(entry, decision.rows)
    state.change(entry, decision.fields)
    return { session: state.session(entry), outcome: 'updated', added: decision.rows.length }
  }
  const now = state.context.now()
  if (plan.session.id !== undefined) state.assertFree(plan.session.id)
  const id = plan.session.id ?? state.newSessionId(now)
  const entry = state.add(id, plan.session, now, { ...plan.fields, ...decision.fields })
  state.addRows(entry, plan.rows)
  return { session: state.session(entry), outcome: decision.outcome, added: plan.rows.length }
}

function findSource(state: MemoryState, { source, ownerId }: ImportPlan['session']): Entry | undefined {
  return [...state.entries.values()].find(
    ({ row }) =>
      row.sourceAgent === source?.agent &&
      row.sourceSessionId === source?.sessionId &&
      row.ownerId === ownerId,
  )
}

/** The session's sub_agent and hidden descendants, itself first. */
function family(state: MemoryState, root: Entry): Entry[] {
  const found = [root]
  for (const parent of found) {
    for (const entry of state.entries.values()) {
      const below = entry.row.parentSessionId === parent.row.id || entry.row.branchOf === parent.row.id
      const goesAlong = entry.row.sessionType === 'sub_agent' || entry.row.sessionType === 'hidden'
      if (below && goesAlong && !found.includes(entry)) found.push(entry)
    }
  }
  return found
}

function moveToTrash(state: MemoryState, root: Entry): boolean {
  if (root.row.deletedAt !== null) return false
  const deletedAt = state.context.now()
  for (const entry of family(state, root)) {
    if (entry.row.deletedAt === null) state.change(entry, { deletedAt })
  }
  return true
}

function purge(state: MemoryState, root: Entry): void {
  const gone = family(state, root)
  for (const entry of gone) {
    state.entries.delete(entry.row.id)
    state.nextChange()
  }
  const ids = new Set(gone.map((entry) => entry.row.id))
  for (const entry of state.entries.values()) {
    const { parentSessionId, branchOf } = entry.row
    const orphaned = parentSessionId !== null && ids.has(parentSessionId)
    const unbranched = branchOf !== null && ids.has(branchOf)
    if (orphaned || unbranched) {
      state.change(entry, {
        ...(orphaned && { parentSessionId: null }),
        ...(unbranched && { branchOf: null }),
      })
    }
  }
}
