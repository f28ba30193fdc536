// Repair: a transcript stands for messages that a provider refused, so that no pairs are left to break. Nothing is
// deleted. What is no text (images) stays behind the transcript, unless it is what was refused.

import { type Cover, type Run, toldRest, uncovered } from '../conversation/run.ts'
import { isSent } from '../conversation/sent.ts'
import { isStoreError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { SessionStore } from '../port/store.ts'
import type { RestorePolicy } from '../restore/conversation.ts'
import { isVisible } from '../restore/full.ts'
import { readWindow } from '../restore/read-window.ts'
import { type Locale, restoreText } from '../restore/text.ts'
import { mediaOf, transcribe, transcribeRun } from '../restore/transcript.ts'
import type { ContentBlock } from '../types/content.ts'
import type { Message } from '../types/message.ts'
import { refusesMedia } from './classify.ts'

interface Repair {
  readonly error: unknown
  /** The policy for all of the conversation. */
  readonly restore: RestorePolicy
  readonly run: Run | undefined
}

interface Transcript {
  readonly throughSeq: number
  readonly text: string
  readonly media: readonly ContentBlock[]
  /** Whether it stands for the run, too. */
  readonly coversRun: boolean
}

/**
 * Of a run under way first what is before it becomes a transcript, and the run stays whole; where that is one already,
 * the run becomes one with it, and so does what comes behind that. Answers `undefined` where nothing is left to write down.
 */
export async function repair(
  store: Pick<SessionStore, 'messages' | 'sessions'>,
  sessionId: string,
  given: Repair,
): Promise<{ readonly cover?: Cover | undefined } | undefined> {
  for (let attempt = 1; ; attempt++) {
    const session = await store.sessions.get(sessionId)
    if (session === undefined || session.nextSeq - 1 < session.context.startSeq) return undefined
    const { context, nextSeq, version } = session
    // A summary alone has no pairs: it is not what was refused, or a repair did not help.
    if (context.summarySeq !== undefined && context.summarySeq === nextSeq - 1 && !given.run) return undefined
    const transcript =
      (await transcriptBefore(store, sessionId, given, context.startSeq)) ??
      (await transcriptOfAll(store, sessionId, given, nextSeq - 1))
    if (transcript === undefined) return undefined
    try {
      const media = await write(store, sessionId, transcript, refusesMedia(given.error), version)
      const count = given.run?.messages.length ?? 0
      return transcript.coversRun ? { cover: { count, media } } : {}
    } catch (error) {
      const isRace = isStoreError(error) && error.code === 'conflict' && attempt < limits.writeTries
      if (!isRace) throw error
    }
  }
}

/** Answers what is no text and was stored beside the transcript. */
async function write(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  { throughSeq, text, media }: Transcript,
  withoutMedia: boolean,
  expectedVersion: number,
): Promise<readonly ContentBlock[]> {
  const kept = withoutMedia ? [] : media
  const content = kept.length === 0 ? text : [{ type: 'text', text }, ...kept]
  try {
    await store.messages.compact(sessionId, {
      throughSeq,
      summary: { role: 'user', content },
      expectedVersion,
    })
    return kept
  } catch (error) {
    const isTooLarge = isStoreError(error) && error.code === 'too-large' && kept.length > 0
    if (!isTooLarge) throw error
    return write(store, sessionId, { throughSeq, text, media, coversRun: false }, true, expectedVersion)
  }
}

/** The policy of a transcript: texts, whoever wrote them. */
function textPolicy({ provider: _, model: __, ...policy }: RestorePolicy): RestorePolicy {
  return { ...policy, mode: 'text' }
}

async function transcriptBefore(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  { restore, run }: Repair,
  startSeq: number,
): Promise<Transcript | undefined> {
  if (run === undefined || run.fromSeq <= startSeq) return undefined
  const beforeSeq = run.fromSeq
  const { window } = await readWindow(store, sessionId, { ...textPolicy(restore), beforeSeq })
  const full = await store.messages.recentTurns(sessionId, {
    turns: Math.max(1, window.turns.length),
    mode: 'full',
    beforeSeq,
  })
  // A summary alone is no more than a transcript.
  if (!full.messages.some(isVisible)) return undefined
  const text = transcribe(restoreText(window, restore.locale), window.summary, restore.locale)
  if (text === '') return undefined
  const media = mediaOf([...(full.summary ? [full.summary] : []), ...full.messages])
  return { throughSeq: beforeSeq - 1, text, media, coversRun: false }
}

async function transcriptOfAll(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  { restore, run }: Repair,
  throughSeq: number,
): Promise<Transcript | undefined> {
  if (run !== undefined && !isTellable(run)) return undefined
  const { window } = await readWindow(store, sessionId, textPolicy(restore))
  const full = await store.messages.recentTurns(sessionId, {
    turns: Math.max(1, window.turns.length),
    mode: 'full',
  })
  const last = window.turns.at(-1)
  const pendingFrom = run?.fromSeq ?? (last?.interrupted ? last.seq : undefined) ?? Number.POSITIVE_INFINITY
  const earlier = {
    ...window,
    messages: window.messages.filter(({ seq }) => seq < pendingFrom),
    turns: window.turns.filter(({ seq }) => seq < pendingFrom),
  }
  const stored = full.messages.filter(({ seq }) => seq >= pendingFrom)
  const pending = run === undefined ? stored : joinRun(run, stored, restore.locale)
  const parts = [
    transcribe(restoreText(earlier, restore.locale), window.summary, restore.locale),
    transcribeRun(pending.filter(isVisible), restore.locale),
  ]
  const text = parts.filter((part) => part !== '').join('\n\n')
  if (text === '') return undefined
  const before = full.messages.filter(({ seq }) => seq < pendingFrom)
  const media = mediaOf([...(full.summary ? [full.summary] : []), ...before, ...pending])
  return { throughSeq, text, media, coversRun: run !== undefined }
}

/** A question alone, and what a summary tells already, cannot be written down in another way. */
function isTellable(run: Run): boolean {
  if (run.cover === undefined) return run.messages.length > 1
  return uncovered(run).some((message) => isVisible(message) && message.content.some(isSent))
}

/**
 * What was held in memory is whole, also where less of it is stored. Others' messages of the meantime stand in between,
 * without second results for the run's calls.
 */
function joinRun(run: Run, stored: readonly Message[], locale: Locale | undefined): readonly Message[] {
  const own = new Set(run.ids)
  const messages = toldRest(run, locale)
  const answered = new Set(messages.flatMap(({ content }) => content.map(resultId)))
  const others = stored
    .filter(({ id }) => !own.has(id))
    .map((message) => ({
      ...message,
      content: message.content.filter(
        (block) => block.type !== 'tool_result' || !answered.has(resultId(block)),
      ),
    }))
  return [...messages, ...others].toSorted((a, b) => a.seq - b.seq)
}

function resultId(block: ContentBlock): string | undefined {
  return block.type === 'tool_result' ? block.tool_use_id : undefined
}
