// What of a message a provider may get to see.

import { isBlank, isTextBlock } from '../turns/parts.ts'
import type { ContentBlock } from '../types/content.ts'

/** Blank texts and thinking may be left out of what is sent, and with them a message that holds nothing else. */
export function isSent(block: ContentBlock): boolean {
  if (isTextBlock(block)) return !isBlank(block.text)
  return block.type !== 'thinking' && block.type !== 'redacted_thinking'
}
