// sess thread timeline: a page of what was said in all sessions of a thread, a line for each message.

import type { Message } from '@sess/core'
import { resolveThread } from '../find-thread.ts'
import { toJsonText } from '../output/json.ts'
import { messageLine } from '../output/message-line.ts'
import { noteNextPage } from '../output/next-page.ts'
import { countOf } from '../output/session.ts'
import { tabbedLine } from '../output/text.ts'
import { isoTime } from '../output/time.ts'
import type { Context } from '../runtime.ts'
import type { PageFlags } from './threads.ts'

export async function timeline(context: Context, name: string, flags: PageFlags): Promise<undefined> {
  const { output, settings } = context
  const store = await context.existingStore()
  const { id } = await resolveThread(store, name)
  const page = await store.threads.timeline(id, flags)
  if (settings.json) return void (await output.write(`${toJsonText(page)}\n`))
  for (const { seq, reason } of page.damaged ?? []) {
    output.warn(`message ${seq} of a session of thread "${id}" is damaged and left out: ${reason}`)
  }
  const visible = page.items.filter((message) => message.metadata.userVisible !== false)
  if (output.isTerminal) {
    const { formatTimeline } = await import('../output/timeline-table.ts')
    await output.write(formatTimeline(visible, context))
  } else await output.write(formatColumns(visible))
  const hidden = page.items.length - visible.length
  if (hidden > 0) output.note(`${countOf(hidden, 'message')} not meant for people left out (--json has them)`)
  noteNextPage(context, page.nextCursor)
}

function formatColumns(messages: readonly Message[]): string {
  return messages
    .map((message) => {
      const { createdAt, sessionId, seq, role } = message
      return tabbedLine([isoTime(createdAt), sessionId, seq, role, messageLine(message)])
    })
    .join('')
}
