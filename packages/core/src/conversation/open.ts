// The one facade hosts use: a question is stored before it is sent, each step as it comes, and what a provider refuses
// is mended. A run that dies at any point loses nothing that was handed over.

import { checkStore } from '../input/arguments.ts'
import { autoNameInBackground } from '../naming/background.ts'
import type { AppendReceipt } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import { classifyProviderError } from '../recovery/classify.ts'
import { checkRecovery, type RecoverOptions, type Recovery, recoverRun } from '../recovery/recover.ts'
import { type RestorePolicy, type RestoreReport, restoreWithRun } from '../restore/conversation.ts'
import type { ToolUseBlock } from '../types/content.ts'
import type { NewMessage, RestoredMessage, TokenUsage } from '../types/message.ts'
import type { NewSession } from '../types/session.ts'
import { addUsage } from './finish.ts'
import { checkConversation, checkFinish } from './options.ts'
import { asStored, checkMessages, mark, type PersistOptions, persistRun } from './persist.ts'
import { checkResults, hasResults, openCalls, questionOf } from './question.ts'
import { extend, isOpen, lastTurn, type Run, shownOf } from './run.ts'
import { openSession, purgeUntouched } from './session.ts'

export interface ConversationOptions extends Pick<PersistOptions, 'tools' | 'channelType'> {
  /**
   * "strip" (default): thinking is not stored. The turn under way has it as long as this object lives; after a restart
   * `resume`, and `begin` with results, give the turn without. A provider that wants the thinking of a turn back with its
   * results needs "keep", with `provider` and `model` given; that of earlier turns is given in full mode only.
   */
  readonly thinking?: PersistOptions['thinking']
  /** The session's id. Where there is none, the first thing that is stored makes it. */
  readonly id?: string
  /** Or the chat whose session it is: the last active one, or a new one, made at once. */
  readonly current?: {
    readonly channelType: string
    readonly channelKey: string
    readonly ownerId?: string
    /** Milliseconds of silence after which a new session begins. */
    readonly idleMs?: number
  }
  /** What a new session gets; where neither `id` nor `current` is given, one is made at once. */
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
  /** Begins with user, alternates, and ends with what is to be answered: the question, or in mid-run the last results. */
  readonly messages: readonly RestoredMessage[]
  readonly report: RestoreReport
}

/** A context that ends with a turn under way. */
export interface ResumedContext extends ReadyContext {
  /** Its calls that have no result yet, as they are stored. */
  readonly pending: readonly ToolUseBlock[]
}

export interface Conversation {
  readonly id: string
  /**
   * Stores the user's question and answers what to send: what was said before, and the question as it was given, joined
   * to one that nobody answered. Tool results go on with a turn that was interrupted: each answers a call that the last
   * turn still waits for, and that turn is given whole in either mode.
   *
   * @throws {StoreError} invalid a message that is not the user's, says nothing, or holds a result that nobody waits for;
   *   conflict another wrote to the session while results were looked at; what `messages.append` throws: a question that
   *   cannot be stored is not sent
   */
  begin(user: NewMessage['content'] | NewMessage): Promise<ReadyContext>
  /**
   * Goes on with the turn under way: one that a process left when it died, or this one's. Answers what to send, with the
   * turn whole in either mode, and the calls in it that have no result; `undefined` where nobody waits for an answer.
   * Nothing is stored, and what is persisted then belongs to that turn. `messages` may be sent as they are: each pending
   * call is closed by a result "interrupted". To do the calls after all, hand their results to `begin` and send what that
   * answers. Another process may still be at work on the turn: the store knows of none.
   *
   * @throws {StoreError} what `messages.recentTurns` throws
   */
  resume(): Promise<ResumedContext | undefined>
  /**
   * Stores what a step made, and makes the session where this is the first thing that is stored. Answers `undefined`, and
   * stores nothing, when the session was there and is deleted now: it stays deleted until the next `begin`.
   *
   * @throws {StoreError} what `messages.append` throws
   */
  persist(messages: readonly NewMessage[]): Promise<AppendReceipt | undefined>
  /**
   * Ends the run: adds usage; purges the session if this conversation made it when it was opened and it is as it was made
   * (any other empty session goes by `maintenance.prune`); names it in the background where `complete` is given: `naming`
   * ends with that and never rejects. On a store without `sessions.addUsage` usage is not counted, and the logger is told.
   *
   * `tokenCounts.accumulated` adds up what each call of `addUsage` is given, `tokenCounts.last` is the last of them. A host
   * that shows how full the context is calls `store.sessions.addUsage` after each answer of the model, and `finish` without
   * usage, or with that of the last answer only; the sum of a run is good for its cost alone.
   *
   * @throws {StoreError} invalid a count that is not known; what the store throws
   */
  finish(options?: {
    readonly usage?: TokenUsage & {
      readonly provider?: string
      readonly model?: string
      readonly messageId?: string
    }
    readonly complete?: (prompt: string) => Promise<string>
  }): Promise<{ readonly naming: Promise<void> }>
  /**
   * Mends what a provider refused, and answers what to send now where it did and there is anything to answer; see
   * `recoverConversation`. In mid-run that ends with the turn under way, whole: its question, calls, results and images.
   * A narrower policy ("narrow") holds for this object and is stored nowhere: a host that wants it after a restart keeps
   * the answer's `restore` (in its own settings, or the session's metadata) and opens the next conversation with it;
   * otherwise the next refusal narrows again.
   */
  recover(
    error: unknown,
    options?: Omit<RecoverOptions, 'restore'>,
  ): Promise<Recovery & Partial<ReadyContext>>
}

