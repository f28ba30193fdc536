// Which turns a restore reads: by number, by the agent's own limit, or by tokens.

import type { TurnWindow } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import type { RestorePolicy } from './conversation.ts'
import { estimateTokens, messagesByTurn, turnsThatFit, turnTokens } from './tokens.ts'
import { defaultAgentMaxTurns, isScheduled, restoreWindow } from './window.ts'

/** A window and what kept earlier turns out of it. */
export interface PolicyWindow {
  readonly window: TurnWindow
  readonly truncatedBy?: 'turns' | 'tokens'
  /** The one turn that is given is larger than what was asked for. */
  readonly tooLarge?: boolean
}

type Messages = Pick<SessionStore, 'messages'>

/** Reads the window of a policy; by turns with one read. */
export async function readWindow(
  store: Messages,
  sessionId: string,
  policy: RestorePolicy,
): Promise<PolicyWindow> {
  const { turns, maxTokens, mode = 'text', beforeSeq } = policy
  const options = { mode, ...(beforeSeq === undefined ? {} : { beforeSeq }) }
  if (maxTokens !== undefined) return readByTokens(store, sessionId, { ...policy, maxTokens })
  const window =
    turns === undefined
      ? await readByAgent(store, sessionId, policy.agentMaxTurns ?? defaultAgentMaxTurns, options)
      : await store.messages.recentTurns(sessionId, { ...options, turns })
  return window.reachedStart ? { window } : { window, truncatedBy: 'turns' }
}

/** What a session's type makes of the window is only known with it, so the larger one is asked for and cut. */
async function readByAgent(
  store: Messages,
  sessionId: string,
  agentMaxTurns: number,
  options: { readonly mode: 'text' | 'full'; readonly beforeSeq?: number },
): Promise<TurnWindow> {
  const asScheduled = restoreWindow(agentMaxTurns, { id: sessionId, type: 'scheduled' })
  const byId = restoreWindow(agentMaxTurns, { id: sessionId })
  const window = await store.messages.recentTurns(sessionId, {
    ...options,
    turns: Math.max(byId, asScheduled),
  })
  const wanted = window.session && isScheduled(window.session) ? asScheduled : byId
  return latestTurns(window, wanted)
}

/** Reads turns from the newest back, more with each read, until they are too large or all there are. */
async function readByTokens(
  store: Messages,
  sessionId: string,
  {
    maxTokens,
    mode = 'text',
    countTokens = estimateTokens,
    beforeSeq: policyBefore,
  }: RestorePolicy & { readonly maxTokens: number },
): Promise<PolicyWindow> {
  let window: TurnWindow | undefined
  for (let turns = 8; ; turns *= 2) {
    const beforeSeq = window?.turns[0]?.seq ?? policyBefore
    const earlier: TurnWindow = await store.messages.recentTurns(sessionId, {
      turns,
      mode,
      ...(beforeSeq === undefined ? {} : { beforeSeq }),
    })
    window = window === undefined ? earlier : joinWindows(earlier, window)
    const { head, turns: groups } = messagesByTurn(window)
    const costs = groups.map((group, index) =>
      turnTokens(group, window?.turns[index]?.seq ?? 0, mode, countTokens),
    )
    const summary = window.summary ? [window.summary] : []
    const before = turnTokens([...summary, ...head], summary[0]?.seq ?? 0, mode, countTokens)
    const fit = turnsThatFit(costs, maxTokens, before)
    if (fit < costs.length) return { window: latestTurns(window, fit), truncatedBy: 'tokens', ...tooLarge() }
    if (window.reachedStart) return { window, ...tooLarge() }

    function tooLarge(): { readonly tooLarge?: boolean } {
      return fit === 1 && (costs.at(-1) ?? 0) + before > maxTokens ? { tooLarge: true } : {}
    }
  }
}

/** One window of two that follow each other. */
function joinWindows(earlier: TurnWindow, later: TurnWindow): TurnWindow {
  const damaged = [...(earlier.damaged ?? []), ...(later.damaged ?? [])]
  return {
    ...later,
    messages: [...earlier.messages, ...later.messages],
    turns: [...earlier.turns, ...later.turns],
    dropped: earlier.dropped,
    interrupted: earlier.interrupted + later.interrupted,
    reachedStart: earlier.reachedStart,
    ...(damaged.length > 0 ? { damaged } : {}),
  }
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
