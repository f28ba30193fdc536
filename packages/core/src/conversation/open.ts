// The one facade hosts use: a question is stored before it is sent, each step as it comes, and what a provider refuses
// is mended. A run that dies at any point loses nothing that was handed over.

import { isStoreError } from '../errors.ts'
import { autoNameInBackground } from '../naming/background.ts'
import type { AppendReceipt } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import { type RecoverOptions, type Recovery, recoverConversation } from '../recovery/recover.ts'
import { type RestorePolicy, type RestoreReport, restoreConversation } from '../restore/conversation.ts'
import type { ContentBlock } from '../types/content.ts'
import type { NewMessage, RestoredMessage, TokenUsage } from '../types/message.ts'
import type { NewSession, Session } from '../types/session.ts'
import { type PersistOptions, persistRun } from './persist.ts'

export interface ConversationOptions extends Pick<PersistOptions, 'thinking' | 'tools' | 'channelType'> {
  /** The session's id; it is created when there is none. */
  readonly id?: string
  /** Or the chat whose session it is: the last active one, or a new one. */
  readonly current?: {
    readonly channelType: string
    readonly channelKey: string
    readonly ownerId?: string
    /** Milliseconds of silence after which a new session begins. */
    readonly idleMs?: number
  }
  /** What a new session gets; a new one is made where neither `id` nor `current` is given. */
  readonly create?: NewSession
  /** What `begin` gives of what was said before; text mode and the default window unless given. */
  readonly restore?: RestorePolicy
  /** Who answers: marks assistant messages, and in full mode keeps their thinking for the same model. */
  readonly provider?: string
  readonly model?: string
  readonly logger?: RestorePolicy['logger']
}

/** A context, ready to send. */
export interface ReadyContext {
  /** Begins with user, alternates, and ends with the question. */
  readonly messages: readonly RestoredMessage[]
  readonly report: RestoreReport
}

export interface Conversation {
  readonly id: string
  /**
   * Stores the user's question and answers what to send: what was said before, and the question as it was given, joined
   * to one that nobody answered.
   *
   * @throws {StoreError} what `messages.append` throws: a question that cannot be stored is not sent
   */
  begin(user: NewMessage['content'] | NewMessage): Promise<ReadyContext>
  /** Stores what a step made. Answers `undefined` when the session was deleted meanwhile: it stays deleted. */
  persist(messages: readonly NewMessage[]): Promise<AppendReceipt | undefined>
  /**
   * Ends the run: adds usage, purges a session that was left empty, and names it in the background where `complete` is
   * given; `naming` ends with that and never rejects.
   */
  finish(options?: {
    readonly usage?: TokenUsage & {
      readonly provider?: string
      readonly model?: string
      readonly messageId?: string
    }
    readonly complete?: (prompt: string) => Promise<string>
  }): Promise<{ readonly naming: Promise<void> }>
  /** Mends what a provider refused, and answers what to send now where it did; see `recoverConversation`. */
  recover(
    error: unknown,
    options?: Omit<RecoverOptions, 'restore'>,
  ): Promise<Recovery & Partial<ReadyContext>>
}

/**
 * Opens a conversation: finds or makes its session.
 *
 * @throws {StoreError} invalid, and what the store throws
 */
export async function openConversation(
  store: Pick<SessionStore, 'sessions' | 'messages' | 'transact'>,
  options: ConversationOptions = {},
): Promise<Conversation> {
  const { provider, model, logger } = options
  const id = await sessionIdOf(store, options)
  const marks = { ...(provider ? { provider } : {}), ...(model ? { model } : {}) }
  const persisting: PersistOptions = {
    ...marks,
    ...(options.thinking ? { thinking: options.thinking } : {}),
    ...(options.tools ? { tools: options.tools } : {}),
    ...(options.channelType ? { channelType: options.channelType } : {}),
  }
  let asked: Asked | undefined
  let policy: RestorePolicy = { ...options.restore, ...marks, ...(logger ? { logger } : {}) }

  return {
    id,
    async begin(user) {
      const question = asMessage(user)
      // Stored first: what cannot be read back must not keep it from being kept.
      const receipt = await persistRun(store, id, [question], {
        ...persisting,
        tools: 'keep',
        createSession: options.create ?? true,
      })
      asked = { question, seq: receipt?.messages[0]?.seq ?? 0 }
      return contextOfQuestion(store, id, policy, asked)
    },
    persist: (messages) => persistRun(store, id, messages, { ...persisting, createSession: false }),
    async finish({ usage, complete } = {}) {
      if (usage !== undefined) await addUsage(store, id, usage)
      const session = await store.sessions.get(id)
      const isKept = session !== undefined && !(await purgeEmpty(store, session))
      // A name that a model or a person gave stays: the model is not asked after each run.
      if (complete === undefined || !isKept || session.nameSource !== 'default')
        return { naming: Promise.resolve() }
      return { naming: autoNameInBackground(store, id, { complete, ...(logger ? { logger } : {}) }) }
    },
    async recover(error, recovering = {}) {
      const recovery = await recoverConversation(store, id, error, {
        ...(logger ? { logger } : {}),
        ...recovering,
        restore: policy,
      })
      if (recovery.restore === undefined) return recovery
      policy = recovery.restore
      return { ...recovery, ...(await contextNow(store, id, policy, asked)) }
    },
  }
}

