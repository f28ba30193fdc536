// Brings the index up to what is stored, batch by batch. Watermark and rows are read in the transaction that moves the
// watermark (or guarded), so several processes never lose or double a row, and one that is killed leaves whole batches.

import type { Logger } from '@sess/core'
import { breathe } from '@sess/core/adapter'
import type { StoreParts } from '../context.ts'
import type { SqlRunner, Statement, WriteUnit } from '../engine.ts'
import { rowsUnchanged } from '../sql/guards.ts'
import {
  allNames,
  cleanRows,
  dirtyBatch,
  emptyIndex,
  freshBatch,
  type IndexState,
  indexState,
  isCurrent,
  nameBatch,
  putEntries,
  putNames,
  setMeta,
  stateUnchanged,
} from '../sql/index.ts'
import { type IndexedRow, indexEntry } from './prepare.ts'

/** Waits no longer than this for another process, in milliseconds: what is not indexed is looked through instead. */
const patience = 250
const manyMessages = 1000

export interface IndexKeeper {
  /**
   * Indexes everything that was stored before the call. What keeps it from that is told to the logger: whoever searches
   * looks through what is missing.
   */
  catchUp(): Promise<void>
  /** Makes the next {@link catchUp} begin from nothing: the index itself is damaged. */
  distrust(): Promise<void>
}

interface KeeperOptions {
  readonly engine: SqlRunner
  readonly readOnly: boolean
  readonly logger: Logger
}

export function createIndexKeeper({ engine, readOnly, logger }: KeeperOptions): IndexKeeper {
  return {
    async catchUp() {
      if (readOnly) return
      try {
        let target: number | undefined
        for (;;) {
          const { sequence, isDone, watermark } = await engine.write(batchUnit, patience)
          target ??= sequence
          if (isDone || watermark >= target) return
          await breathe()
        }
      } catch (error) {
        logger.warn({ reason: String(error) }, 'the index of search could not be brought up to date')
      }
    },
    async distrust() {
      logger.warn({}, 'the index of search is damaged: it is made anew')
      await engine.write({
        reads: [],
        plan: () => ({ statements: [setMeta('index_version', 0)], result: () => undefined }),
      })
    },
  }
}

/** What stores many messages at once does not leave them to somebody's next search. */
export async function indexMany({ indexAll }: Pick<StoreParts, 'indexAll'>, messages: number): Promise<void> {
  if (messages > manyMessages) await indexAll()
}

interface Progress {
  readonly sequence: number
  readonly isDone: boolean
  /** How far new rows are indexed; -1 while there is something before them. */
  readonly watermark: number
}

type BatchRow = IndexedRow & { readonly changeSeq: number | null }
type NameRow = { readonly rowId: number; readonly changeSeq: number; readonly name: unknown }

const batchUnit: WriteUnit<Progress> = {
  reads: [indexState, nameBatch, dirtyBatch, freshBatch],
  plan: ([states, nameRows = [], dirtyRows = [], freshRows = []]) => {
    const state = states?.[0] as unknown as IndexState
    const { sequence } = state
    const step = (statements: readonly Statement[], guards: readonly Statement[], watermark = -1) => ({
      guards: [...stateUnchanged(state), ...guards],
      statements,
      result: () => ({ sequence, isDone: false, watermark }),
    })
    if (!isCurrent(state)) return step(emptyIndex, [])
    if (state.names !== allNames) {
      const rows = nameRows as unknown as readonly NameRow[]
      const last = rows.at(-1)
      if (last === undefined) return step([setMeta('name_watermark', allNames)], [])
      return step([putNames(rows), setMeta('name_watermark', last.rowId)], [sessionsUnchanged(rows)])
    }
    if (dirtyRows.length > 0) {
      const rows = dirtyRows as unknown as readonly BatchRow[]
      return step([put(rows), cleanRows(rows.map(({ rowId }) => rowId))], [sessionsUnchanged(owners(rows))])
    }
    const rows = freshRows as unknown as readonly BatchRow[]
    const last = rows.at(-1)
    if (last === undefined) {
      return { statements: [], result: () => ({ sequence, isDone: true, watermark: state.watermark }) }
    }
    const statements = [put(rows), setMeta('watermark', last.rowId)]
    return step(statements, [sessionsUnchanged(owners(rows))], last.rowId)
  },
}

/** A row that is no more has none. */
function put(rows: readonly BatchRow[]): Statement {
  return putEntries(rows.filter(({ messageId }) => messageId !== null).map(indexEntry))
}

/** The sessions of rows, each once, by row id. */
function owners(rows: readonly BatchRow[]): Pick<NameRow, 'rowId' | 'changeSeq'>[] {
  const found = new Map(rows.map(({ sessionRowId, changeSeq }) => [sessionRowId, changeSeq]))
  return [...found].flatMap(([rowId, changeSeq]) =>
    rowId === null || changeSeq === null ? [] : [{ rowId, changeSeq }],
  )
}

/** Nothing was written to these sessions, nor to their messages. */
function sessionsUnchanged(sessions: readonly Pick<NameRow, 'rowId' | 'changeSeq'>[]): Statement {
  const sorted = sessions.toSorted((a, b) => a.rowId - b.rowId)
  const query: Statement = {
    sql: `SELECT s.row_id AS "rowId", s.change_seq AS "changeSeq" FROM json_each(?) e CROSS JOIN sessions s ON s.row_id = e.value
ORDER BY s.row_id`,
    parameters: [JSON.stringify(sorted.map(({ rowId }) => rowId))],
  }
  return rowsUnchanged(query, ['rowId', 'changeSeq'], sorted)
}
