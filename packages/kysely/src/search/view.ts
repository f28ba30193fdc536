// What one search sees of the store: the index as it is now, and the messages that it does not hold.

import type { SearchPlan } from '@sess/core/adapter'
import type { SqlRunner } from '../engine.ts'
import { type IndexState, indexState, isComplete, isCurrent } from '../sql/index.ts'
import { searchedSessions, tailRows, type WalkedRow, walkTail } from '../sql/search.ts'
import type { IndexKeeper } from './keeper.ts'

/** So many sessions that pass a filter become tokens of the query. */
const scopeSessions = 2000
/** Few enough to be tokens whatever share of the messages is theirs. */
const fewSessions = 64
/** Where more than one message in so many is theirs, going through all is as quick. */
const share = 8

export interface SearchView {
  /** Above the row id of every message. */
  readonly top: number
  /** Whether the index can be used at all. */
  readonly isIndexed: boolean
  /** Names of sessions above this row id are not indexed. */
  readonly names: number
  /** Messages that pass the filters and are not in the index, newest first. */
  readonly tail: readonly WalkedRow[]
  /** Whether there is more of them than is looked through. */
  readonly isPartial: boolean
  /** Row ids of the sessions that are searched; absent: too many to name, or all. */
  readonly sessions: readonly number[] | undefined
}

/** Brings the index up to date and looks at it. */
export async function openView(
  engine: SqlRunner,
  keeper: IndexKeeper,
  plan: SearchPlan,
): Promise<SearchView> {
  let [state, tail] = await readState(engine, plan)
  if (!isComplete(state)) {
    await keeper.catchUp()
    ;[state, tail] = await readState(engine, plan)
  }
  const isIndexed = isCurrent(state)
  return {
    top: state.sequence + 1,
    isIndexed,
    names: isIndexed ? (state.names ?? 0) : 0,
    tail: tail.slice(0, tailRows).filter(({ passes }) => passes === 1),
    isPartial: tail.length > tailRows,
    sessions: await namedSessions(engine, plan, state.sequence),
  }
}

async function readState(
  engine: SqlRunner,
  plan: SearchPlan,
): Promise<readonly [IndexState, readonly WalkedRow[]]> {
  const [states, tail] = await engine.read([indexState, walkTail(plan)])
  return [states?.[0] as unknown as IndexState, tail as unknown as readonly WalkedRow[]]
}

/** The sessions that a filter leaves, where they are few. */
async function namedSessions(
  engine: SqlRunner,
  plan: SearchPlan,
  messages: number,
): Promise<readonly number[] | undefined> {
  if (!isNarrow(plan)) return undefined
  const [rows = []] = await engine.read([searchedSessions(plan, scopeSessions + 1)])
  const found = rows as unknown as readonly { readonly rowId: number; readonly messageCount: number }[]
  if (found.length > scopeSessions) return undefined
  const theirs = found.reduce((sum, { messageCount }) => sum + messageCount, 0)
  return found.length <= fewSessions || theirs * share < messages
    ? found.map(({ rowId }) => rowId)
    : undefined
}

/** Whether anything but what every list leaves out narrows the sessions down. */
function isNarrow({ sessions, inSessions, types, workingDirs, channels, tags }: SearchPlan): boolean {
  const { types: _, archived, deleted, ...filter } = sessions.filter
  return (
    [inSessions, types, workingDirs, channels, tags].some(({ any }) => any.length > 0) ||
    archived === true ||
    deleted === true ||
    sessions.filter.types !== undefined ||
    Object.values(filter).some((value) => value !== undefined)
  )
}
