// Walks over the messages that may answer a query, newest first: what the index names, and what it does not hold yet. In
// chunks, between which others come to their turn.

import {
  breathe,
  type Candidate,
  isDamaged,
  type MessageRecord,
  matchOf,
  type ParsedQuery,
  type SearchPlan,
  toMessage,
} from '@sess/core/adapter'
import type { SqlRunner } from '../engine.ts'
import { messagesByRowIds, type RowBounds, type WalkedRow, walkIndex, walkMessages } from '../sql/search.ts'
import { isExact, matchText } from './match-text.ts'
import type { SearchView } from './view.ts'

const firstChunk = 256
const longestChunk = 4096
/** Bodies are read in groups of so many, and of so many bytes. */
const groupRows = 64
const groupBytes = 4_194_304

/** A message that may answer, or whether it does is known. */
interface Found extends WalkedRow {
  readonly isSure: boolean
}

export class Walker {
  readonly #engine: SqlRunner
  readonly #plan: SearchPlan
  readonly #view: SearchView

  constructor(engine: SqlRunner, plan: SearchPlan, view: SearchView) {
    this.#engine = engine
    this.#plan = plan
    this.#view = view
  }

  /** Messages with content, that core has yet to check. */
  async *candidates(
    parsed: ParsedQuery,
    bounds: RowBounds,
    sessions: readonly number[] | undefined = this.#view.sessions,
  ): AsyncGenerator<Candidate, void, undefined> {
    for await (const chunk of this.#walk(parsed, bounds, sessions)) {
      for (const group of groupsOf(chunk)) yield* await this.bodies(group.map(({ rowId }) => rowId))
    }
  }

  /** Messages that answer, chunk by chunk. */
  async *hits(
    parsed: ParsedQuery,
    bounds: RowBounds,
    sessions: readonly number[] | undefined = this.#view.sessions,
  ): AsyncGenerator<readonly WalkedRow[], void, undefined> {
    for await (const chunk of this.#walk(parsed, bounds, sessions)) {
      const doubtful = chunk.filter(({ isSure }) => !isSure)
      const sure = new Set<number>()
      for (const group of groupsOf(doubtful)) {
        for (const candidate of await this.bodies(group.map(({ rowId }) => rowId)))
          if (matchOf(this.#plan, parsed, candidate)) sure.add(candidate.rowId)
      }
      yield chunk.filter(({ isSure, rowId }) => isSure || sure.has(rowId))
    }
  }

  /** Messages by row id, in that order; damaged ones and those that are no more are left out. */
  async bodies(rowIds: readonly number[]): Promise<Candidate[]> {
    await breathe()
    const [rows = []] = await this.#engine.read([messagesByRowIds(rowIds)])
    const found = rows as unknown as readonly (MessageRecord &
      Pick<Candidate, 'rowId' | 'bytes'> & { readonly sessionId: string })[]
    return found.flatMap((row) => {
      const message = toMessage(row.sessionId, row)
      return isDamaged(message) ? [] : [{ rowId: row.rowId, message, bytes: row.bytes }]
    })
  }

  /** What passes the filters on sessions, roles and times. */
  async *#walk(
    parsed: ParsedQuery,
    { from, below }: RowBounds,
    sessions: readonly number[] | undefined,
  ): AsyncGenerator<readonly Found[], void, undefined> {
    if (sessions?.length === 0) return
    const { isIndexed, tail } = this.#view
    const within = sessions === undefined ? undefined : new Set(sessions)
    const rest = tail.filter(({ sessionRowId }) => within === undefined || within.has(sessionRowId))
    if (!isIndexed) {
      yield asDoubtful(rest.filter(({ rowId }) => rowId >= from && rowId < below))
      return
    }
    const plan = this.#plan
    const match = matchText(parsed, {
      columns: plan.columns,
      sessions,
      roles: plan.roles.any,
      sessionTypes: plan.sessions.types,
      tools: plan.tools.any,
    })
    const isSure =
      match !== undefined && isExact(parsed) && plan.tools.any.length === 0 && plan.tools.none.length === 0
    let upTo = below
    for (let limit = firstChunk; ; limit = Math.min(limit * 4, longestChunk)) {
      const bounds = { from, below: upTo }
      const [rows = []] = await this.#engine.read([
        match === undefined ? walkMessages(plan, bounds, limit) : walkIndex(plan, match, bounds, limit),
      ])
      const walked = rows as unknown as readonly WalkedRow[]
      const down = walked.length < limit ? from : (walked.at(-1)?.rowId ?? from)
      const passing = walked.filter(({ passes }) => passes === 1).map((row): Found => ({ ...row, isSure }))
      yield match === undefined ? passing : merge(passing, rest, down, upTo)
      if (walked.length < limit) return
      upTo = down
      await breathe()
    }
  }
}

/** Both, newest first, each row once: what is not indexed as it is now is not trusted. */
function merge(
  indexed: readonly Found[],
  tail: readonly WalkedRow[],
  from: number,
  below: number,
): readonly Found[] {
  const missing = tail.filter(({ rowId }) => rowId >= from && rowId < below)
  if (missing.length === 0) return indexed
  const known = new Set(missing.map(({ rowId }) => rowId))
  return [...asDoubtful(missing), ...indexed.filter(({ rowId }) => !known.has(rowId))].sort(
    (a, b) => b.rowId - a.rowId,
  )
}

function asDoubtful(rows: readonly WalkedRow[]): Found[] {
  return rows.map((row) => ({ ...row, isSure: false }))
}

function* groupsOf<T extends { readonly bytes: number }>(rows: readonly T[]): Generator<readonly T[]> {
  let group: T[] = []
  let bytes = 0
  for (const row of rows) {
    if (group.length > 0 && (group.length === groupRows || bytes + row.bytes > groupBytes)) {
      yield group
      group = []
      bytes = 0
    }
    group.push(row)
    bytes += row.bytes
  }
  if (group.length > 0) yield group
}
