// The one line a list shows of a conversation.

import { limits } from '../limits.ts'
import { isTextBlock } from '../turns/parts.ts'
import type { ContentBlock } from '../types/content.ts'
import type { MessageMetadata, Role } from '../types/message.ts'
import { firstCodePoints } from './utf8.ts'

/**
 * First non-blank line of a message's text, at most 128 code points, control characters as spaces; `undefined` when
 * the message is of another role, is not user-visible, or has no text.
 */
export function previewLine(
  role: Role,
  content: readonly ContentBlock[],
  metadata: MessageMetadata,
): string | undefined {
  if ((role !== 'user' && role !== 'assistant') || metadata.userVisible === false) return undefined
  for (const block of content) {
    if (!isTextBlock(block)) continue
    const line = firstLine(block.text)
    if (line !== undefined) return line
  }
  return undefined
}

function firstLine(text: string): string | undefined {
  // A line of control characters alone shows nothing.
  const start = text.search(/[^\s\p{Cc}]/u)
  if (start < 0) return undefined
  // Far fewer than a long message's characters are looked at.
  const head = text.slice(start, start + 4 * limits.preview)
  const line = head.split(/\r\n|[\n\r\u2028\u2029]/, 1)[0] ?? ''
  return firstCodePoints(line.toWellFormed().replace(/\p{Cc}/gu, ' '), limits.preview).trim()
}
