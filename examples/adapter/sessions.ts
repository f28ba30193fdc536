// Sessions: each method checks its input with core as soon as it is called, decides with core, and reads or writes the folder
// in between.

import { removeOptionsSchema, type Session, type SessionRecords, StoreError } from '@sess/core'
import {
  belongs,
  checkSessionId,
  familyOf,
  isSessionId,
  listPage,
  matchesPlan,
  type Operations,
  patchConflict,
  patchFields,
  planList,
  preparePatch,
  prepareSession,
  type SessionRecord,
  type StoreContext,
  snapshot,
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
      operations.call(
        'sessions.create',
        () => prepareSession(input, context.locale),
        (prepared) => {
          const now = context.now()
          const row = newRow(folder, newSessionId(folder, prepared.id, context, now), prepared, now)
          folder.write({ row, tags: prepared.tags, messages: [], operations: [] })
          return given({ row, tags: prepared.tags })
        },
      ),
    get: (id) =>
      operations.run('sessions.get', () => {
        // A read of an id that no session can have is a read of an unknown session.
        const entry = isSessionId(id) ? folder.index.get(id) : undefined
        return entry && given(entry)
      }),
    list: (query = {}) =>
      operations.call(
        'sessions.list',
        () => planList(query),
        (plan) => {
          const matching = [...folder.index.values()].filter(({ row, tags }) =>
            matchesPlan(plan, row, { tags, threadIds: [] }),
          )
          const { items, ...rest } = listPage(plan, matching)
          return { items: items.map(given), ...rest }
        },
      ),
    update: (id, patch) =>
      operations.call(
        'sessions.update',
        () => {
          checkSessionId(id)
          return preparePatch(patch)
        },
        (prepared) => {
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
        },
      ),
    remove: (id, options = {}) =>
      operations.call(
        'sessions.remove',
        () => {
          checkSessionId(id)
          return snapshot(removeOptionsSchema, options, 'options')
        },
        ({ purge = false }) => {
          const root = folder.index.get(id)
          if (root === undefined || (!purge && root.row.deletedAt !== null)) return false
          // Several files cannot be renamed as one. The root goes last, so that after a crash the same call does the rest.
          const now = context.now()
          const family = familyOf(root, folder.index.values())
          const byId = new Map(family.map((member) => [member.row.id, member]))
          if (purge) {
            for (const child of folder.index.values()) {
              const named = byId.get(child.row.parentSessionId ?? '')
              if (named === undefined || byId.has(child.row.id) || !belongs(child, root, named)) continue
              folder.writeRow(changed(folder, child.row, { parentSessionId: null }, now), child.tags)
            }
          }
          for (const { row, tags } of family.toReversed()) {
            if (purge) folder.delete(row.id)
            else if (row.deletedAt === null)
              folder.writeRow(changed(folder, row, { deletedAt: now }, now), tags)
          }
          return true
        },
      ),
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
