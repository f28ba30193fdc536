// Full-mode restore: every agent-visible message of the window, repaired so that a provider accepts it. Pure; stored
// rows never change.

import { checkWindow } from '../input/arguments.ts'
import type { TurnWindow } from '../port/messages.ts'
import { assistantOnly, userOnly } from '../providers/anthropic/members.ts'
import { isBlank, isTextBlock, turnPart, turnParts } from '../turns/parts.ts'
import type { ContentBlock } from '../types/content.ts'
import type { Message, RestoredMessage } from '../types/message.ts'
import { pairTools } from './pairs.ts'
import { joinText } from './text.ts'

/** The model that the messages go to: thinking is kept only where the same one wrote it. */
export interface RestoreTarget {
  readonly provider?: string
  readonly model?: string
}

export interface FullRestore {
  readonly messages: readonly RestoredMessage[]
  /** Blocks that were added, moved, renamed or left out so that calls and results pair. */
  readonly repaired: number
}

/**
 * The context of a window that `recentTurns` gave in full mode: summary first as a user's text, role tool as user, system
 * rows left out, calls and results paired, blank texts and empty messages gone, neighbours of one role merged, lone
 * surrogates as U+FFFD. It begins with user and alternates. What only a user can show (images, documents) is told in an
 * assistant's message by its type: "[image]".
 *
 * @throws {StoreError} invalid what is no window
 */
export function restoreFull(
  window: Pick<TurnWindow, 'messages' | 'summary'>,
  target: RestoreTarget = {},
): FullRestore {
  checkWindow('restoreFull', window)
  return restoreFullBehind([], window, target)
}

/** As {@link restoreFull}, behind what is restored already. */
export function restoreFullBehind(
  before: readonly RestoredMessage[],
  window: Pick<TurnWindow, 'messages' | 'summary'>,
  target: RestoreTarget,
): FullRestore {
  const visible = window.messages.filter(isVisible)
  const given: RestoredMessage[] = [
    ...before,
    ...(window.summary ? [summaryMessage(window.summary)] : []),
    ...visible.map((message) => toRestored(message, target)),
  ]
  const { leading, rest } = splitLeading(given.map(wellFormed))
  const { messages, repaired } = pairTools(rest)
  return {
    messages: mergeNeighbours(mergeNeighbours(messages).flatMap(withoutLastThinking)),
    repaired: repaired + leading + visible.filter(hasStrayCall).length,
  }
}

/** Whether a full restore gives a message. */
export function isVisible({ role, metadata }: Message): boolean {
  return role !== 'system' && metadata.agentVisible !== false
}

/** A summary is the user's whatever its stored role: one text, and behind it what is no text. */
function summaryMessage({ content }: Message): RestoredMessage {
  const text = joinText(content)
  const others = content.filter(
    (block) => !isTextBlock(block) && !assistantOnly.has(String(block.type)) && block.type !== 'tool_result',
  )
  return { role: 'user', content: [...(text === '' ? [] : [textBlock(text)]), ...others] }
}

/** A call in a user's message is nobody's. */
function hasStrayCall({ role, content }: Message): boolean {
  return role !== 'assistant' && content.some((block) => block.type === 'tool_use')
}

function toRestored(message: Message, target: RestoreTarget): RestoredMessage {
  const { role, content, metadata } = message
  const keepsThinking =
    target.provider !== undefined &&
    target.model !== undefined &&
    metadata.provider === target.provider &&
    metadata.model === target.model
  if (role === 'assistant') {
    const kept = content.filter((block) => !isBlankText(block) && (keepsThinking || !isThinking(block)))
    return { role, content: kept.map((block) => (isShownByUser(block) ? placeholder(block) : block)) }
  }
  const kept = content.filter((block) => !isBlankText(block) && !assistantOnly.has(String(block.type)))
  const first = content.find((block) => !isTextBlock(block))
  // A question of which nothing is left still had an answer.
  const isOpener = turnPart(role, content, metadata) === turnParts.opener
  const told = kept.length === 0 && isOpener && first ? [placeholder(first)] : []
  return { role: 'user', content: [...kept, ...told] }
}

/** Assistant messages and bare results before the first message of a user's own have nobody to answer. */
function splitLeading(messages: readonly RestoredMessage[]): {
  readonly leading: number
  readonly rest: readonly RestoredMessage[]
} {
  const filled = messages.filter(({ content }) => content.length > 0)
  const first = filled.findIndex(
    ({ role, content }) => role === 'user' && content.some((block) => block.type !== 'tool_result'),
  )
  const rest = first < 0 ? [] : filled.slice(first)
  return { leading: filled.length - rest.length, rest }
}

/** Results stand first in a user's message, then what the user said. */
function mergeNeighbours(messages: readonly RestoredMessage[]): RestoredMessage[] {
  const merged: { role: RestoredMessage['role']; content: readonly ContentBlock[] }[] = []
  for (const { role, content } of messages) {
    const last = merged.at(-1)
    if (last?.role === role) last.content = [...last.content, ...content]
    else merged.push({ role, content })
  }
  return merged
}

/** Thinking leads to something: providers refuse a message that ends with it. */
function withoutLastThinking({ role, content }: RestoredMessage): RestoredMessage[] {
  const kept = content.slice(0, content.findLastIndex((block) => !isThinking(block)) + 1)
  return kept.length === 0 ? [] : [{ role, content: kept }]
}

function isBlankText(block: ContentBlock): boolean {
  return isTextBlock(block) && isBlank(block.text)
}

function isThinking(block: ContentBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

/** Providers refuse it in a message of the assistant. Results are for their calls. */
function isShownByUser({ type }: ContentBlock): boolean {
  return userOnly.has(String(type)) && type !== 'tool_result'
}

function placeholder({ type }: ContentBlock): ContentBlock {
  return textBlock(`[${String(type)}]`)
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}

/** Lone surrogates make a provider refuse the whole body, wherever in it they are. */
function wellFormed({ role, content }: RestoredMessage): RestoredMessage {
  return { role, content: replaceLoneSurrogates(content) as readonly ContentBlock[] }
}

function replaceLoneSurrogates(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  // Most values are as they should be: those come back themselves.
  if (JSON.stringify(value).search(/\\ud[89a-f][0-9a-f]{2}/i) < 0) return value
  if (Array.isArray(value)) return value.map(replaceLoneSurrogates)
  const copy = {}
  for (const [key, member] of Object.entries(value)) {
    const fields = {
      value: replaceLoneSurrogates(member),
      enumerable: true,
      writable: true,
      configurable: true,
    }
    Object.defineProperty(copy, key.toWellFormed(), fields)
  }
  return copy
}
