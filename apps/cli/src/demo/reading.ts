// The steps of the demo that read: a conversation as people see it, as an agent gets it back, as it is exported.

import { exportLines, type Message, type SessionStore } from '@sess/core'
import { formatMessageHit } from '../output/hits.ts'
import { escapeJson } from '../output/json.ts'
import { formatMessage } from '../output/message.ts'
import { countOf } from '../output/session.ts'
import { formatSession } from '../output/session-head.ts'
import { foldedLine } from '../output/text.ts'
import { truncate } from '../output/width.ts'
import type { Context } from '../runtime.ts'
import { type Step, saidLines } from './layout.ts'
import { formatSizes, type Sample } from './sample.ts'

/** What is shown of the conversation: a question, the answer with its tool calls; two lines of each text. */
const shownMessages = 2
const shownLines = 2

export function showStep({ session, messages }: Sample, context: Context): Step {
  const { output, settings } = context
  const { colors, columns } = output
  const style = { colors, columns, timeZone: settings.timeZone, tools: 'brief', thinking: false } as const
  const shown = messages
    .slice(0, shownMessages)
    .map((message) => formatMessage(clip(message, columns), style))
  return {
    title: 'A conversation, as people read it',
    command: `$ sess show ${session.id} --limit ${shownMessages}`,
    body: `${formatSession(session, context)}\n${shown.join('')}`,
  }
}

/** The message with the first lines of its texts. */
function clip(message: Message, columns: number): Message {
  const content = message.content.map((block) =>
    block.type === 'text' ? { ...block, text: firstLines(block.text, columns) } : block,
  )
  return { ...message, content }
}

function firstLines(text: string, columns: number): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const kept = lines.slice(0, shownLines).map((line) => truncate(foldedLine(line), columns - 2))
  return lines.length > shownLines ? `${kept.join('\n')} …` : kept.join('\n')
}

/** A query in English, and one in Chinese, that the samples answer. */
const queries = ['mock clock', '西湖'] as const

export async function searchStep(store: SessionStore, context: Context): Promise<Step> {
  const { colors } = context.output
  const found: string[] = []
  for (const text of queries) {
    const { items } = await store.search.messages({ text, limit: 1 })
    found.push(`${colors.cyan(`$ sess search '${text}' --limit 1`)}\n`)
    found.push(...items.map((hit) => formatMessageHit(hit, context)))
  }
  return {
    title: 'What was said, in any script',
    command: '',
    body: found.join(''),
  }
}

export function contextStep({ session, restored }: Sample, all: readonly Sample[], context: Context): Step {
  return {
    title: 'What the agent gets back after a restart',
    command: `$ sess context ${session.id}`,
    body: `${saidLines(restored.messages, context.output)}\n${formatSizes(all, context)}`,
  }
}

export async function exportStep({ session, messages }: Sample, context: Context): Promise<Step> {
  const { colors, columns } = context.output
  const lines: string[] = []
  for await (const line of exportLines(session, messages, context.now)) lines.push(escapeJson(line.trimEnd()))
  const shown = lines.slice(0, 1).map((line) => truncate(line, columns))
  const rest = `… ${countOf(lines.length - shown.length, 'line')} more; "sess import" reads them into any other store`
  return {
    title: 'Out, and in elsewhere',
    command: `$ sess export ${session.id} --format jsonl`,
    body: `${shown.join('\n')}\n${colors.dim(truncate(rest, columns))}\n`,
  }
}
