// What to do when a provider refuses a conversation. No default deletes anything, and an error that says nothing about
// the conversation does nothing: CowAgent lost users' histories to unrelated 400s (its commit c783b008).

import { z } from 'zod'
import { compactConversation, type Summarize } from '../conversation/compact.ts'
import type { Cover, Run } from '../conversation/run.ts'
import { isStoreError, StoreError, type StoreErrorCode } from '../errors.ts'
import { checkFor, checkReadId, checkStore, functionSchema, loggerSchema } from '../input/arguments.ts'
import type { Logger } from '../options.ts'
import type { SessionStore } from '../port/store.ts'
import { checkPolicy, type RestorePolicy } from '../restore/conversation.ts'
import type { Session } from '../types/session.ts'
import { classifyProviderError, type ProviderErrorKind } from './classify.ts'
import { narrowed } from './narrow.ts'
import { repair } from './repair.ts'
import { reset } from './reset.ts'

/**
 * compact: a summary stands for the older turns (needs `summarize`). narrow: nothing is stored, the answer's policy gives
 * at most half of what the refused one gave. repair: the transcript of the window's texts stands for all of it, so that
 * no pairs are left to break. reset-context: nothing is deleted, restore starts after what is there, or, where a turn is
 * under way, with that turn, behind a note that earlier messages were left out. clear: the messages are deleted, as
 * CowAgent did at first.
 */
export type RecoveryStrategy = 'compact' | 'narrow' | 'repair' | 'reset-context' | 'clear'

export interface RecoverOptions {
  /** The one strategy to take; by the error's kind unless given. */
  readonly strategy?: RecoveryStrategy
  readonly summarize?: Summarize
  /**
   * The policy the refused messages were restored with; its `beforeSeq` is where what it was not asked of begins: a
   * question that is stored already, which stays in the context.
   */
  readonly restore?: RestorePolicy
  readonly logger?: Logger
}

export interface Recovery {
  readonly kind: ProviderErrorKind
  /** The strategy that was taken; "none" also where the session is gone or in the trash. */
  readonly done: RecoveryStrategy | 'none'
  /** The policy to restore with now; absent where nothing was done. */
  readonly restore?: RestorePolicy
}

const defaults: Readonly<Record<ProviderErrorKind, readonly RecoveryStrategy[]>> = {
  'context-overflow': ['compact', 'narrow', 'reset-context'],
  'invalid-messages': ['repair', 'reset-context'],
  other: [],
}

const optionsSchema = z.strictObject({
  strategy: z.enum(['compact', 'narrow', 'repair', 'reset-context', 'clear']).optional(),
  summarize: functionSchema.optional(),
  logger: loggerSchema.optional(),
  // Looked into as a policy.
  restore: z.unknown().optional(),
})

/** @throws {StoreError} invalid */
export function checkRecovery(operation: string, options: RecoverOptions): void {
  checkFor(operation, optionsSchema, options, 'options')
  if (options.restore !== undefined) checkPolicy(options.restore, operation, 'options.restore')
}

const operation = 'recoverConversation'

/**
 * Makes a conversation acceptable again after a provider refused it. Overflow: compact, else narrow, else reset-context;
 * invalid messages: repair, then reset-context; anything else: nothing, whatever the strategy. A step that would change
 * nothing is passed over.
 *
 * @throws {StoreError} invalid; of a strategy that was asked for: unsupported it cannot be taken (compact without
 *   `summarize`) or would change nothing, not-found the session is gone or in the trash
 */
export async function recoverConversation(
  store: Pick<SessionStore, 'messages' | 'sessions'>,
  sessionId: string,
  error: unknown,
  options: RecoverOptions = {},
): Promise<Recovery> {
  checkStore(operation, store, 'messages', 'sessions')
  checkRecovery(operation, options)
  checkReadId(operation, sessionId)
  return (await recoverRun(store, sessionId, error, options, undefined)).recovery
}

