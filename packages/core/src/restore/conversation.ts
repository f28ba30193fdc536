// Restore: the context an agent gets back after a restart. It never throws unless asked to: an agent starts with what
// can be read and a reported reason.

import { z } from 'zod'
import { isStoreError, StoreError, withOperation } from '../errors.ts'
import { checkFor, checkReadId, checkStore, functionSchema, loggerSchema } from '../input/arguments.ts'
import type { Logger } from '../options.ts'
import type { DamagedRow, TurnWindow } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import type { Message, RestoredMessage } from '../types/message.ts'
import { type RestoreTarget, restoreFull, restoreFullBehind } from './full.ts'
import { type PolicyWindow, readWindow } from './read-window.ts'
import { type Locale, restoreText, toTextMessages } from './text.ts'
import { type CountTokens, messagesByTurn } from './tokens.ts'
import { mediaOf, transcribeRun } from './transcript.ts'

/**
 * How much comes back, and what when the store fails. `turns`, `agentMaxTurns` and `maxTokens` exclude each other.
 */
export interface RestorePolicy {
  /** "text" (default): user and assistant texts only; "full": tools and images too, repaired so that pairs are whole. */
  readonly mode?: 'text' | 'full'
  /** Exactly this many of the latest turns. */
  readonly turns?: number
  /**
   * The agent's own limit, of which the window is a part; see {@link restoreWindow}. Default 20, which gives 3 turns, or 4
   * of a scheduled session.
   */
  readonly agentMaxTurns?: number
  /** The latest turns that fit; the last one is given in any case, in full mode as its texts if it alone is too large. */
  readonly maxTokens?: number
  /** Counts a text's tokens; UTF-8 bytes by four unless given. */
  readonly countTokens?: CountTokens
  /** Only what was said before this message (excluded); everything unless given. */
  readonly beforeSeq?: number
  /** The model the messages go to: in full mode thinking is kept only where the same provider and model wrote it. */
  readonly provider?: string
  readonly model?: string
  /** Language of placeholders; "en" unless given. */
  readonly locale?: Locale
  /** "report" (default) answers what can be read, with `error`; "throw" throws. */
  readonly onError?: 'report' | 'throw'
  /** Told of failures that are only reported. */
  readonly logger?: Logger
}

export interface RestoreReport {
  /** Agent-visible rows before the first turn that were left out. */
  readonly dropped: number
  /** Blocks that were added, moved, renamed or left out so that calls and results pair; always 0 in text mode. */
  readonly repaired: number
  /** Turns given whose reply is missing or was cut off by a tool call. */
  readonly interrupted: number
  /** Whether the first turn given is the first of the context. */
  readonly reachedStart: boolean
  /** Rows that cannot be read. */
  readonly damaged: number
  /** What kept earlier turns out. */
  readonly truncatedBy?: 'turns' | 'tokens'
}

export interface RestoredConversation {
  /** False when there is no such session; that is no error. */
  readonly found: boolean
  /** Begins with user and alternates. */
  readonly messages: readonly RestoredMessage[]
  /** How many turns were given. */
  readonly turns: number
  readonly report: RestoreReport
  /** Why something is missing: the store failed, or rows are damaged. */
  readonly error?: StoreError
}

/** How many windows a policy names. */
function windowsOf({
  turns,
  agentMaxTurns,
  maxTokens,
}: Pick<RestorePolicy, 'turns' | 'agentMaxTurns' | 'maxTokens'>) {
  return [turns, agentMaxTurns, maxTokens].filter((window) => window !== undefined).length
}

const policySchema = z
  .strictObject({
    mode: z.enum(['text', 'full']).optional(),
    turns: z.number().int().optional(),
    agentMaxTurns: z.number().int().min(1).optional(),
    maxTokens: z.number().min(1).optional(),
    beforeSeq: z.number().int().optional(),
    locale: z.enum(['en', 'zh']).optional(),
    countTokens: functionSchema.optional(),
    provider: z.string().optional(),
    model: z.string().optional(),
    onError: z.enum(['report', 'throw']).optional(),
    logger: loggerSchema.optional(),
  })
  .refine((policy) => windowsOf(policy) <= 1, { message: 'takes one of turns, agentMaxTurns and maxTokens' })

/**
 * A policy that is none is the caller's mistake, whatever `onError` says.
 *
 * @throws {StoreError} invalid
 */
export function checkPolicy(policy: RestorePolicy, operation: string, name = 'policy'): void {
  checkFor(operation, policySchema, policy, name)
}

/**
 * The latest turns of a session as an agent takes them. Writes nothing.
 *
 * @throws {StoreError} invalid a policy that is none, or an id that is no text; with `onError: "throw"` also what the
 *   store rejects with, and `corrupt` for damaged rows
 */
