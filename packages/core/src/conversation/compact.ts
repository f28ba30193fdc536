// Compaction by a host's model: a summary stands for the older turns in the agent's context. People see everything
// where it happened; nothing is rewritten.

import { z } from 'zod'
import { isStoreError, StoreError } from '../errors.ts'
import { checkFor, checkReadId, checkStore, functionSchema, loggerSchema } from '../input/arguments.ts'
import type { Logger } from '../options.ts'
import type { AppendReceipt, DamagedRow, TurnWindow } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import { isVisible, restoreFull } from '../restore/full.ts'
import { type Locale, restoreText } from '../restore/text.ts'
import { isBlank } from '../turns/parts.ts'
import type { RestoredMessage } from '../types/message.ts'
import type { Session } from '../types/session.ts'

/** Makes a summary of messages; the first may be an earlier summary. */
export type Summarize = (messages: readonly RestoredMessage[]) => Promise<string>

export interface CompactOptions {
  readonly summarize: Summarize
  /** How many of the latest turns stay as they are; 1 unless given. */
  readonly keepTurns?: number
  /** What the summary is made of: texts (default), or everything. */
  readonly mode?: 'text' | 'full'
  /** Only what was said before this message; everything unless given. */
  readonly beforeSeq?: number
  readonly locale?: Locale
  /** Told of damaged rows that a summary stands for, though nobody could read them. */
  readonly logger?: Logger
}

export interface CompactReceipt extends AppendReceipt {
  /** Rows that the summary stands for, though nobody could read them; they stay where they are. */
  readonly damaged?: readonly DamagedRow[]
}

const optionsSchema = z.strictObject({
  summarize: functionSchema,
  keepTurns: z.number().int().min(0).optional(),
  mode: z.enum(['text', 'full']).optional(),
  beforeSeq: z.number().int().optional(),
  locale: z.enum(['en', 'zh']).optional(),
  logger: loggerSchema.optional(),
})

const operation = 'compactConversation'

/**
 * Summarizes everything before the latest `keepTurns` turns, cut at the beginning of a turn. Answers `undefined` when
 * there is nothing before them but a summary. What is appended while the summary is made stays as it is.
 *
 * @throws {StoreError} not-found; invalid `summarize` answers no text or a blank one; conflict (retryable) what was
 *   summarized was changed or deleted meanwhile, and nothing is stored; what `summarize` throws comes out as it is
 */
export async function compactConversation(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  options: CompactOptions,
): Promise<CompactReceipt | undefined> {
  checkStore(operation, store, 'messages')
  checkFor(operation, optionsSchema, options, 'options')
  checkReadId(operation, sessionId)
  const { summarize, mode = 'text', locale, logger } = options
  const cut = await cutOf(store, sessionId, options)
  const source = await readSource(store, sessionId, mode, cut)
  // A summary alone would only be summarized again.
  if (source === undefined || !source.messages.some(isVisible)) return undefined
  const messages = mode === 'text' ? restoreText(source, locale) : restoreFull(source).messages
  if (messages.length === 0) return undefined
  const summary: unknown = await summarize(messages)
  if (typeof summary !== 'string' || isBlank(summary)) {
    const what = typeof summary === 'string' ? 'an empty summary' : `${typeof summary}, which is no text`
    throw new StoreError('invalid', `options.summarize answered ${what}`, { operation })
  }
  const receipt = await storeSummary(store, sessionId, { source, mode, cut, summary: summary.trim() })
  const { damaged = [] } = source
  if (damaged.length === 0) return receipt
  warn(logger, { sessionId, operation, code: 'corrupt', rows: damaged.length })
  return { ...receipt, damaged }
}

/** Where what stays begins; undefined where that is the beginning. */
async function cutOf(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  { keepTurns = 1, beforeSeq }: CompactOptions,
): Promise<number> {
  const { session, turns } = await store.messages.recentTurns(sessionId, {
    turns: Math.max(1, keepTurns),
    mode: 'text',
    ...(beforeSeq === undefined ? {} : { beforeSeq }),
  })
  if (session === undefined || session.deletedAt !== undefined)
    throw new StoreError('not-found', `there is no session "${sessionId}"`, { operation })
  const end = Math.min(beforeSeq ?? session.nextSeq, session.nextSeq)
  return keepTurns === 0 ? end : (turns[0]?.seq ?? 0)
}

type Source = TurnWindow & { readonly session: Session }

/** What a summary is made of; `undefined` where the context begins behind it. */
async function readSource(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  mode: 'text' | 'full',
  cut: number,
): Promise<Source | undefined> {
  const turns = Number.MAX_SAFE_INTEGER
  const window = await store.messages.recentTurns(sessionId, { turns, mode, beforeSeq: cut })
  const { session } = window
  return session === undefined || cut <= session.context.startSeq ? undefined : { ...window, session }
}

interface Summarized {
  readonly source: Source
  readonly mode: 'text' | 'full'
  readonly cut: number
  readonly summary: string
}

/** Stores the summary on condition that the session is as it was when its source was seen last. */
async function storeSummary(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  { source, mode, cut, summary }: Summarized,
): Promise<AppendReceipt> {
  let expectedVersion = source.session.version
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.messages.compact(sessionId, {
        throughSeq: cut - 1,
        summary: { role: 'user', content: summary },
        expectedVersion,
      })
    } catch (error) {
      if (!isStoreError(error) || error.code !== 'conflict') throw error
      const now = attempt < maximumTries ? await readSource(store, sessionId, mode, cut) : undefined
      if (now === undefined || factsOf(now) !== factsOf(source)) {
        const message = `what was summarized of session "${sessionId}" was changed meanwhile`
        throw new StoreError('conflict', message, { operation, retryable: true, cause: error })
      }
      expectedVersion = now.session.version
    }
  }
}

/** A host may append step by step while the summary is stored. */
const maximumTries = 100

/** What must not change while a summary is made. */
function factsOf({ session, messages, summary, turns, damaged }: Source): string {
  return JSON.stringify([session.context, messages, summary, turns, damaged])
}

/** A logger that fails must not undo what it only tells of. */
function warn(logger: Logger | undefined, fields: object): void {
  try {
    logger?.warn(fields, 'a summary stands for damaged rows')
  } catch {}
}
