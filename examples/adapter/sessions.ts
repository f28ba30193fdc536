// Sessions: each method checks its input with core, decides with core, and reads or writes the folder in between.

import { removeOptionsSchema, type Session, type SessionRecords, StoreError } from '@sess/core'
import {
  check,
  checkSessionId,
  isSessionId,
  matchesPlan,
  type Operations,
  patchConflict,
  patchFields,
  planList,
  preparePatch,
  prepareSession,
  type SessionRecord,
  type StoreContext,
  toSession,
} from '@sess/core/adapter'
import type { Folder, IndexEntry } from './folder.ts'
import { newRow, newSessionId } from './rows.ts'

export type JsonSessions = Pick<SessionRecords, 'create' | 'get' | 'list' | 'update' | 'remove'>

export function createJsonSessions(
  folder: Folder,
  operations: Operations,
  context: StoreContext,
): JsonSessions {
  const given = ({ row, tags }: IndexEntry): Session =>
    toSession(row, tags, (what) => context.logger.warn({ what }, 'damaged session'))
  return {
    create: (input = {}) =>
      operations.run('sessions.create', () => {
        const prepared = prepareSession(input, context.locale)
        const now = context.now()
        const row = newRow(folder, newSessionId(folder, prepared.id, context, now), prepared, now)
        folder.write({ row, tags: prepared.tags, messages: [], operations: [] })
        return given({ row, tags: prepared.tags })
      }),
    get: (id) =>
      operations.run('sessions.get', () => {
        // A read of an id that no session can have is a read of an unknown session.
        const entry = isSessionId(id) ? folder.index.get(id) : undefined
        return entry && given(entry)
      }),
    list: (query = {}) =>
      operations.run('sessions.list', () => {
        const plan = planList(query)
        const { sort, limit, after, pinnedFirst } = plan
        const direction = plan.order === 'desc' ? -1 : 1
        // Less than 0 where `a` comes first: pinned ones (if asked), then by time, ties by order of creation.
        const compare = (a: SessionRecord, b: { pinned: number; time: number; rowId: number }) =>
          (pinnedFirst ? b.pinned - a.pinned : 0) || direction * (a[sort] - b.time || a.rowId - b.rowId)
        const matching = [...folder.index.values()]
          .filter(({ row, tags }) => matchesPlan(plan, row, { tags, threadIds: [] }))
          .filter(
            ({ row }) => after === undefined || compare(row, { ...after, pinned: after.phase ?? 0 }) > 0,
          )
          .sort((a, b) => compare(a.row, { ...b.row, time: b.row[sort] }))
        const page = matching.slice(0, limit)
        const last = page.at(-1)?.row
        const items = page.map(given)
        if (last === undefined || matching.length <= limit) return { items }
        const phase = pinnedFirst ? (last.pinned as 0 | 1) : null
        return { items, nextCursor: plan.cursorAt({ phase, time: last[sort], rowId: last.rowId }) }
      }),
    update: (id, patch) =>
      operations.run('sessions.update', () => {
        checkSessionId(id)
        const prepared = preparePatch(patch)
        const entry = liveEntry(folder, id)
        const conflict = patchConflict(prepared, given(entry))
        if (conflict) throw conflict
        const now = context.now()
        const fields = patchFields(prepared, entry.row, now)
        if (prepared.tags === undefined && Object.keys(fields).length === 0) return given(entry)
        const row = changed(folder, entry.row, fields, now)
        const tags = prepared.tags ?? entry.tags
        folder.writeRow(row, tags)
        return given({ row, tags })
      }),
    remove: (id, options = {}) =>
      operations.run('sessions.remove', () => {
        checkSessionId(id)
        check(removeOptionsSchema, options, 'options')
        const root = folder.index.get(id)
        if (root === undefined || (options.purge !== true && root.row.deletedAt !== null)) return false
        // Several files cannot be renamed as one. The root goes last, so that after a crash the same call does the rest.
        const now = context.now()
        const family = familyOf(folder, id)
        if (options.purge === true) {
          for (const [childId, child] of folder.index) {
            if (family.includes(childId) || !family.includes(child.row.parentSessionId ?? '')) continue
            folder.writeRow(changed(folder, child.row, { parentSessionId: null }, now), child.tags)
          }
        }
        for (const memberId of family.toReversed()) {
          const { row, tags } = folder.index.get(memberId) as IndexEntry
          if (options.purge === true) folder.delete(memberId)
          else if (row.deletedAt === null)
            folder.writeRow(changed(folder, row, { deletedAt: now }, now), tags)
        }
        return true
      }),
  }
}

/** A session for a write: there, and not in the trash. */
export function liveEntry(folder: Folder, id: string): IndexEntry {
  const entry = folder.index.get(id)
  if (entry !== undefined && entry.row.deletedAt === null) return entry
  throw new StoreError('not-found', `there is no session "${id}"`)
}

/** A row with some fields changed: every change has its own change number. */
export function changed(
  folder: Folder,
  row: SessionRecord,
  fields: Partial<SessionRecord>,
  now: number,
): SessionRecord {
  return { ...row, ...fields, updatedAt: now, changeSeq: ++folder.counters.changeSeq }
}

/** The session and its sub_agent and hidden descendants, parents before children; never another owner's. */
function familyOf(folder: Folder, id: string): string[] {
  const family = [id]
  const owners = ['', folder.index.get(id)?.row.ownerId]
  for (const parentId of family) {
    for (const [childId, { row }] of folder.index) {
      const isBelow = row.parentSessionId === parentId && owners.includes(row.ownerId)
      const goesAlong = row.sessionType === 'sub_agent' || row.sessionType === 'hidden'
      if (isBelow && goesAlong && !family.includes(childId)) family.push(childId)
    }
  }
  return family
}
