// What a message is to a turn. The numbers are stored (column turn_part), so that a text restore walks an index.

import type { ContentBlock, TextBlock } from '../types/content.ts'
import type { MessageMetadata, Role } from '../types/message.ts'

export const turnParts = {
  /** A user message without tool_result that has any block but blank text: a turn begins. */
  opener: 1,
  /** User text beside a tool_result: it counts as the user's and begins no turn. */
  steering: 2,
  /** Assistant text without tool_use. */
  reply: 3,
  /** Assistant text beside a tool_use. */
  interim: 4,
  summary: 5,
} as const

export type TurnPart = (typeof turnParts)[keyof typeof turnParts]

/** A text block whose text is a string, also in a row that was not written by this version. */
export function isTextBlock(block: ContentBlock): block is TextBlock {
  return block.type === 'text' && typeof block.text === 'string'
}

/** Whether `trim()` leaves nothing. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** What a message is to a text restore; `undefined` for all else and for all that is not agent-visible. */
export function turnPart(
  role: Role,
  content: readonly ContentBlock[],
  metadata: MessageMetadata,
): TurnPart | undefined {
  if (metadata.agentVisible === false) return undefined
  if (metadata.summary !== undefined) return turnParts.summary
  if (role === 'user') {
    const hasResult = content.some((block) => block.type === 'tool_result')
    if (hasResult) return hasText(content) ? turnParts.steering : undefined
    return content.some((block) => !isTextBlock(block) || !isBlank(block.text)) ? turnParts.opener : undefined
  }
  if (role !== 'assistant' || !hasText(content)) return undefined
  return content.some((block) => block.type === 'tool_use') ? turnParts.interim : turnParts.reply
}

/** Whether any text block holds more than blanks. */
export function hasText(content: readonly ContentBlock[]): boolean {
  return content.some((block) => isTextBlock(block) && !isBlank(block.text))
}

/**
 * The content a text restore uses: the text blocks alone, or the type of the first block that is no text where there is
 * no text. `undefined` when that is the content itself.
 */
export function textForm(content: readonly ContentBlock[]): readonly ContentBlock[] | undefined {
  if (content.every(isTextBlock)) return undefined
  if (hasText(content)) return content.filter(isTextBlock)
  const first = content.find((block) => !isTextBlock(block))
  return first === undefined ? undefined : [{ type: first.type } as ContentBlock]
}
