// sess context: what an agent gets back after a restart, with the report on standard error.

import {
  type ContentBlock,
  type RestoredConversation,
  type RestoredMessage,
  restoreConversation,
  toAnthropicMessages,
  toGeminiContents,
  toOpenAiMessages,
} from '@sess/core'
import { resolveSession } from '../find-session.ts'
import { resultText } from '../output/blocks.ts'
import { toJsonText } from '../output/json.ts'
import type { Output } from '../output/output.ts'
import { formatRole } from '../output/role.ts'
import { countOf } from '../output/session.ts'
import { visibleText } from '../output/text.ts'
import type { Context } from '../runtime.ts'

export interface ContextFlags {
  readonly turns?: number
  readonly agentMaxTurns?: number
  readonly maxTokens?: number
  readonly mode?: 'text' | 'full'
  readonly format?: 'sess' | RequestFormat
}

type RequestFormat = 'anthropic' | 'openai' | 'gemini'

/** The body of a provider's request, as far as it is the conversation. */
const requests: Readonly<Record<RequestFormat, (messages: readonly RestoredMessage[]) => object>> = {
  anthropic: toAnthropicMessages,
  openai: (messages) => ({ messages: toOpenAiMessages(messages) }),
  gemini: (messages) => toGeminiContents(messages),
}

export async function restore(context: Context, name: string, flags: ContextFlags): Promise<undefined> {
  const { output, settings } = context
  const store = await context.existingStore()
  const { id } = await resolveSession(store, name)
  const { format = 'sess', ...policy } = flags
  const restored = await restoreConversation(store, id, { ...policy, locale: settings.locale })
  const { error, ...rest } = restored
  if (error !== undefined && !restored.found) throw error
  if (format !== 'sess') {
    await output.write(`${toJsonText(requests[format](restored.messages))}\n`)
    if (error !== undefined) output.warn(error.message)
    output.note(describeReport(restored))
    return
  }
  if (settings.json) {
    const reported = error && { code: error.code, message: error.message, operation: error.operation }
    await output.write(`${toJsonText({ ...rest, error: reported })}\n`)
    return
  }
  if (error !== undefined) output.warn(error.message)
  await output.write(formatRestored(restored, output))
  output.note(describeReport(restored))
}

/** Role and text of each message, an empty line between them. */
export function formatRestored(
  { messages }: RestoredConversation,
  { colors }: Pick<Output, 'colors'>,
): string {
  return messages
    .map(({ role, content }) => {
      const lines = content.map((block) => visibleText(blockText(block)).trimEnd())
      return `${formatRole(role, colors)}\n${lines.join('\n')}\n`
    })
    .join('\n')
}

/** A block as text: what was said, a call with its input, a result whole. */
function blockText(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  if (block.type === 'tool_use') return `→ ${block.name}  ${JSON.stringify(block.input)}`
  if (block.type === 'tool_result') return `← ${resultText(block.content)}`
  return `[${String(block.type)}]`
}

/** The report in one line. */
export function describeReport({ messages, turns, report }: RestoredConversation): string {
  const facts = [
    `${countOf(messages.length, 'message')} of ${countOf(turns, 'turn')}`,
    report.reachedStart ? 'from the beginning of the context' : 'earlier turns left out',
    ...(report.interrupted > 0 ? [`${countOf(report.interrupted, 'turn')} interrupted`] : []),
    ...(report.repaired > 0 ? [`${countOf(report.repaired, 'tool pair')} mended`] : []),
    ...(report.dropped > 0 ? [`${countOf(report.dropped, 'message')} before the first turn dropped`] : []),
    ...(report.damaged > 0 ? [`${countOf(report.damaged, 'row')} damaged`] : []),
  ]
  return `Context: ${facts.join(', ')}`
}
