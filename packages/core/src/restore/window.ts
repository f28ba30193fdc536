// How many turns an agent gets back.

import { z } from 'zod'
import { checkFor } from '../input/arguments.ts'

const turnsSchema = z.number()
const sessionSchema = z.looseObject({ id: z.string(), type: z.string().optional() })

/** CowAgent's `agent_max_context_turns`, where a host gives none. */
export const defaultAgentMaxTurns = 20

/**
 * Whether a session is a scheduler's: by its type, or by an id that begins `scheduler_`.
 *
 * @throws {StoreError} invalid what is no session
 */
export function isScheduled(session: { readonly id: string; readonly type?: string }): boolean {
  checkFor('isScheduled', sessionSchema, session, 'session')
  return session.type === 'scheduled' || session.id.startsWith('scheduler_')
}

/**
 * The restore window, in turns: a fifth of the agent's turns for scheduled sessions, at least 1; a sixth for others, at
 * least 3 (CowAgent's rule).
 *
 * @throws {StoreError} invalid what is no number, and what is no session
 */
export function restoreWindow(
  agentMaxTurns: number,
  session: { readonly id: string; readonly type?: string },
): number {
  checkFor('restoreWindow', turnsSchema, agentMaxTurns, 'agentMaxTurns')
  checkFor('restoreWindow', sessionSchema, session, 'session')
  return isScheduled(session)
    ? Math.max(1, Math.floor(agentMaxTurns / 5))
    : Math.max(3, Math.floor(agentMaxTurns / 6))
}
