// The turn that is under way. What is handed over is also held in memory, as it was given: in the middle of a run a
// provider wants the calls, results and thinking of this turn whole, whatever the policy makes of earlier ones.

import type { AppendReceipt } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import type { RestorePolicy } from '../restore/conversation.ts'
import { isVisible } from '../restore/full.ts'
import type { Locale } from '../restore/text.ts'
import { mediaOf, transcribeRun } from '../restore/transcript.ts'
import type { ContentBlock, ToolUseBlock } from '../types/content.ts'
import type { Message } from '../types/message.ts'
import type { Session } from '../types/session.ts'
import { asStored } from './persist.ts'
import { isSent } from './sent.ts'

export interface Run {
  /** Where it begins: what is before is given by the policy. */
  readonly fromSeq: number
  /** All of it, oldest first. */
  readonly messages: readonly Message[]
  /** The ids of what of it is stored. */
  readonly ids: readonly string[]
  /** What of it a summary stands for, since a repair. */
  readonly cover?: Cover | undefined
}

export interface Cover {
  /** So many of the first messages. */
  readonly count: number
  /** What of them is no text, and in the summary too: text mode reads none of that. */
  readonly media: readonly ContentBlock[]
}

/** What of a run no summary stands for. */
export function uncovered({ messages, cover }: Run): readonly Message[] {
  return cover === undefined ? messages : messages.slice(cover.count)
}

/** What of a run stands behind the restored messages. */
export function shownOf(run: Run, { mode, locale }: RestorePolicy): readonly Message[] {
  const { cover } = run
  const rest = toldRest(run, locale)
  if (cover === undefined || cover.media.length === 0 || mode === 'full') return rest
  return [asStored({ role: 'user', content: cover.media }), ...rest]
}

/** What no summary stands for; a result whose call one tells of is told in words: behind it, it would answer nothing. */
export function toldRest(run: Run, locale: Locale | undefined): readonly Message[] {
  const rest = uncovered(run)
  const calls = callsOf(run.messages.slice(0, run.cover?.count ?? 0))
  if (calls.length === 0) return rest
  const own = new Set<string>()
  const told = (block: ContentBlock): readonly ContentBlock[] => {
    const call = block.type === 'tool_result' && !own.has(block.tool_use_id) ? block.tool_use_id : undefined
    const asked = call === undefined ? undefined : calls.findLast(({ id }) => id === call)
    if (asked === undefined) return [block]
    const answer = asStored({ role: 'user', content: [block] })
    const text = transcribeRun([asStored({ role: 'assistant', content: [asked] }), answer], locale)
    return [{ type: 'text', text }, ...mediaOf([answer])]
  }
  return rest.map((message) => {
    for (const { id } of callsOf([message])) own.add(id)
    return { ...message, content: message.content.flatMap(told) }
  })
}

function callsOf(messages: readonly Message[]): readonly ToolUseBlock[] {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => content.filter((block): block is ToolUseBlock => block.type === 'tool_use'))
}

/** The run with what was handed over since. What of it was not stored stands where the last stored message does. */
export function extend(run: Run, messages: readonly Message[], receipt: AppendReceipt | undefined): Run {
  const stored = receipt?.messages ?? []
  const last = receipt?.lastSeq ?? run.messages.at(-1)?.seq ?? run.fromSeq
  const isWhole = stored.length === messages.length
  const placed = messages.map((message, index) => ({
    ...message,
    seq: (isWhole ? stored[index]?.seq : undefined) ?? last,
  }))
  return {
    ...run,
    messages: [...run.messages, ...placed],
    ids: [...run.ids, ...stored.map(({ id }) => id)],
  }
}

/** The last turn of a session's context as it is stored, and the session. */
export async function lastTurn(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
): Promise<{ readonly session: Session | undefined; readonly run: Run | undefined }> {
  const { messages, turns, session, summary } = await store.messages.recentTurns(sessionId, {
    turns: 1,
    mode: 'full',
  })
  const opener = turns[0]?.seq
  // Behind a summary there may be the rest of its own turn.
  const fromSeq = opener ?? session?.context.startSeq ?? 1
  const rows = messages.filter((message) => message.seq >= fromSeq && isVisible(message))
  if (opener === undefined && summary !== undefined && session !== undefined) {
    const covered = await coveredTurn(store, session, summary)
    if (covered !== undefined) return { session, run: covered }
  }
  // Without what it answers, or a summary of that, a turn cannot be given.
  const begins = opener === undefined ? summary !== undefined : rows[0]?.seq === opener
  return { session, run: begins && rows.length > 0 ? runOf(fromSeq, rows) : undefined }
}

/** The turn of which a summary stands for the beginning. */
async function coveredTurn(
  store: Pick<SessionStore, 'messages'>,
  { id, context: { startSeq } }: Session,
  summary: Message,
): Promise<Run | undefined> {
  const { messages, turns } = await store.messages.recentTurns(id, { turns: 1, mode: 'full', scope: 'all' })
  const opener = turns[0]?.seq ?? 0
  // What was said before a reset is nothing that the summary tells of.
  if (opener < (summary.metadata.summary?.fromSeq ?? startSeq) || opener >= startSeq) return undefined
  const rows = messages.filter((message) => message.seq >= opener && isVisible(message))
  if (rows[0]?.seq !== opener) return undefined
  const count = rows.filter(({ seq }) => seq < startSeq).length
  return { ...runOf(opener, rows), cover: { count, media: mediaOf([summary]) } }
}

function runOf(fromSeq: number, messages: readonly Message[]): Run {
  return { fromSeq, messages, ids: messages.map(({ id }) => id) }
}

/** Whether somebody still has to answer: what is sent of it does not end with what the assistant said. */
export function isOpen({ messages }: Run): boolean {
  const last = messages.findLast((message) => isVisible(message) && message.content.some(isSent))
  return last?.role !== 'assistant' || last.content.some((block) => block.type === 'tool_use')
}
