// The SQL of a list. Conditions of partial indexes are written as literals: bound parameters miss them. What no single
// index covers (several types, archived too) is one SELECT a type over (session_type, ...), merged by UNION ALL.

import { foldText } from '@sess/core'
import { type ListPlan, shownTypes } from '@sess/core/adapter'
import type { Statement } from '../engine.ts'
import { isJson, sessionSelect } from './columns.ts'

/** A condition over `sessions AS s`. */
export interface Clause {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export const clause = (sql: string, ...parameters: unknown[]): Clause => ({ sql, parameters })

/** The statement of one page and one row more. `phase`: 1 only pinned, 0 only others, null all. */
export function listStatement(plan: ListPlan, phase: 0 | 1 | null): Statement {
  const column = plan.sort === 'createdAt' ? 'created_at' : 'last_active_at'
  const direction = plan.order === 'desc' ? 'DESC' : 'ASC'
  const shared = [...stateClauses(plan), ...filterClauses(plan, column), ...phaseClauses(plan, phase, column)]
  const limit = plan.limit + 1
  const branches = typeBranches(plan, phase)
  const selects = branches.map((types) => {
    const clauses = [...types, ...shared]
    return clause(
      `SELECT s.* FROM sessions s WHERE ${clauses.map(({ sql }) => sql).join(' AND ')}`,
      ...clauses.flatMap(({ parameters }) => parameters),
    )
  })
  const order = (table: string) => `ORDER BY ${table}${column} ${direction}, ${table}row_id ${direction}`
  const [only] = selects
  if (selects.length === 1 && only !== undefined) {
    return {
      sql: `${only.sql.replace('SELECT s.*', `SELECT ${sessionSelect}`)} ${order('s.')} LIMIT ?`,
      parameters: [...only.parameters, limit],
    }
  }
  const ids = selects.map(({ sql }) =>
    sql.replace('SELECT s.*', `SELECT s.row_id AS row_id, s.${column} AS ${column}`),
  )
  return {
    sql:
      `WITH page AS MATERIALIZED (${ids.join(' UNION ALL ')} ${order('')} LIMIT ?) ` +
      `SELECT ${sessionSelect} FROM page CROSS JOIN sessions s ON s.row_id = page.row_id`,
    parameters: [...selects.flatMap(({ parameters }) => parameters), limit],
  }
}

const shownLiteral = "s.session_type NOT IN ('hidden', 'sub_agent')"

/** The conditions of a list, without its order and place. */
export function listConditions(plan: ListPlan): Clause[] {
  return [oneOf(plan.types), ...stateClauses(plan), ...filterClauses(plan, 'last_active_at')]
}

/** The types of each branch: one where an index holds the rest of the query, else a branch a type. */
function typeBranches(plan: ListPlan, phase: 0 | 1 | null): readonly (readonly Clause[])[] {
  const isShown =
    plan.types.length === shownTypes.length && plan.types.every((type) => shownTypes.includes(type))
  if (isShown && plan.archived === false && plan.deleted === false) return [[clause(shownLiteral)]]
  if (hasOwnIndex(plan, phase)) return [[oneOf(plan.types)]]
  return plan.types.map((type) => [clause('s.session_type = ?', type)])
}

/** Whether a narrower index than that of a type serves the query. */
function hasOwnIndex({ filter, archived, deleted }: ListPlan, phase: 0 | 1 | null): boolean {
  return (
    archived === true ||
    deleted === true ||
    filter.pinned === true ||
    phase === 1 ||
    filter.parentSessionId !== undefined ||
    filter.branchOf !== undefined ||
    filter.sourceSessionId !== undefined ||
    (filter.ownerId !== undefined && filter.ownerId !== '') ||
    (filter.channelType !== undefined && filter.channelKey !== undefined)
  )
}

/** The plus keeps SQLite from walking the types' index and sorting, where a narrower one has the order. */
function oneOf(types: readonly string[]): Clause {
  return clause(`+s.session_type IN (${types.map(() => '?').join(', ')})`, ...types)
}

function stateClauses({ archived, deleted }: ListPlan): Clause[] {
  const state = (column: string, wanted: boolean | 'any') =>
    wanted === 'any' ? [] : [clause(`s.${column} IS ${wanted ? 'NOT NULL' : 'NULL'}`)]
  return [...state('archived_at', archived), ...state('deleted_at', deleted)]
}

function phaseClauses({ after, order }: ListPlan, phase: 0 | 1 | null, column: string): Clause[] {
  const clauses: Clause[] = phase === null ? [] : [clause(phase === 1 ? 's.pinned = 1' : 's.pinned = 0')]
  if (after === undefined || after.phase !== phase) return clauses
  const compare = order === 'desc' ? '<' : '>'
  return [...clauses, clause(`(s.${column}, s.row_id) ${compare} (?, ?)`, after.time, after.rowId)]
}

function filterClauses({ filter }: ListPlan, column: string): Clause[] {
  const clauses: Clause[] = []
  const equal = (name: string, value: string | undefined) => {
    if (value !== undefined) clauses.push(clause(`s.${name} = ?`, value))
  }
  equal('working_dir', filter.workingDir)
  equal('channel_type', filter.channelType)
  equal('channel_key', filter.channelKey)
  equal('parent_session_id', filter.parentSessionId)
  equal('branch_of', filter.branchOf)
  equal('source_agent', filter.sourceAgent)
  equal('source_session_id', filter.sourceSessionId)
  equal('owner_id', filter.ownerId)
  // The condition of the owners' index, repeated, else it is not used.
  if (filter.ownerId !== undefined && filter.ownerId !== '') clauses.push(clause("s.owner_id <> ''"))
  if (filter.threadId !== undefined) {
    clauses.push(
      clause(
        'EXISTS (SELECT 1 FROM thread_sessions t WHERE t.thread_id = ? AND t.session_id = s.id)',
        filter.threadId,
      ),
    )
  }
  for (const tag of filter.tags ?? []) {
    clauses.push(clause('EXISTS (SELECT 1 FROM session_tags g WHERE g.session_id = s.id AND g.tag = ?)', tag))
  }
  if (filter.pinned !== undefined) clauses.push(clause(filter.pinned ? 's.pinned = 1' : 's.pinned = 0'))
  if (filter.idPrefix !== undefined)
    clauses.push(clause('substr(s.id, 1, length(?)) = ?', filter.idPrefix, filter.idPrefix))
  if (filter.nameContains !== undefined)
    clauses.push(clause('instr(s.name_folded, ?) > 0', foldText(filter.nameContains)))
  if (filter.since !== undefined) clauses.push(clause(`s.${column} >= ?`, filter.since))
  if (filter.until !== undefined) clauses.push(clause(`s.${column} < ?`, filter.until))
  if (filter.withMessages !== undefined)
    clauses.push(clause(`s.message_count ${filter.withMessages ? '>' : '='} 0`))
  for (const [key, value] of Object.entries(filter.metadata ?? {})) clauses.push(metadataClause(key, value))
  return clauses
}

/** A broken metadata column matches nothing and raises nothing. */
function metadataClause(key: string, value: string | number | boolean | null): Clause {
  const match = (condition: string, ...parameters: unknown[]) =>
    clause(
      `CASE WHEN ${isJson('s.metadata')} THEN EXISTS (SELECT 1 FROM json_each(s.metadata) e WHERE e.key = ? AND ${condition}) ELSE 0 END`,
      key,
      ...parameters,
    )
  if (value === null) return match("e.type = 'null'")
  if (typeof value === 'boolean') return match('e.type = ?', String(value))
  if (typeof value === 'number') return match("e.type IN ('integer', 'real') AND e.value = ?", value)
  return match("e.type = 'text' AND e.value = ?", value)
}
