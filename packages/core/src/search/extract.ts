// What of a message is searched: what is said, and what goes to tools and comes back. Reasoning is not.

import { isTextBlock } from '../turns/parts.ts'
import type { ContentBlock, ToolResultBlock, ToolUseBlock } from '../types/content.ts'
import type { MessageMetadata } from '../types/message.ts'
import { type Token, tokenize } from './tokens.ts'

/** A column of the index: a text, and its tokens with their places in it. */
export interface Column {
  readonly text: string
  readonly tokens: readonly Token[]
}

export interface SearchColumns {
  /** Text blocks. */
  readonly text: Column
  /** Names, inputs and results of tools. */
  readonly tool: Column
}

/** Characters (UTF-16) of one input or result that are looked at. */
const toolHead = 8192

/** What is searched of a message; `undefined` for one that people cannot see. */
export function searchColumns(
  content: readonly ContentBlock[],
  metadata: MessageMetadata,
): SearchColumns | undefined {
  if (metadata.userVisible === false) return undefined
  return {
    text: columnOf(content.filter(isTextBlock).map(({ text }) => text)),
    tool: columnOf(content.flatMap(toolTexts)),
  }
}

/** The names of the tools a message calls. */
export function toolNames(content: readonly ContentBlock[]): string[] {
  return content.flatMap((block) => (isToolUse(block) && typeof block.name === 'string' ? [block.name] : []))
}

/** One text after the other; no phrase reaches from one into the next. */
export function columnOf(texts: readonly string[]): Column {
  const tokens: Token[] = []
  let position = 0
  let offset = 0
  for (const text of texts) {
    const own = tokenize(text)
    for (const token of own) {
      tokens.push({
        ...token,
        start: token.start + offset,
        end: token.end + offset,
        position: token.position + position,
      })
    }
    position += (own.at(-1)?.position ?? -1) + 2
    offset += text.length + 1
  }
  return { text: texts.join('\n'), tokens }
}

const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === 'tool_use'
const isToolResult = (block: ContentBlock): block is ToolResultBlock => block.type === 'tool_result'

function toolTexts(block: ContentBlock): string[] {
  if (isToolUse(block)) return [String(block.name ?? ''), headOf([...valuesOf(block.input)])]
  if (!isToolResult(block)) return []
  const { content } = block
  if (typeof content === 'string') return [headOf([content])]
  return Array.isArray(content) ? [headOf(content.filter(isTextBlock).map(({ text }) => text))] : []
}

/** Keys and values of an input, as `key: value`; deeper keys alone. */
function* valuesOf(input: unknown): Generator<string, void, undefined> {
  const stack: [key: string, value: unknown][] = [['', input]]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [key, value] = next
    const label = key === '' ? '' : `${key}: `
    if (typeof value !== 'object' || value === null) {
      yield `${label}${String(value)}`
      continue
    }
    if (key !== '') yield key
    const members = Array.isArray(value) ? value.map((item) => ['', item] as const) : Object.entries(value)
    for (const [name, member] of members.toReversed()) stack.push([name, member])
  }
}

/** Lines up to the bound; never half of a surrogate pair. */
function headOf(lines: readonly string[]): string {
  let head = ''
  for (const line of lines) {
    if (head.length >= toolHead) break
    head = head === '' ? line : `${head}\n${line}`
  }
  if (head.length <= toolHead) return head
  const cut = head.slice(0, toolHead)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}