async function sessionIdOf(
  store: Pick<SessionStore, 'sessions'>,
  { id, current, create = {} }: ConversationOptions,
): Promise<string> {
  if (id !== undefined) return id
  if (current === undefined) return (await store.sessions.create(create)).id
  const { idleMs, ...key } = current
  const session = await store.sessions.current(key, { create, ...(idleMs === undefined ? {} : { idleMs }) })
  return (session as NonNullable<typeof session>).id
}

function asMessage(user: NewMessage['content'] | NewMessage): NewMessage {
  return typeof user === 'string' || Array.isArray(user)
    ? { role: 'user', content: user as NewMessage['content'] }
    : (user as NewMessage)
}

/** The question of a run, and where it is stored. */
interface Asked {
  readonly question: NewMessage
  readonly seq: number
}

async function contextOfQuestion(
  store: Pick<SessionStore, 'messages'>,
  id: string,
  policy: RestorePolicy,
  { question, seq }: Asked,
): Promise<ReadyContext> {
  const before = seq > 0 ? { ...policy, beforeSeq: seq } : policy
  const { messages, report } = await restoreConversation(store, id, before)
  return { messages: joinQuestion(messages, question), report }
}

/** In the middle of a run what came after the question is part of it; a question that was summarized is in the summary. */
async function contextNow(
  store: Pick<SessionStore, 'messages' | 'sessions'>,
  id: string,
  policy: RestorePolicy,
  asked: Asked | undefined,
): Promise<ReadyContext> {
  const session = await store.sessions.get(id)
  // Behind the question there may be the summary that a recovery has just made.
  const end = session === undefined ? 0 : session.nextSeq - 1
  const last = session?.context.summarySeq === end ? end - 1 : end
  const isLast = asked?.seq === last && (session?.context.startSeq ?? 0) <= last
  if (asked !== undefined && isLast) return contextOfQuestion(store, id, policy, asked)
  const { messages, report } = await restoreConversation(store, id, policy)
  // After a reset nothing stands for the question: it is asked again, alone.
  const isReset =
    session?.context.summarySeq === undefined && (session?.context.startSeq ?? 0) > (asked?.seq ?? 0)
  if (asked !== undefined && isReset) return { messages: joinQuestion([], asked.question), report }
  return { messages, report }
}

/** The question as it was given, also its images, whatever the mode makes of earlier ones. */
function joinQuestion(before: readonly RestoredMessage[], question: NewMessage): RestoredMessage[] {
  const content: readonly ContentBlock[] =
    typeof question.content === 'string'
      ? [{ type: 'text', text: question.content }]
      : (question.content as readonly ContentBlock[])
  const last = before.at(-1)
  if (last?.role !== 'user') return [...before, { role: 'user', content }]
  return [...before.slice(0, -1), { role: 'user', content: [...last.content, ...content] }]
}

/** The usage of a session that was deleted meanwhile is nobody's. */
async function addUsage(
  store: Pick<SessionStore, 'sessions'>,
  id: string,
  usage: Parameters<SessionStore['sessions']['addUsage']>[1],
): Promise<void> {
  try {
    await store.sessions.addUsage(id, usage)
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'not-found') throw error
  }
}

/**
 * A session without messages, a name by the user, or children was never begun. Looked at and purged in one transaction: a
 * question that comes meanwhile is never deleted. Where there are none, an empty session is left for `prune`.
 */
async function purgeEmpty(
  store: Pick<SessionStore, 'sessions' | 'transact'>,
  { id, messageCount }: Session,
): Promise<boolean> {
  if (messageCount > 0) return false
  try {
    return await store.transact(async ({ sessions }) => {
      const session = await sessions.get(id)
      if (session === undefined || session.messageCount > 0 || session.nextSeq > 1) return false
      if (session.nameSource === 'user' || session.deletedAt !== undefined) return false
      const children = await sessions.list({
        parentSessionId: id,
        types: 'all',
        archived: 'any',
        deleted: 'any',
        limit: 1,
      })
      return children.items.length === 0 && sessions.remove(id, { purge: true })
    })
  } catch (error) {
    if (isStoreError(error) && error.code === 'unsupported') return false
    throw error
  }
}
