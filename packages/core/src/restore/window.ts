// How many turns an agent gets back.

/** CowAgent's `agent_max_context_turns`, where a host gives none. */
export const defaultAgentMaxTurns = 20

/** Whether a session is a scheduler's: by its type, or by an id that begins `scheduler_`. */
export function isScheduled(session: { readonly id: string; readonly type?: string }): boolean {
  return session.type === 'scheduled' || session.id.startsWith('scheduler_')
}

/**
 * The restore window, in turns: a fifth of the agent's turns for scheduled sessions, at least 1; a sixth for others, at
 * least 3 (CowAgent's rule).
 */
export function restoreWindow(
  agentMaxTurns: number,
  session: { readonly id: string; readonly type?: string },
): number {
  return isScheduled(session)
    ? Math.max(1, Math.floor(agentMaxTurns / 5))
    : Math.max(3, Math.floor(agentMaxTurns / 6))
}
