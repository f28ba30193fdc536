// The trash, back from it, and the purge: a session goes with its sub_agent and hidden descendants.

import { type Session, StoreError } from '@sess/core'
import { tombstoneAge, trashTime } from '@sess/core/adapter'
import type { StoreParts } from './context.ts'
import type { Statement, WriteUnit } from './engine.ts'
import { sessionIn } from './session-rows.ts'
import { nextChange, sessionById } from './sql/columns.ts'
import { rowsUnchanged } from './sql/guards.ts'

interface FamilyRow {
  readonly rowId: number
  readonly id: string
  readonly ownerId: string
  readonly deletedAt: number | null
}

interface OrphanRow {
  readonly rowId: number
  readonly id: string
  readonly parentGone: number
  readonly branchGone: number
}

/**
 * Whether a session belongs to what it names: it is of the same owner, or nobody's and made after it. Another owner's never
 * does, and nobody's that is older has another in mind: a parent is only named, and its id may come to be anybody's.
 */
const belongs = "(+s.owner_id = (SELECT owner_id FROM root) OR (+s.owner_id = '' AND s.row_id > f.row_id))"
/** Each join goes from the few to the many by an index; left to itself SQLite scans all sessions (hence CROSS and the plus). */
const goesAlong = `+s.session_type IN ('sub_agent', 'hidden') AND ${belongs}`

/** The session and everything below it that goes along, through chains of sub_agent and hidden sessions. */
const family = `WITH RECURSIVE root (id, row_id, owner_id) AS (
  SELECT id, row_id, owner_id FROM sessions WHERE id = ?
), family (id, row_id) AS (
  SELECT id, row_id FROM root
  UNION SELECT s.id, s.row_id FROM family f CROSS JOIN sessions s ON s.parent_session_id = f.id WHERE ${goesAlong}
  UNION SELECT s.id, s.row_id FROM family f CROSS JOIN sessions s ON s.branch_of = f.id WHERE ${goesAlong}
)`

function familyOf(id: string): Statement {
  return {
    sql: `${family} SELECT s.row_id AS "rowId", s.id AS "id", s.owner_id AS "ownerId", s.deleted_at AS "deletedAt"
FROM family f CROSS JOIN sessions s ON s.id = f.id ORDER BY s.row_id`,
    parameters: [id],
  }
}

/** Other sessions that belong to one of the family: they stay and lose its name. */
function orphansOf(id: string): Statement {
  return {
    sql: `${family} SELECT s.row_id AS "rowId", s.id AS "id", s.parent_session_id IN (SELECT id FROM family) AS "parentGone",
  s.branch_of IN (SELECT id FROM family) AS "branchGone"
FROM sessions s WHERE s.row_id IN (
  SELECT s.row_id FROM family f CROSS JOIN sessions s ON s.parent_session_id = f.id WHERE ${belongs}
  UNION SELECT s.row_id FROM family f CROSS JOIN sessions s ON s.branch_of = f.id WHERE ${belongs}
) AND s.id NOT IN (SELECT id FROM family) ORDER BY s.row_id`,
    parameters: [id],
  }
}

/** Who belongs to the family, and who of it is in the trash, is what was read. */
function familyUnchanged(id: string, members: readonly FamilyRow[]): Statement {
  return rowsUnchanged(familyOf(id), ['rowId', 'deletedAt'], members)
}

function orphansUnchanged(id: string, orphans: readonly OrphanRow[]): Statement {
  return rowsUnchanged(orphansOf(id), ['rowId', 'parentGone', 'branchGone'], orphans)
}

/** Moves a session to the trash, or deletes it; false when there is nothing to do. */
export function planRemove({ now }: StoreParts, id: string, purge: boolean): WriteUnit<boolean> {
  const at = now()
  return {
    reads: purge ? [familyOf(id), orphansOf(id)] : [familyOf(id)],
    plan: ([familyRows = [], orphanRows = []]) => {
      const members = familyRows as unknown as readonly FamilyRow[]
      const orphans = orphanRows as unknown as readonly OrphanRow[]
      const root = members.find((member) => member.id === id)
      if (root === undefined || (!purge && root.deletedAt !== null))
        return { statements: [], result: () => false }
      const statements = purge
        ? [...purgeAll(members, at), ...release(orphans, at), ...forgetRemovals(at)]
        : trash(members, at)
      return {
        guards: purge
          ? [familyUnchanged(id, members), orphansUnchanged(id, orphans)]
          : [familyUnchanged(id, members)],
        statements,
        result: () => true,
      }
    },
  }
}

