// What a search answers, from what was found: the same shape from every store.

import type { MessageHit, SearchPage } from '../port/search.ts'
import type { Message } from '../types/message.ts'
import type { Session } from '../types/session.ts'
import type { Hit } from './messages.ts'
import type { SearchPlan } from './plan.ts'

/** A page of what was found; `partial` where some of the store could not be looked at. */
export function toSearchPage<T>(
  plan: SearchPlan,
  items: readonly T[],
  found: { readonly nextCursor?: string; readonly relaxed?: true },
  partial = false,
): SearchPage<T> {
  const { nextCursor, relaxed } = found
  return {
    items,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(relaxed === undefined ? {} : { relaxed }),
    ...(plan.parsed.ignored.length === 0 ? {} : { ignored: plan.parsed.ignored }),
    ...(partial ? { partial } : {}),
  }
}

/** A hit for callers; `around` are the messages near it, where the plan asks for them. */
export function toMessageHit(
  plan: SearchPlan,
  { candidate: { message }, score, snippet }: Hit,
  session: Session,
  around: readonly Message[],
): MessageHit {
  return {
    sessionId: message.sessionId,
    messageId: message.id,
    seq: message.seq,
    role: message.role,
    createdAt: message.createdAt,
    score,
    snippet,
    session,
    ...(plan.include === 'message' ? { message } : {}),
    ...(plan.around === undefined ? {} : { around }),
  }
}
