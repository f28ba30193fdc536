// sess show: a conversation as people read it, page by page, so that a long one begins at once.

import type { DamagedRow, Message, Session, SessionStore } from '@sess/core'
import { resolveSession } from '../find-session.ts'
import { toJsonText } from '../output/json.ts'
import { formatMessage, type MessageStyle } from '../output/message.ts'
import { countOf } from '../output/session.ts'
import { formatSession } from '../output/session-head.ts'
import { messagePages, type PagesRange } from '../pages.ts'
import type { Context } from '../runtime.ts'

export interface ShowFlags {
  readonly turns?: number
  readonly from?: number
  readonly limit?: number
  readonly tools: 'none' | 'brief' | 'full'
  readonly thinking?: boolean
}

export async function show(context: Context, name: string, flags: ShowFlags): Promise<undefined> {
  const store = await context.existingStore()
  const session = await resolveSession(store, name)
  const fromSeq = flags.turns === undefined ? flags.from : await turnsStart(store, session.id, flags.turns)
  const range = { fromSeq, limit: flags.limit }
  if (context.settings.json) await writeJson(context, store, session, range)
  else await writeText(context, store, session, range, flags)
}

/** The seq the latest turns begin with. Text mode reads no tool payload. */
async function turnsStart(store: SessionStore, id: string, turns: number): Promise<number | undefined> {
  const window = await store.messages.recentTurns(id, { turns, mode: 'text', scope: 'all' })
  return window.reachedStart ? undefined : window.turns[0]?.seq
}

async function writeJson(
  { output }: Context,
  store: SessionStore,
  session: Session,
  range: PagesRange,
): Promise<void> {
  const messages: Message[] = []
  const damaged: DamagedRow[] = []
  for await (const page of messagePages(store, session.id, range)) {
    messages.push(...page.items)
    damaged.push(...(page.damaged ?? []))
  }
  const nextFrom = nextSeq(session, range, lastSeq(messages, damaged))
  await output.write(`${toJsonText({ session, messages, damaged, nextFrom })}\n`)
}

async function writeText(
  context: Context,
  store: SessionStore,
  session: Session,
  range: PagesRange,
  flags: ShowFlags,
): Promise<void> {
  const { output, settings } = context
  const style: MessageStyle = {
    colors: output.colors,
    columns: output.columns,
    timeZone: settings.timeZone,
    tools: flags.tools,
    thinking: flags.thinking ?? false,
  }
  let head = `${formatSession(session, context)}\n`
  let hidden = 0
  let last = 0
  for await (const { items, damaged = [] } of messagePages(store, session.id, range)) {
    for (const row of damaged) output.warn(damagedLine(session.id, row))
    const visible = items.filter((message) => message.metadata.userVisible !== false)
    hidden += items.length - visible.length
    last = Math.max(last, lastSeq(items, damaged))
    await output.write(head + visible.map((message) => formatMessage(message, style)).join(''))
    head = ''
  }
  if (flags.from !== undefined && flags.from >= session.nextSeq) {
    output.note(
      `No message from ${flags.from} on: ${session.id} has ${countOf(session.messageCount, 'message')}`,
    )
  }
  if (hidden > 0) output.note(`${countOf(hidden, 'message')} not meant for people left out (--json has them)`)
  const next = nextSeq(session, range, last)
  if (next !== undefined) output.note(`More: sess show ${session.id} --from ${next}`)
}

/** What a row that cannot be read is reported as. */
export function damagedLine(sessionId: string, { seq, reason }: DamagedRow): string {
  return `message ${seq} of session "${sessionId}" is damaged and left out: ${reason}`
}

function lastSeq(messages: readonly Message[], damaged: readonly DamagedRow[]): number {
  return Math.max(0, messages.at(-1)?.seq ?? 0, damaged.at(-1)?.seq ?? 0)
}

/** Where to go on, when the limit left something out. */
function nextSeq(session: Session, { limit }: PagesRange, last: number): number | undefined {
  return limit === undefined || last === 0 || last >= session.nextSeq - 1 ? undefined : last + 1
}