export async function restoreConversation(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  policy: RestorePolicy = {},
): Promise<RestoredConversation> {
  checkStore('restoreConversation', store, 'messages')
  checkPolicy(policy, 'restoreConversation')
  checkReadId('restoreConversation', sessionId)
  return restoreWithRun(store, sessionId, policy, [])
}

/**
 * What was said before, by the policy, and behind it a run that goes on, whole in either mode: its calls, results and
 * images. A run is given also where nothing else can be read.
 */
export async function restoreWithRun(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  policy: RestorePolicy,
  run: readonly Message[],
): Promise<RestoredConversation> {
  try {
    const restored = fromWindow(await readWindow(store, sessionId, policy), policy, run)
    if (restored.error) throwOrLog(restored.error, sessionId, policy)
    return restored
  } catch (cause) {
    const failure = isStoreError(cause) ? cause : new StoreError('unknown', String(cause), { cause })
    const error = withOperation(failure, 'restoreConversation')
    throwOrLog(error, sessionId, policy)
    const { messages } = restoreFull({ messages: startable(run, () => [], policy.locale) }, targetOf(policy))
    return { found: false, messages, turns: 0, report: emptyReport, error }
  }
}

const emptyReport: RestoreReport = { dropped: 0, repaired: 0, interrupted: 0, reachedStart: true, damaged: 0 }

function throwOrLog(error: StoreError, sessionId: string, { onError, logger }: RestorePolicy): void {
  if (onError === 'throw') throw error
  try {
    logger?.warn({ sessionId, code: error.code, operation: error.operation }, 'restore is not complete')
  } catch {
    // A logger that fails must not undo what it only tells of.
  }
}

function fromWindow(
  { window, truncatedBy, tooLarge }: PolicyWindow,
  policy: RestorePolicy,
  run: readonly Message[],
): RestoredConversation {
  const { messages, repaired } = restoreMessages(window, policy, tooLarge === true, run)
  const damaged = window.damaged ?? []
  const error = damageOf(damaged)
  return {
    found: window.session !== undefined,
    messages,
    turns: window.turns.length,
    report: {
      dropped: window.dropped,
      repaired,
      interrupted: window.interrupted,
      reachedStart: window.reachedStart,
      damaged: damaged.length,
      ...(truncatedBy === undefined ? {} : { truncatedBy }),
    },
    ...(error ? { error } : {}),
  }
}

/** A turn that is too large in full is given as its texts. */
function restoreMessages(
  window: TurnWindow,
  policy: RestorePolicy,
  tooLarge: boolean,
  run: readonly Message[],
): { readonly messages: readonly RestoredMessage[]; readonly repaired: number } {
  const { mode, locale } = policy
  const target = targetOf(policy)
  if (mode === 'full' && !tooLarge) {
    const shown = startable(run, () => restoreFull(window, target).messages, locale)
    return restoreFull({ ...window, messages: [...window.messages, ...shown] }, target)
  }
  const texts = mode === 'full' ? textsOf(window, locale) : restoreText(window, locale)
  return run.length === 0
    ? { messages: texts, repaired: 0 }
    : restoreFullBehind(texts, { messages: startable(run, () => texts, locale) }, target)
}

/** A run whose question is gone, with all that stood for it, is told in words: nothing can begin with an answer. */
function startable(
  run: readonly Message[],
  before: () => readonly RestoredMessage[],
  locale: Locale | undefined,
): readonly Message[] {
  const [first] = run
  if (first === undefined || isQuestion(first) || before().length > 0) return run
  const content = [{ type: 'text' as const, text: transcribeRun(run, locale) }, ...mediaOf(run)]
  return [{ ...first, role: 'user', content, metadata: {} }]
}

function isQuestion({ role, content }: Message): boolean {
  return role === 'user' && content.some((block) => block.type !== 'tool_result')
}

function textsOf(window: TurnWindow, locale: Locale | undefined): readonly RestoredMessage[] {
  const { head, turns } = messagesByTurn(window)
  return restoreText({ ...window, messages: [head, ...turns].flatMap(toTextMessages) }, locale)
}

function targetOf({ provider, model }: RestorePolicy): RestoreTarget {
  return { ...(provider ? { provider } : {}), ...(model ? { model } : {}) }
}

function damageOf(damaged: readonly DamagedRow[]): StoreError | undefined {
  const [first] = damaged
  if (first === undefined) return undefined
  const rows = damaged.length === 1 ? '1 damaged row' : `${damaged.length} damaged rows, the first`
  return new StoreError('corrupt', `${rows} at seq ${first.seq}: ${first.reason}`, {
    operation: 'restoreConversation',
  })
}