/** As {@link recoverConversation}, with the turn that is under way; and what of it a summary stands for then. */
export async function recoverRun(
  store: Pick<SessionStore, 'messages' | 'sessions'>,
  sessionId: string,
  error: unknown,
  options: RecoverOptions,
  run: Run | undefined,
): Promise<{ readonly recovery: Recovery; readonly cover?: Cover | undefined }> {
  const kind = classifyProviderError(error)
  const { strategy, logger } = options
  if (kind === 'other') return { recovery: { kind, done: 'none' } }
  const session = await store.sessions.get(sessionId)
  if (session === undefined || session.deletedAt !== undefined) {
    if (strategy === undefined) return { recovery: { kind, done: 'none' } }
    const where = session === undefined ? 'there is no' : 'in the trash is'
    throw new StoreError('not-found', `${where} session "${sessionId}"`, { operation })
  }
  // What is mended is the whole conversation, not what was said before some message of it.
  const { beforeSeq, ...restore } = options.restore ?? {}
  const refused = { ...restore, beforeSeq: run?.fromSeq ?? beforeSeq }
  for (const candidate of strategy === undefined ? defaults[kind] : [strategy]) {
    try {
      const step = await strategies[candidate]({ store, session, error, options, restore, refused, run })
      if (step === undefined) continue
      return { recovery: { kind, done: candidate, restore: step.restore ?? restore }, cover: step.cover }
    } catch (cause) {
      // A store that fails is no reason to try something stronger on it.
      if (strategy !== undefined || isStoreFailure(cause)) throw cause
      warn(logger, { sessionId, strategy: candidate, reason: String(cause) })
    }
  }
  if (strategy === undefined) return { recovery: { kind, done: 'none' } }
  throw new StoreError('unsupported', `"${strategy}" has nothing to do in session "${sessionId}"`, {
    operation,
  })
}

const failures: readonly StoreErrorCode[] = ['busy', 'unavailable', 'closed', 'corrupt', 'unknown']

function isStoreFailure(cause: unknown): boolean {
  return isStoreError(cause) && failures.includes(cause.code)
}

/** A logger that fails must not undo what it only tells of. */
function warn(logger: Logger | undefined, fields: object): void {
  try {
    logger?.warn(fields, 'a recovery failed, the next is tried')
  } catch {}
}

interface Refused {
  readonly store: Pick<SessionStore, 'messages' | 'sessions'>
  readonly session: Session
  readonly error: unknown
  readonly options: RecoverOptions
  /** The policy, for all of the conversation. */
  readonly restore: RestorePolicy
  /** The policy, for what it was asked of. */
  readonly refused: RestorePolicy & { readonly beforeSeq: number | undefined }
  readonly run: Run | undefined
}

interface Step {
  /** The policy to restore with now, where it is another. */
  readonly restore?: RestorePolicy
  readonly cover?: Cover | undefined
}

/** Answers `undefined` where it cannot help. */
type Strategy = (refused: Refused) => Promise<Step | undefined>

const strategies: Readonly<Record<RecoveryStrategy, Strategy>> = {
  async compact({ store, session, options: { summarize, logger }, restore: { locale }, run }) {
    if (summarize === undefined) return undefined
    const receipt = await compactConversation(store, session.id, {
      summarize,
      ...(locale ? { locale } : {}),
      ...(logger ? { logger } : {}),
      ...(run ? { beforeSeq: run.fromSeq, keepTurns: 0 } : {}),
    })
    return receipt && { cover: run?.cover }
  },
  async narrow({ store, session, refused, run }) {
    const restore = await narrowed(store, session.id, refused)
    return restore && { restore, cover: run?.cover }
  },
  repair: ({ store, session, error, restore, run }) => repair(store, session.id, { error, restore, run }),
  'reset-context': ({ store, session, options: { strategy }, refused, run }) =>
    reset(store, session, { refused, run, isWanted: strategy !== undefined }),
  async clear({ store, session }) {
    await store.messages.clear(session.id)
    return {}
  },
}
