// A window of turns over rows in memory: the rules of `recentTurns` in plain code. SQL stores answer the same from
// their index; the conformance suite holds the two together.

import type { TurnWindow, WindowTurn } from '../port/messages.ts'
import { turnParts } from '../turns/parts.ts'
import type { Session } from '../types/session.ts'
import type { NewMessageRow } from './append.ts'
import { isDamaged, type MessageRecord, readMessages, toMessage } from './records.ts'

/** What a row is to a turn, and who may see it. */
export type TurnRow = Pick<NewMessageRow, 'turnPart' | 'metadataJson'>

export interface WindowRequest {
  readonly turns: number
  readonly mode: 'text' | 'full'
  /** The first seq of the context, or 1 for the whole history. */
  readonly startSeq: number
  /** Excluded; the end of the session unless given. */
  readonly beforeSeq: number | undefined
  /** Whether a current summary stands before the rows (scope "context" only). */
  readonly hasSummary: boolean
}

export interface RowWindow {
  readonly rows: readonly NewMessageRow[]
  readonly turns: readonly WindowTurn[]
  readonly dropped: number
  readonly reachedStart: boolean
}

/** Cuts a window out of a session's rows, which stand in the order of seq. */
export function windowOf(all: readonly NewMessageRow[], request: WindowRequest): RowWindow {
  const { rows, openers, reachedStart } = walkBack(all, request)
  const first = openers[0] ?? rows.length
  const groups = openers.map((opener, index) => rows.slice(opener, openers[index + 1] ?? rows.length))
  // Rows before the first turn: beside a summary the rest of its own turn, else nobody's.
  const head = reachedStart && request.turns >= 1 ? rows.slice(0, first) : []
  const kept = request.hasSummary ? [head, ...groups] : groups
  return {
    rows: kept.flatMap((group) => (request.mode === 'full' ? group : textRows(group))),
    turns: groups.map((group) => ({ seq: group[0]?.seq ?? 0, interrupted: isInterrupted(group) })),
    dropped: request.hasSummary
      ? 0
      : head.filter((row) => row.role !== 'system' && isAgentVisible(row)).length,
    reachedStart,
  }
}

/** Collects rows from the end back to the n-th opener, and looks on for one more. */
function walkBack(all: readonly NewMessageRow[], { turns, startSeq, beforeSeq }: WindowRequest) {
  const wanted = Math.max(0, turns)
  const rows: NewMessageRow[] = []
  const openers: number[] = []
  let reachedStart = true
  for (let index = all.length - 1; index >= 0; index--) {
    const row = all[index] as NewMessageRow
    if (row.seq < startSeq) break
    if (row.turnPart === turnParts.summary || (beforeSeq !== undefined && row.seq >= beforeSeq)) continue
    if (row.turnPart === turnParts.opener && openers.length === wanted) {
      reachedStart = false
      break
    }
    rows.push(row)
    if (row.turnPart === turnParts.opener) openers.push(rows.length)
  }
  const count = rows.length
  return { rows: rows.reverse(), openers: openers.map((fromEnd) => count - fromEnd).reverse(), reachedStart }
}

/** Opener, steering texts, and the last reply, or the last text beside a tool_use where there is none. */
function textRows(group: readonly NewMessageRow[]): readonly NewMessageRow[] {
  const reply =
    group.findLast((row) => row.turnPart === turnParts.reply) ??
    group.findLast((row) => row.turnPart === turnParts.interim)
  return group.filter(
    (row) => row.turnPart === turnParts.opener || row.turnPart === turnParts.steering || row === reply,
  )
}

/** Whether a turn's rows, its opener first, count as interrupted. */
export function isInterrupted(group: readonly TurnRow[]): boolean {
  if (group.some((row) => row.turnPart === turnParts.reply)) return false
  return group.slice(1).some(isAgentVisible)
}

function isAgentVisible(row: TurnRow): boolean {
  try {
    return JSON.parse(row.metadataJson)?.agentVisible !== false
  } catch {
    return true
  }
}

/** A row as a window needs it. */
export type WindowRow = MessageRecord & { readonly textJson: string | null }

/** What the port gives of a window's rows; in text mode the content is the text form. */
export function toTurnWindow(
  sessionId: string,
  session: Session | undefined,
  mode: 'text' | 'full',
  window: Omit<RowWindow, 'rows'> & {
    readonly rows: readonly WindowRow[]
    readonly summary: WindowRow | undefined
  },
): TurnWindow {
  const shown = (row: WindowRow): MessageRecord =>
    mode === 'text' && row.textJson !== null ? { ...row, contentJson: row.textJson } : row
  const { messages, damaged } = readMessages(sessionId, window.rows.map(shown))
  const summary = window.summary && toMessage(sessionId, shown(window.summary))
  const broken = summary && isDamaged(summary) ? [summary, ...damaged] : damaged
  return {
    messages,
    ...(summary && !isDamaged(summary) ? { summary } : {}),
    turns: window.turns,
    dropped: window.dropped,
    interrupted: window.turns.filter((turn) => turn.interrupted).length,
    reachedStart: window.reachedStart,
    ...(session ? { session } : {}),
    ...(broken.length > 0 ? { damaged: broken } : {}),
  }
}
