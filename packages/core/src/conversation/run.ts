// The turn that is under way. What is handed over is also held in memory, as it was given: in the middle of a run a
// provider wants the calls, results and thinking of this turn whole, whatever the policy makes of earlier ones.

import type { AppendReceipt } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import type { RestorePolicy } from '../restore/conversation.ts'
import { isVisible } from '../restore/full.ts'
import type { ContentBlock } from '../types/content.ts'
import type { Message } from '../types/message.ts'
import type { Session } from '../types/session.ts'
import { asStored } from './persist.ts'

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

/** What of a run stands behind the restored messages. */
export function shownOf({ messages, cover }: Run, { mode }: RestorePolicy): readonly Message[] {
  if (cover === undefined) return messages
  const rest = messages.slice(cover.count)
  if (cover.media.length === 0 || mode === 'full') return rest
  return [asStored({ role: 'user', content: cover.media }), ...rest]
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
  // Without what it answers, or a summary of that, a turn cannot be given.
  const begins = opener === undefined ? summary !== undefined : rows[0]?.seq === opener
  return {
    session,
    run: begins && rows.length > 0 ? { fromSeq, messages: rows, ids: rows.map(({ id }) => id) } : undefined,
  }
}

/** Whether somebody still has to answer: it does not end with what the assistant said. */
export function isOpen({ messages }: Run): boolean {
  const last = messages.at(-1)
  return last?.role !== 'assistant' || last.content.some((block) => block.type === 'tool_use')
}
