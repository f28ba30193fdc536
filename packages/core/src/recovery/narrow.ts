// Narrowing: a policy that gives at most half of what the refused one gave. What it gives is measured, for half of a
// limit that was never reached changes nothing.

import type { SessionStore } from '../port/store.ts'
import {
  type RestoredConversation,
  type RestorePolicy,
  restoreConversation,
} from '../restore/conversation.ts'
import { estimateTokens } from '../restore/tokens.ts'

/** The narrower policy, without its `beforeSeq`; `undefined` where none gives less. */
export async function narrowed(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  refused: RestorePolicy & { readonly beforeSeq: number | undefined },
): Promise<RestorePolicy | undefined> {
  const { beforeSeq, turns: _, agentMaxTurns: __, maxTokens, ...rest } = refused
  const read = (policy: RestorePolicy) => restoreRefused(store, sessionId, policy, beforeSeq)
  const given = await read(refused)
  // The last turn is given in any case, in full mode as its texts.
  if (given.turns < 1 || (given.turns === 1 && !(maxTokens !== undefined && rest.mode === 'full')))
    return undefined
  const present = maxTokens === undefined ? given.turns : Math.min(maxTokens, tokensOf(given, refused))
  for (let half = Math.floor(present / 2); half >= 1; half = Math.floor(half / 2)) {
    const narrower = maxTokens === undefined ? { ...rest, turns: half } : { ...rest, maxTokens: half }
    if (sizeOf(await read(narrower)) < sizeOf(given)) return narrower
  }
  return undefined
}

/**
 * What a policy gives of what was before a message, or of everything.
 *
 * @throws {StoreError} what the store rejects with where nothing can be read
 */
export async function restoreRefused(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  { beforeSeq: _, ...policy }: RestorePolicy & { readonly beforeSeq?: number | undefined },
  beforeSeq: number | undefined,
): Promise<RestoredConversation> {
  const all = { ...policy, onError: 'report' as const }
  const asked = beforeSeq === undefined ? all : { ...all, beforeSeq }
  const restored = await restoreConversation(store, sessionId, asked)
  if (!restored.found && restored.error !== undefined) throw restored.error
  return restored
}

function tokensOf(
  { messages }: RestoredConversation,
  { mode, countTokens = estimateTokens }: RestorePolicy,
): number {
  const texts = messages.map(({ content }) =>
    mode === 'full'
      ? JSON.stringify(content)
      : content.map((block) => (block as { text: string }).text).join(''),
  )
  return texts.reduce((sum, text) => sum + countTokens(text), 0)
}

function sizeOf({ messages }: RestoredConversation): number {
  return JSON.stringify(messages).length
}
