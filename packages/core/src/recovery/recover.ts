// What to do when a provider refuses a conversation. No default deletes anything, and an error that says nothing about
// the conversation does nothing: CowAgent lost users' histories to unrelated 400s (its commit c783b008).

import { z } from 'zod'
import { compactConversation, type Summarize } from '../conversation/compact.ts'
import { isStoreError, StoreError, type StoreErrorCode } from '../errors.ts'
import { check } from '../input/check.ts'
import type { Logger } from '../options.ts'
import type { SessionStore } from '../port/store.ts'
import { type RestorePolicy, restoreConversation } from '../restore/conversation.ts'
import { defaultAgentMaxTurns, restoreWindow } from '../restore/window.ts'
import type { RestoredMessage } from '../types/message.ts'
import { classifyProviderError, type ProviderErrorKind } from './classify.ts'

/**
 * compact: a summary stands for the older turns (needs `summarize`). narrow: nothing is stored, the answer's policy has
 * half the turns. repair: the transcript of the window's texts stands for all of it, so that no pairs are left to break.
 * reset-context: restore starts after what is there. clear: the messages are deleted, as CowAgent did at first.
 */
export type RecoveryStrategy = 'compact' | 'narrow' | 'repair' | 'reset-context' | 'clear'

export interface RecoverOptions {
  /** The one strategy to take; by the error's kind unless given. */
  readonly strategy?: RecoveryStrategy
  readonly summarize?: Summarize
  /** The policy the refused messages were restored with. */
  readonly restore?: RestorePolicy
  readonly logger?: Logger
}

export interface Recovery {
  readonly kind: ProviderErrorKind
  /** The strategy that was taken. */
  readonly done: RecoveryStrategy | 'none'
  /** The policy to restore with now; absent where nothing was done. */
  readonly restore?: RestorePolicy
}

const defaults: Readonly<Record<ProviderErrorKind, readonly RecoveryStrategy[]>> = {
  'context-overflow': ['compact', 'narrow', 'reset-context'],
  'invalid-messages': ['repair', 'reset-context'],
  other: [],
}

const optionsSchema = z.looseObject({
  strategy: z.enum(['compact', 'narrow', 'repair', 'reset-context', 'clear']).optional(),
  summarize: z.custom((value) => value === undefined || typeof value === 'function').optional(),
  restore: z.looseObject({}).optional(),
})

/**
 * Makes a conversation acceptable again after a provider refused it. Overflow: compact, else narrow, else reset-context;
 * invalid messages: repair, then reset-context; anything else: nothing, whatever the strategy.
 *
 * @throws {StoreError} invalid; unsupported the given strategy cannot be taken (compact without `summarize`)
 */
export async function recoverConversation(
  store: Pick<SessionStore, 'messages' | 'sessions'>,
  sessionId: string,
  error: unknown,
  options: RecoverOptions = {},
): Promise<Recovery> {
  check(optionsSchema, options, 'options')
  const kind = classifyProviderError(error)
  const { strategy, logger } = options
  // What is mended is the whole conversation, not what was said before some message of it.
  const { beforeSeq: _, ...restore } = options.restore ?? {}
  if (kind === 'other') return { kind, done: 'none' }
  for (const candidate of strategy === undefined ? defaults[kind] : [strategy]) {
    try {
      const policy = await strategies[candidate](store, sessionId, { ...options, restore })
      if (policy !== undefined) return { kind, done: candidate, restore: policy }
    } catch (cause) {
      // A store that fails is no reason to try something stronger on it.
      if (strategy !== undefined || isStoreFailure(cause)) throw cause
      logger?.warn(
        { sessionId, strategy: candidate, reason: String(cause) },
        'a recovery failed, the next is tried',
      )
    }
  }
  if (strategy === undefined) return { kind, done: 'none' }
  throw new StoreError('unsupported', `"${strategy}" has nothing to do in session "${sessionId}"`, {
    operation: 'recoverConversation',
  })
}

const failures: readonly StoreErrorCode[] = ['busy', 'unavailable', 'closed', 'corrupt', 'unknown']

function isStoreFailure(cause: unknown): boolean {
  return isStoreError(cause) && failures.includes(cause.code)
}

/** Answers the policy to restore with, or `undefined` where it cannot help. */
type Strategy = (
  store: Pick<SessionStore, 'messages' | 'sessions'>,
  sessionId: string,
  options: RecoverOptions & { readonly restore: RestorePolicy },
) => Promise<RestorePolicy | undefined>

const strategies: Readonly<Record<RecoveryStrategy, Strategy>> = {
  async compact(store, sessionId, { summarize, restore }) {
    if (summarize === undefined) return undefined
    const { locale } = restore
    const receipt = await compactConversation(store, sessionId, { summarize, ...(locale ? { locale } : {}) })
    return receipt && restore
  },
  async narrow(store, sessionId, { restore }) {
    const { turns, agentMaxTurns, maxTokens, ...rest } = restore
    if (maxTokens !== undefined)
      return maxTokens < 2 ? undefined : { ...rest, maxTokens: Math.floor(maxTokens / 2) }
    const session = await store.sessions.get(sessionId)
    if (session === undefined) return undefined
    const window = turns ?? restoreWindow(agentMaxTurns ?? defaultAgentMaxTurns, session)
    // Half of what there is, where that is less than the window.
    const { turns: present } = await store.messages.recentTurns(sessionId, { turns: window, mode: 'text' })
    const half = Math.floor(Math.min(window, present.length) / 2)
    return half < 1 ? undefined : { ...rest, turns: half }
  },
  async repair(store, sessionId, { restore }) {
    const session = await store.sessions.get(sessionId)
    if (session === undefined || session.nextSeq - 1 < session.context.startSeq) return undefined
    // A summary alone has no pairs: it is not what was refused, or a repair did not help.
    const { summarySeq } = session.context
    if (summarySeq !== undefined && summarySeq === session.nextSeq - 1) return undefined
    const { provider: _, model: __, ...policy } = restore
    const { found, messages, error } = await restoreConversation(store, sessionId, {
      ...policy,
      mode: 'text',
      onError: 'report',
    })
    if (!found && error !== undefined) throw error
    const transcript = transcribe(messages, restore.locale)
    if (transcript === '') return undefined
    await store.messages.compact(sessionId, {
      throughSeq: session.nextSeq - 1,
      summary: { role: 'user', content: transcript },
    })
    return restore
  },
  async 'reset-context'(store, sessionId, { restore }) {
    await store.sessions.resetContext(sessionId)
    return restore
  },
  async clear(store, sessionId, { restore }) {
    await store.messages.clear(sessionId)
    return restore
  },
}

const labels = {
  en: { user: 'User', assistant: 'Assistant' },
  zh: { user: '用户', assistant: '助手' },
} as const

/** Texts with who said them, a blank line between. */
function transcribe(messages: readonly RestoredMessage[], locale: RestorePolicy['locale'] = 'en'): string {
  return messages
    .map(
      ({ role, content }) =>
        `${labels[locale][role]}: ${content.map((block) => (block as { text: string }).text).join('\n')}`,
    )
    .join('\n\n')
}
