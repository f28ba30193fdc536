// A message in one line, for pages with many of them: its texts, tool calls by name, results by a line of theirs.

import type { Message } from '@sess/core'
import { type Block, resultLine, resultText } from './blocks.ts'
import { foldedLine, visibleLine } from './text.ts'

/** The line, without control characters and without an end; '' where there is nothing but thinking. */
export function messageLine({ content }: Pick<Message, 'content'>): string {
  const parts = (content as readonly Block[]).map(blockLine)
  return parts.filter((part) => part !== '').join(' ')
}

function blockLine({ type, ...block }: Block): string {
  switch (type) {
    case 'text':
      return foldedLine(String(block.text))
    case 'tool_use':
      return `→ ${visibleLine(String(block.name))}`
    case 'tool_result': {
      const line = foldedLine(resultLine(resultText(block.content)))
      return `${block.is_error === true ? '← error' : '←'} ${line || '(nothing)'}`
    }
    case 'thinking':
    case 'redacted_thinking':
      return ''
    default:
      return `[${visibleLine(String(type))}]`
  }
}
