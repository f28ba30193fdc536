// Reset: what was said before is no longer sent. Nothing is deleted, and a turn under way stays in the context: of the
// port's operations only `compact` lets that begin in the middle, so a note stands for what is left out.

import type { Cover, Run } from '../conversation/run.ts'
import type { SessionStore } from '../port/store.ts'
import type { RestorePolicy } from '../restore/conversation.ts'
import { joinText, type Locale } from '../restore/text.ts'
import { mediaOf } from '../restore/transcript.ts'
import { turnPart, turnParts } from '../turns/parts.ts'
import type { Message, RestoredMessage } from '../types/message.ts'
import type { Session } from '../types/session.ts'
import { restoreRefused } from './narrow.ts'

const notes: Readonly<Record<Locale, string>> = {
  en: 'Earlier messages were left out.',
  zh: '更早的消息已省略。',
}

interface Reset {
  /** The policy, for what it was asked of. */
  readonly refused: RestorePolicy & { readonly beforeSeq: number | undefined }
  readonly run: Run | undefined
  /** Whether it was asked for by name. */
  readonly isWanted: boolean
}

/** Answers `undefined` where nothing is sent that could be left out. */
export async function reset(
  store: Pick<SessionStore, 'messages' | 'sessions'>,
  session: Session,
  { refused, run, isWanted }: Reset,
): Promise<{ readonly cover?: Cover | undefined } | undefined> {
  const { beforeSeq, locale = 'en' } = refused
  const { messages: before } = await restoreRefused(store, session.id, refused, beforeSeq)
  if (beforeSeq === undefined || beforeSeq >= session.nextSeq) {
    if (before.length === 0 && !isWanted) return undefined
    await store.sessions.resetContext(session.id)
    return {}
  }
  if (before.length === 0 || isNote(before)) return undefined
  const { startSeq } = session.context
  const note = { type: 'text', text: notes[locale] }
  const leaveOut = async (throughSeq: number, content: Message['content']) => {
    const summary = { role: 'user' as const, content: [note, ...content] }
    await store.messages.compact(session.id, { throughSeq, summary })
  }
  if (beforeSeq > startSeq) {
    await leaveOut(beforeSeq - 1, [])
    return {}
  }
  // A summary stands right before the turn: what replaces it stands for the first message of the turn, too.
  const [question] = run?.messages ?? []
  if (beforeSeq < startSeq || question === undefined || !isOpener(question)) return undefined
  await leaveOut(beforeSeq, question.content)
  return { cover: { count: 1, media: mediaOf([question]) } }
}

function isNote([first, ...others]: readonly RestoredMessage[]): boolean {
  const text = first?.content.length === 1 ? joinText(first.content) : ''
  return others.length === 0 && Object.values(notes).includes(text)
}

function isOpener({ role, content, metadata }: Message): boolean {
  return turnPart(role, content, metadata) === turnParts.opener
}