/** The members that are not in the trash yet go there, with a time that none there has. */
function trash(members: readonly FamilyRow[], at: number): Statement[] {
  const deletedAt = trashTime(
    at,
    members.map((member) => member.deletedAt),
  )
  return changeAll(
    'deleted_at = ?',
    [deletedAt],
    members.filter((member) => member.deletedAt === null),
    at,
  )
}

/**
 * Changes many sessions in one statement; their change numbers follow each other in the order of the rows. `e.value` is
 * a row's `[row_id, ...]`.
 */
function changeAll(
  set: string,
  parameters: readonly unknown[],
  rows: readonly { readonly rowId: number }[],
  at: number,
  facts: readonly (readonly unknown[])[] = rows.map(() => []),
): Statement[] {
  if (rows.length === 0) return []
  const values = rows.map(({ rowId }, index) => [rowId, ...(facts[index] ?? [])])
  return [
    {
      sql: `UPDATE sessions AS s SET ${set}, updated_at = ?, change_seq = b.n + e.key
FROM json_each(?) e, (SELECT ${nextChange} AS n) b WHERE s.row_id = e.value ->> 0`,
      parameters: [...parameters, at, JSON.stringify(values)],
    },
  ]
}

function release(orphans: readonly OrphanRow[], at: number): Statement[] {
  const without = (column: string, place: number) =>
    `${column} = CASE WHEN e.value ->> ${place} THEN NULL ELSE s.${column} END`
  return changeAll(
    `${without('parent_session_id', 1)}, ${without('branch_of', 2)}`,
    [],
    orphans,
    at,
    orphans.map(({ parentGone, branchGone }) => [parentGone, branchGone]),
  )
}

/** The oldest removals that are past their age; the newest stays, so that the change number never goes back. */
const pastRemovals = `SELECT change_seq FROM (SELECT change_seq, removed_at FROM session_tombstones ORDER BY change_seq LIMIT 100)
WHERE removed_at < ? AND change_seq < (SELECT max(change_seq) FROM session_tombstones)`

/** Removals are remembered for 30 days; a token from before the horizon is refused. */
function forgetRemovals(at: number): Statement[] {
  const before = at - tombstoneAge
  return [
    {
      sql: `UPDATE schema_meta SET value = max(value, coalesce((SELECT max(change_seq) FROM (${pastRemovals})), 0)) WHERE key = 'feed_horizon'`,
      parameters: [before],
    },
    { sql: `DELETE FROM session_tombstones WHERE change_seq IN (${pastRemovals})`, parameters: [before] },
  ]
}

/** The tombstones first: a session may hold the highest change number. */
function purgeAll(members: readonly FamilyRow[], at: number): Statement[] {
  const rowIds = JSON.stringify(members.map(({ rowId }) => rowId))
  return [
    {
      sql: `INSERT OR REPLACE INTO session_tombstones (session_id, owner_id, change_seq, removed_at)
SELECT s.id, s.owner_id, b.n + e.key, ?
FROM (SELECT ${nextChange} AS n) b CROSS JOIN json_each(?) e CROSS JOIN sessions s ON s.row_id = e.value`,
      parameters: [at, rowIds],
    },
    { sql: 'DELETE FROM sessions WHERE row_id IN (SELECT value FROM json_each(?))', parameters: [rowIds] },
  ]
}

/** Brings a session back from the trash, with what went there together with it. */
export function undeleteUnit(parts: StoreParts, id: string): WriteUnit<Session> {
  const at = parts.now()
  return {
    reads: [familyOf(id), sessionById(id)],
    plan: ([familyRows = [], rows = []]) => {
      const members = familyRows as unknown as readonly FamilyRow[]
      const root = members.find((member) => member.id === id)
      if (root === undefined) throw new StoreError('not-found', `there is no session "${id}"`)
      if (root.deletedAt === null) return { statements: [], result: () => sessionIn(parts, rows) }
      const together = members.filter(({ deletedAt }) => deletedAt === root.deletedAt)
      return {
        guards: [familyUnchanged(id, members)],
        statements: [...changeAll('deleted_at = NULL', [], together, at), sessionById(id)],
        result: (results) => sessionIn(parts, results.at(-1)),
      }
    },
  }
}
