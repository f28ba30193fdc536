// Messages as one text: who said what, a blank line between. Of calls and results what a model needs to go on. Lone
// surrogates are U+FFFD: as a summary the text is sent again.

import type { Result } from '../providers/blocks.ts'
import { toldResult } from '../providers/blocks.ts'
import { isTextBlock } from '../turns/parts.ts'
import type { ContentBlock, ToolResultBlock } from '../types/content.ts'
import type { Message, RestoredMessage } from '../types/message.ts'
import { joinText, type Locale } from './text.ts'

const labels = {
  en: { user: 'User', assistant: 'Assistant', tool: 'Tool' },
  zh: { user: '用户', assistant: '助手', tool: '工具' },
} as const

/** Restored texts as a transcript; a summary in front is nobody's words, and may be an earlier transcript. */
export function transcribe(
  messages: readonly RestoredMessage[],
  summary: Message | undefined,
  locale: Locale = 'en',
): string {
  // As a restore gives it.
  const before = summary ? joinText(summary.content).toWellFormed() : ''
  const lines = messages.flatMap(({ role, content }, index) => {
    const text = joinText(content).toWellFormed()
    const said = index === 0 && text.startsWith(before) ? text.slice(before.length).trimStart() : text
    return said === '' ? [] : [`${labels[locale][role]}: ${said}`]
  })
  return [...(before === '' ? [] : [before]), ...lines].join('\n\n')
}

/** A turn under way as a transcript, with each call that has a result. */
export function transcribeRun(messages: readonly Message[], locale: Locale = 'en'): string {
  const { user, assistant, tool } = labels[locale]
  const results = messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result'))
  const lines = messages.flatMap(({ role, content }) => {
    const text = joinText(content)
    const hidden = content.filter(isMedia).map(({ type }) => `[${String(type)}]`)
    const said = text === '' && role !== 'assistant' ? hidden.join(' ') : text
    const calls = role === 'assistant' ? content.filter((block) => block.type === 'tool_use') : []
    const answered = calls.flatMap(({ id, name, input }) => {
      const result = takeResult(results, id)
      return result === undefined
        ? []
        : [`${tool} ${name}(${JSON.stringify(input)}): ${toldResult(result as unknown as Result)}`]
    })
    return [...(said === '' ? [] : [`${role === 'assistant' ? assistant : user}: ${said}`]), ...answered]
  })
  return lines.join('\n\n').toWellFormed()
}

function takeResult(left: ToolResultBlock[], id: string): ToolResultBlock | undefined {
  const at = left.findIndex((result) => result.tool_use_id === id)
  return at < 0 ? undefined : left.splice(at, 1)[0]
}

/** What is neither text nor a part of a call: images, documents, blocks of other kinds; those in results, too. */
export function mediaOf(messages: readonly Message[]): readonly ContentBlock[] {
  return messages
    .filter(
      ({ role, metadata }) => role !== 'assistant' && role !== 'system' && metadata.agentVisible !== false,
    )
    .flatMap(({ content }) =>
      content.flatMap((block): readonly ContentBlock[] =>
        block.type === 'tool_result' && Array.isArray(block.content) ? block.content : [block],
      ),
    )
    .filter(isMedia)
}

const others: readonly unknown[] = ['tool_use', 'tool_result', 'thinking', 'redacted_thinking']

function isMedia(block: ContentBlock): boolean {
  return !isTextBlock(block) && !others.includes(block.type)
}
