// Compaction by a host's model: a summary stands for the older turns in the agent's context. People see everything
// where it happened; nothing is rewritten.

import { z } from 'zod'
import { StoreError } from '../errors.ts'
import { check } from '../input/check.ts'
import type { AppendReceipt } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import { restoreFull } from '../restore/full.ts'
import { type Locale, restoreText } from '../restore/text.ts'
import type { RestoredMessage } from '../types/message.ts'

/** Makes a summary of messages; the first may be an earlier summary. */
export type Summarize = (messages: readonly RestoredMessage[]) => Promise<string>

export interface CompactOptions {
  readonly summarize: Summarize
  /** How many of the latest turns stay as they are; 1 unless given. */
  readonly keepTurns?: number
  /** What the summary is made of: texts (default), or everything. */
  readonly mode?: 'text' | 'full'
  readonly locale?: Locale
}

const optionsSchema = z.looseObject({
  summarize: z.custom<Summarize>((value) => typeof value === 'function', { message: 'must be a function' }),
  keepTurns: z.number().int().min(0).optional(),
  mode: z.enum(['text', 'full']).optional(),
  locale: z.enum(['en', 'zh']).optional(),
})

/**
 * Summarizes everything before the latest `keepTurns` turns, cut at the beginning of a turn. Answers `undefined` when
 * there is nothing before them. What is appended while the summary is made stays as it is.
 *
 * @throws {StoreError} not-found; invalid an empty summary; what `summarize` throws comes out as it is
 */
export async function compactConversation(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  options: CompactOptions,
): Promise<AppendReceipt | undefined> {
  check(optionsSchema, options, 'options')
  const { summarize, keepTurns = 1, mode = 'text', locale } = options
  const operation = 'compactConversation'
  const latest = await store.messages.recentTurns(sessionId, { turns: Math.max(1, keepTurns), mode: 'text' })
  const { session } = latest
  if (session === undefined)
    throw new StoreError('not-found', `there is no session "${sessionId}"`, { operation })
  const cut = keepTurns === 0 ? session.nextSeq : latest.turns[0]?.seq
  if (cut === undefined || cut <= session.context.startSeq) return undefined
  const older = await store.messages.recentTurns(sessionId, {
    turns: Number.MAX_SAFE_INTEGER,
    mode,
    beforeSeq: cut,
  })
  const messages = mode === 'text' ? restoreText(older, locale) : restoreFull(older).messages
  if (messages.length === 0) return undefined
  const summary = (await summarize(messages)).trim()
  if (summary === '') throw new StoreError('invalid', 'summarize answered an empty summary', { operation })
  return store.messages.compact(sessionId, {
    throughSeq: cut - 1,
    summary: { role: 'user', content: summary },
  })
}
