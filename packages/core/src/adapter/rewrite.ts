// What a replacement and a compaction do, decided without a database.

import { StoreError } from '../errors.ts'
import { prepareMessage } from '../input/messages.ts'
import type { PreparedCompact, PreparedRewrite } from '../input/rewrite.ts'
import { type AppendPlan, type AppendState, isRemembered, type NewMessageRow, planAppend } from './append.ts'
import { planCompaction, type SessionContext, type SummaryFacts } from './context.ts'

/** What a store reads before it rewrites: that of an append, and the context. */
export interface RewriteState extends Omit<AppendState, 'session'> {
  readonly session: (NonNullable<AppendState['session']> & { readonly context: SessionContext }) | undefined
}

export interface RewriteRequest extends Pick<PreparedRewrite, 'messages' | 'expectedVersion' | 'digest'> {
  readonly sessionId: string
  readonly now: number
  readonly newId: (now: number) => string
}

/** What to write and to answer. */
export interface RewritePlan extends Pick<AppendPlan, 'receipt' | 'remember'> {
  /** Absent when an operation is only repeated. */
  readonly write?: {
    readonly rows: readonly NewMessageRow[]
    readonly version: number
    readonly nextSeq: number
    readonly lastActiveAt: number
    /** Absent: the preview stays. */
    readonly preview: string | undefined
    readonly context: SessionContext
  }
}

/**
 * Decides a replacement: all rows go, these come, the context begins with them.
 *
 * @throws {StoreError} not-found conflict
 */
export function planReplace(state: RewriteState, request: RewriteRequest): RewritePlan {
  const plan = planAppend({ ...state, stored: [] }, { ...request, createSession: undefined })
  const { session } = state
  if (session === undefined || isRepeat(state, request)) return plan as RewritePlan
  const version = session.version + 1
  const write = plan.write ?? { rows: [], nextSeq: session.nextSeq, lastActiveAt: session.lastActiveAt }
  return {
    receipt: plan.write === undefined ? { version, messages: [] } : plan.receipt,
    remember: request.digest !== undefined,
    write: {
      rows: write.rows,
      version,
      nextSeq: write.nextSeq,
      lastActiveAt: write.lastActiveAt,
      preview: plan.write?.preview ?? '',
      context: { startSeq: session.nextSeq },
    },
  }
}

/**
 * Decides a compaction: a summary is appended and stands for everything through `throughSeq`.
 *
 * @param current the summary it builds on, where there is one
 * @throws {StoreError} not-found conflict invalid
 */
export function planCompact(
  state: RewriteState,
  request: RewriteRequest,
  { throughSeq, summary }: Pick<PreparedCompact, 'throughSeq' | 'summary'>,
  current: SummaryFacts | undefined,
  maxBytes: number,
): RewritePlan {
  const { session } = state
  if (isRepeat(state, request))
    return planAppend(state, { ...request, createSession: undefined }) as RewritePlan
  // Existence and version come before the bounds.
  planAppend(state, { ...request, messages: [], createSession: undefined })
  if (session === undefined) throw new Error('unreachable: planAppend refuses an unknown session')
  const compaction = planCompaction(session, current, throughSeq)
  const prepared = prepareMessage(summary, maxBytes, 'options.summary', compaction.summary)
  const plan = planAppend(state, { ...request, messages: [prepared], createSession: undefined })
  // An imported summary that is not current may be this very one: it stands elsewhere and is not made again.
  if (plan.write === undefined) {
    throw new StoreError('conflict', `session "${request.sessionId}" has a message of id "${prepared.id}"`)
  }
  return { ...plan, write: { ...plan.write, context: compaction.context } }
}

function isRepeat(state: RewriteState, { digest }: RewriteRequest): boolean {
  return isRemembered(state) && digest !== undefined
}
