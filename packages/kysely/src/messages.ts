// Messages over SQL: what each method reads, decides and writes.

import {
  type MessageLog,
  type MessagePage,
  recentTurnsSchema,
  type TurnWindow,
  turnParts,
  type WindowTurn,
} from '@sess/core'
import {
  checkMessageId,
  checkMessageIds,
  checkSessionId,
  checkTruncate,
  damagedMessage,
  isDamaged,
  isInterrupted,
  isMessageId,
  isSessionId,
  type MessageRecord,
  planRead,
  prepareAppend,
  prepareCompact,
  prepareMessagePatch,
  prepareReplace,
  type ReadPlan,
  snapshot,
  type TurnRow,
  toMessage,
  toMessagePage,
  toTurnWindow,
} from '@sess/core/adapter'
import { appendUnit } from './append.ts'
import type { StoreParts } from './context.ts'
import { clearUnit, editUnit, removeUnit, truncateUnit } from './edits.ts'
import type { WriteUnit } from './engine.ts'
import { compactUnit, replaceUnit } from './rewrites.ts'
import { indexMany } from './search/keeper.ts'
import { asSessionRow, sessionById, sessionOf } from './sql/columns.ts'
import { messageById, pageStatement } from './sql/message-reads.ts'
import { type TurnsRow, turnsStatement } from './sql/turns.ts'

export function createMessageLog(parts: StoreParts): MessageLog {
  const { engine, operations, maxMessageBytes } = parts
  /** A write to one session, whose id is checked first. */
  const write = <P, T>(
    name: keyof MessageLog,
    id: string,
    prepare: () => P,
    unit: (prepared: P) => WriteUnit<T>,
  ): Promise<T> =>
    operations.call(
      `messages.${name}`,
      () => {
        checkSessionId(id)
        return prepare()
      },
      (prepared) => engine.write(unit(prepared)),
    )
  return {
    append: (id, messages, options = {}) =>
      write(
        'append',
        id,
        () => prepareAppend(id, messages, options, parts, maxMessageBytes),
        (append) => appendUnit(parts, id, append),
      ),
    read: (id, range = {}) =>
      operations.call(
        'messages.read',
        () => planRead(id, range),
        (plan) => readPage(parts, id, plan),
      ),
    get: (id, messageId) =>
      operations.run('messages.get', async () => {
        if (!isSessionId(id) || !isMessageId(messageId)) return undefined
        const [rows] = await engine.read([messageById(id, messageId)])
        const row = rows?.[0] as unknown as MessageRecord | undefined
        const message = row && toMessage(id, row)
        if (message && isDamaged(message)) throw damagedMessage(id, message)
        return message
      }),
    recentTurns: (id, options) =>
      operations.call(
        'messages.recentTurns',
        () => snapshot(recentTurnsSchema, options, 'options'),
        (request) => recentTurns(parts, id, request),
      ),
    update: (id, messageId, patch) =>
      write(
        'update',
        id,
        () => {
          checkMessageId(messageId)
          return prepareMessagePatch(patch, maxMessageBytes)
        },
        (prepared) => editUnit(parts, id, messageId, prepared),
      ),
    remove: (id, messageIds) =>
      write(
        'remove',
        id,
        () => checkMessageIds(messageIds),
        (ids) => removeUnit(parts, id, ids),
      ),
    replace: (id, messages, options = {}) =>
      operations.call(
        'messages.replace',
        () => prepareReplace(id, messages, options, maxMessageBytes),
        async (rewrite) => {
          const receipt = await engine.write(replaceUnit(parts, id, rewrite))
          await indexMany(parts, receipt.messages.length)
          return receipt
        },
      ),
    compact: (id, options) =>
      write(
        'compact',
        id,
        () => prepareCompact(id, options, maxMessageBytes),
        (compaction) => compactUnit(parts, id, compaction),
      ),
    truncate: (id, options) =>
      write(
        'truncate',
        id,
        () => checkTruncate(options),
        (cut) => truncateUnit(parts, id, cut),
      ),
    clear: (id) =>
      write(
        'clear',
        id,
        () => {},
        () => clearUnit(parts, id),
      ),
  }
}

async function readPage({ engine }: StoreParts, id: string, plan: ReadPlan): Promise<MessagePage> {
  if (!isSessionId(id)) return { items: [] }
  const [rows = []] = await engine.read([pageStatement(id, plan)])
  // Every row says how many the page has in the range, one more than the limit at the most.
  const found = rows as unknown as readonly (MessageRecord & { readonly candidates: number })[]
  const ordered = found.toSorted((a, b) => (plan.order === 'asc' ? a.seq - b.seq : b.seq - a.seq))
  return toMessagePage(id, plan, ordered, (found[0]?.candidates ?? 0) > found.length)
}

async function recentTurns(
  { engine, onDamage }: StoreParts,
  id: string,
  { turns, mode = 'full', beforeSeq, scope = 'context' }: Parameters<MessageLog['recentTurns']>[1],
): Promise<TurnWindow> {
  // Fewer than one turn is asked for as one and given as none: the first turn says whether there is any.
  const request = { sessionId: id, turns: Math.max(1, turns), beforeSeq, scope, mode }
  const [sessionRows = [], rows = []] = isSessionId(id)
    ? await engine.read([sessionById(id), turnsStatement(request)])
    : []
  const found = rows as unknown as readonly TurnsRow[]
  const messages = found.filter((row) => row.kind === 'message').toSorted((a, b) => a.seq - b.seq)
  const whole = found.find((row) => row.kind === 'window')
  const row = asSessionRow(sessionRows[0])
  const given = turnsOf(messages, mode)
  const nothing = { rows: [], summary: undefined, turns: [], dropped: 0, reachedStart: given.length === 0 }
  return toTurnWindow(
    id,
    row && sessionOf(row, onDamage),
    mode,
    turns < 1
      ? nothing
      : {
          rows: messages,
          summary: found.find((one) => one.kind === 'summary'),
          turns: given,
          dropped: whole?.dropped ?? 0,
          reachedStart: whole?.reached !== 0,
        },
  )
}

type TurnsMessage = Extract<TurnsRow, { kind: 'message' }>

/** The turns of rows in the order of seq. In text mode most of a turn is not there: the statement has looked at it. */
function turnsOf(rows: readonly TurnsMessage[], mode: 'text' | 'full'): WindowTurn[] {
  const starts = rows.flatMap((row, index) => (row.turnPart === turnParts.opener ? [index] : []))
  return starts.map((start, turn) => {
    const group = rows.slice(start, starts[turn + 1]) as readonly (TurnsMessage & TurnRow)[]
    const unanswered = mode === 'text' && group[0]?.unanswered === 1
    return { seq: group[0]?.seq ?? 0, interrupted: unanswered || isInterrupted(group) }
  })
}