/**
 * Opens a conversation: finds its session, or makes it where no `id` is given. One that is named and is not there is made by
 * the first `begin` or `persist`.
 *
 * @throws {StoreError} invalid; unsupported `current` on a store without `sessions.current`; what the store throws
 */
export async function openConversation(
  store: Pick<SessionStore, 'sessions' | 'messages' | 'transact'>,
  options: ConversationOptions = {},
): Promise<Conversation> {
  checkStore('openConversation', store, 'messages', 'sessions')
  checkConversation(options)
  const { provider, model, logger, current } = options
  const opened = await openSession(store, options)
  const { id } = opened
  let { isThere, made } = opened
  const marks = { ...(provider ? { provider } : {}), ...(model ? { model } : {}) }
  const told = logger ? { logger } : {}
  const persisting: PersistOptions = {
    ...marks,
    ...(options.thinking ? { thinking: options.thinking } : {}),
    ...(options.tools ? { tools: options.tools } : {}),
    ...(options.channelType ? { channelType: options.channelType } : {}),
  }
  const { idleMs: _, ...channel } = current ?? {}
  const create = { ...channel, ...options.create }
  const held = (messages: readonly NewMessage[]) =>
    messages.map((message) => asStored(mark(message, persisting)))
  let run: Run | undefined
  let policy: RestorePolicy = { ...options.restore, ...marks, ...told }
  const ready = async (of: Run | undefined): Promise<ReadyContext> => {
    const before = of === undefined ? policy : { ...policy, beforeSeq: of.fromSeq }
    const { messages, report } = await restoreWithRun(store, id, before, of ? shownOf(of, policy) : [])
    return { messages, report }
  }

  return {
    id,
    async begin(user) {
      const question = questionOf(user)
      // It is asked now, also where it is kept out of later contexts.
      const begun = held([question]).map((message) => ({
        ...message,
        metadata: { ...message.metadata, agentVisible: true },
      }))
      const turn = hasResults(question) ? await interruptedTurn(store, id, question) : undefined
      // Stored first: what cannot be read back must not keep it from being kept.
      const receipt = await persistRun(store, id, [question], {
        ...persisting,
        tools: 'keep',
        createSession: create,
        ...(turn ? { expectedVersion: turn.version } : {}),
      })
      // Of nothing no session is made.
      if (receipt?.messages.length) isThere = true
      const fromSeq = receipt?.messages[0]?.seq ?? 0
      const asked = extend(turn?.run ?? { fromSeq, messages: [], ids: [] }, begun, receipt)
      run = asked
      return ready(asked)
    },
    async resume() {
      const { session, run: stored } = await lastTurn(store, id)
      const going = run ?? stored
      if (session === undefined || session.deletedAt !== undefined || !going || !isOpen(going))
        return undefined
      const context = await ready(going)
      // Of what is stored a provider may get to see nothing that could be answered.
      if (context.messages.at(-1)?.role !== 'user') return undefined
      run ??= going
      return { ...context, pending: openCalls(going) }
    },
    async persist(messages) {
      checkMessages('conversation.persist', messages)
      const made = held(messages)
      const receipt = await persistRun(store, id, messages, {
        ...persisting,
        createSession: isThere ? false : create,
      })
      // Of nothing no session is made.
      if (receipt?.messages.length) isThere = true
      if (receipt !== undefined && run !== undefined) run = extend(run, made, receipt)
      return receipt
    },
    async finish(finishing = {}) {
      checkFinish(finishing)
      const { usage, complete } = finishing
      run = undefined
      if (usage !== undefined) await addUsage(store, id, usage, logger)
      if (made !== undefined && (await purgeUntouched(store, made))) isThere = false
      made = undefined
      const session = complete === undefined ? undefined : await store.sessions.get(id)
      // A name that a model or a person gave stays: the model is not asked after each run.
      if (complete === undefined || session?.nameSource !== 'default') return { naming: Promise.resolve() }
      return { naming: autoNameInBackground(store, id, { complete, ...told }) }
    },
    async recover(error, recovering = {}) {
      checkRecovery('conversation.recover', recovering)
      const going = run ?? (await openRun(store, id, error))
      const asking = { ...told, ...recovering, restore: policy }
      const { recovery, cover } = await recoverRun(store, id, error, asking, going)
      if (recovery.restore === undefined) return recovery
      policy = recovery.restore
      // What was persisted meanwhile stands behind what a summary covers now.
      if (going !== undefined) run = { ...(run ?? going), cover }
      const context = await ready(run)
      // Where the reply is persisted already, nobody has to answer anything.
      const isAsked = context.messages.at(-1)?.role === 'user'
      return isAsked ? { ...recovery, ...context } : recovery
    },
  }
}

/** The turn that the results of a question go on with, and the version it was seen at. */
async function interruptedTurn(
  store: Pick<SessionStore, 'messages'>,
  id: string,
  question: NewMessage,
): Promise<{ readonly run: Run; readonly version: number }> {
  const { session, run } = await lastTurn(store, id)
  // Given again under the same id, it is stored already.
  const known = run?.messages.findIndex((message) => message.id === question.id) ?? -1
  const turn = run && known >= 0 ? { ...run, messages: run.messages.slice(0, known) } : run
  checkResults(question, turn)
  return { run: turn as Run, version: (session as NonNullable<typeof session>).version }
}

/** Where nothing was begun here, a run that another process left, or that was persisted without a question. */
async function openRun(
  store: Pick<SessionStore, 'messages'>,
  id: string,
  error: unknown,
): Promise<Run | undefined> {
  if (classifyProviderError(error) === 'other') return undefined
  const { run } = await lastTurn(store, id)
  return run && isOpen(run) ? run : undefined
}
