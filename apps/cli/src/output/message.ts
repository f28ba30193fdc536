// A message for people: who and when, the text as it was written, tool calls folded to a line each.

import type { Message } from '@sess/core'
import { type Block, resultLine, resultText } from './blocks.ts'
import type { Colors } from './output.ts'
import { formatRole } from './role.ts'
import { foldedLine, visibleLine, visibleText } from './text.ts'
import { formatTime } from './time.ts'
import { truncate, widthOf } from './width.ts'

export interface MessageStyle {
  readonly colors: Colors
  /** Where folded lines are cut. */
  readonly columns: number
  readonly timeZone: string
  readonly tools: 'none' | 'brief' | 'full'
  readonly thinking: boolean
}

/**
 * The lines of a message, each with its line end, and an empty one before the head; '' when nothing of it is to be seen.
 * Results of tools alone have no head in the brief form: they go on where the call stands.
 */
export function formatMessage(message: Message, style: MessageStyle): string {
  const blocks = message.content as readonly Block[]
  const parts = blocks.map((block) => formatBlock(block, style)).filter((part) => part !== '')
  if (parts.length === 0) return ''
  const body = `${parts.join('\n')}\n`
  const isResults = blocks.every((block) => block.type === 'tool_result')
  return isResults && style.tools === 'brief' ? body : `\n${formatHead(message, style)}\n${body}`
}

function formatHead({ role, seq, createdAt, metadata }: Message, { colors, timeZone }: MessageStyle): string {
  const { summary } = metadata
  const notes = [
    formatTime(createdAt, timeZone),
    `#${seq}`,
    ...(summary ? [`summary of #${summary.fromSeq} to #${summary.throughSeq}`] : []),
    ...(metadata.agentVisible === false ? ['not for the agent'] : []),
  ]
  return `${formatRole(role, colors)}  ${colors.dim(visibleLine(notes.join('  ')))}`
}

function formatBlock(block: Block, style: MessageStyle): string {
  const { colors } = style
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? visibleText(block.text).trimEnd() : formatOther(block, colors)
    case 'tool_use':
      return style.tools === 'none' ? '' : formatUse(block, style)
    case 'tool_result':
      return style.tools === 'none' ? '' : formatResult(block, style)
    case 'thinking':
      return style.thinking ? colors.dim(`(thinking) ${visibleText(String(block.thinking)).trimEnd()}`) : ''
    case 'redacted_thinking':
      return style.thinking ? colors.dim('(thinking, redacted)') : ''
    default:
      return formatOther(block, colors)
  }
}

/** What is no text: `[image image/png]`, `[document]`. */
function formatOther(block: Block, colors: Colors): string {
  const source = block.source as { readonly media_type?: unknown } | undefined
  const media = typeof source?.media_type === 'string' ? ` ${visibleLine(source.media_type)}` : ''
  return colors.dim(`[${visibleLine(String(block.type))}${media}]`)
}

function formatUse(block: Block, { colors, columns, tools }: MessageStyle): string {
  const name = truncate(visibleLine(String(block.name)), columns - 2)
  const head = `${colors.yellow('→')} ${colors.bold(name)}`
  if (tools === 'full') return `${head}\n${indent(visibleText(JSON.stringify(block.input, null, 2) ?? ''))}`
  const room = Math.max(10, columns - widthOf(name) - 4)
  return `${head}  ${colors.dim(truncate(foldedLine(briefInput(block.input)), room))}`.trimEnd()
}

/** The only value of an input that is a text, as it stands; else JSON. */
function briefInput(input: unknown): string {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : []
  if (values.length === 1 && typeof values[0] === 'string') return values[0]
  return values.length === 0 && typeof input === 'object' ? '' : (JSON.stringify(input) ?? '')
}

function formatResult(block: Block, { colors, columns, tools }: MessageStyle): string {
  const text = resultText(block.content)
  const isError = block.is_error === true
  const arrow = isError ? colors.red('← error') : colors.dim('←')
  if (tools === 'full') return `${arrow}\n${indent(visibleText(text).trimEnd().replace(/^\n+/, ''))}`
  const lines = text.split('\n').filter((line) => line.trim() !== '').length
  const more = lines > 1 ? ` (${lines} lines)` : ''
  const room = Math.max(10, columns - more.length - (isError ? 8 : 2))
  const first = truncate(foldedLine(resultLine(text)), room) || '(nothing)'
  return `${arrow} ${colors.dim(first + more)}`
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
