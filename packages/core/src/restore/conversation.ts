// Restore: the context an agent gets back after a restart. It never throws unless asked to: an agent starts with what
// can be read and a reported reason.

import { z } from 'zod'
import { isStoreError, StoreError, withOperation } from '../errors.ts'
import { check } from '../input/check.ts'
import type { Logger } from '../options.ts'
import type { TurnWindow } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import type { RestoredMessage } from '../types/message.ts'
import { type Locale, restoreText } from './text.ts'
import { defaultAgentMaxTurns, isScheduled, restoreWindow } from './window.ts'

/** How much comes back, and what when the store fails. `turns` and `agentMaxTurns` exclude each other. */
export interface RestorePolicy {
  /** "text" (default): user and assistant texts only. */
  readonly mode?: 'text'
  /** Exactly this many of the latest turns. */
  readonly turns?: number
  /** The agent's own limit, of which the window is a part; see {@link restoreWindow}. Default 20. */
  readonly agentMaxTurns?: number
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
  /** Tool pairs that were mended; always 0 in text mode. */
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

const policySchema = z
  .looseObject({
    mode: z.enum(['text']).optional(),
    turns: z.number().int().optional(),
    agentMaxTurns: z.number().int().min(1).optional(),
    locale: z.enum(['en', 'zh']).optional(),
    onError: z.enum(['report', 'throw']).optional(),
  })
  .refine((policy) => policy.turns === undefined || policy.agentMaxTurns === undefined, {
    message: 'takes turns or agentMaxTurns, not both',
  })

/**
 * The latest turns of a session as an agent takes them. Writes nothing.
 *
 * @throws {StoreError} invalid a policy that is none; with `onError: "throw"` also what the store rejects with, and
 *   `corrupt` for damaged rows
 */
export async function restoreConversation(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  policy: RestorePolicy = {},
): Promise<RestoredConversation> {
  check(policySchema, policy, 'policy')
  try {
    const window = await readWindow(store, sessionId, policy)
    const restored = fromWindow(window, policy)
    if (restored.error) throwOrLog(restored.error, sessionId, policy)
    return restored
  } catch (cause) {
    const failure = isStoreError(cause) ? cause : new StoreError('unknown', String(cause), { cause })
    const error = withOperation(failure, 'restoreConversation')
    throwOrLog(error, sessionId, policy)
    return { found: false, messages: [], turns: 0, report: emptyReport, error }
  }
}

const emptyReport: RestoreReport = { dropped: 0, repaired: 0, interrupted: 0, reachedStart: true, damaged: 0 }

function throwOrLog(error: StoreError, sessionId: string, { onError, logger }: RestorePolicy): void {
  if (onError === 'throw') throw error
  logger?.warn({ sessionId, code: error.code, operation: error.operation }, 'restore is not complete')
}

/** One read: what a session's type makes of the window is only known with it, so the larger one is asked for and cut. */
async function readWindow(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  { turns, agentMaxTurns = defaultAgentMaxTurns }: RestorePolicy,
): Promise<TurnWindow> {
  if (turns !== undefined) return store.messages.recentTurns(sessionId, { turns, mode: 'text' })
  const asScheduled = restoreWindow(agentMaxTurns, { id: sessionId, type: 'scheduled' })
  const byId = restoreWindow(agentMaxTurns, { id: sessionId })
  const window = await store.messages.recentTurns(sessionId, {
    turns: Math.max(byId, asScheduled),
    mode: 'text',
  })
  const wanted = window.session && isScheduled(window.session) ? asScheduled : byId
  return latestTurns(window, wanted)
}

/** The window cut to its latest `turns` turns. */
function latestTurns(window: TurnWindow, turns: number): TurnWindow {
  if (window.turns.length <= turns) return window
  const kept = window.turns.slice(-turns)
  const firstSeq = kept[0]?.seq ?? 0
  const summarySeq = window.session?.context.summarySeq
  return {
    ...window,
    damaged: (window.damaged ?? []).filter(({ seq }) => seq >= firstSeq || seq === summarySeq),
    messages: window.messages.filter((message) => message.seq >= firstSeq),
    turns: kept,
    interrupted: kept.filter((turn) => turn.interrupted).length,
    dropped: 0,
    reachedStart: false,
  }
}

function fromWindow(window: TurnWindow, { locale }: RestorePolicy): RestoredConversation {
  const damaged = window.damaged ?? []
  const first = damaged[0]
  return {
    found: window.session !== undefined,
    messages: restoreText(window, locale),
    turns: window.turns.length,
    report: {
      dropped: window.dropped,
      repaired: 0,
      interrupted: window.interrupted,
      reachedStart: window.reachedStart,
      damaged: damaged.length,
      ...(window.reachedStart ? {} : { truncatedBy: 'turns' as const }),
    },
    ...(first
      ? {
          error: new StoreError(
            'corrupt',
            `${damaged.length} damaged rows, the first at seq ${first.seq}: ${first.reason}`,
            {
              operation: 'restoreConversation',
            },
          ),
        }
      : {}),
  }
}
