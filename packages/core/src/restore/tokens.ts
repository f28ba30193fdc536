// Windows by tokens: turns are taken from the newest back while they fit.

import type { TurnWindow } from '../port/messages.ts'
import { utf8Length } from '../text/utf8.ts'
import type { Message } from '../types/message.ts'
import { restoreText } from './text.ts'

/** How many tokens a text has; {@link estimateTokens} unless a host knows better. */
export type CountTokens = (text: string) => number

/** UTF-8 bytes by four: no tokenizer, but never far off, and the same for every model. */
export function estimateTokens(text: string): number {
  return Math.ceil(utf8Length(text) / 4)
}

/** The messages of each turn of a window, oldest first; `head` is what stands before the first. */
export function messagesByTurn({ messages, turns }: Pick<TurnWindow, 'messages' | 'turns'>): {
  readonly head: readonly Message[]
  readonly turns: readonly (readonly Message[])[]
} {
  const starts = turns.map(({ seq }) => seq)
  const groups: Message[][] = starts.map(() => [])
  const head: Message[] = []
  let turn = -1
  for (const message of messages) {
    while (message.seq >= (starts[turn + 1] ?? Number.POSITIVE_INFINITY)) turn++
    ;(groups[turn] ?? head).push(message)
  }
  return { head, turns: groups }
}

/** What a turn costs: in text mode its two texts, in full mode its blocks as JSON. */
export function turnTokens(
  messages: readonly Message[],
  seq: number,
  mode: 'text' | 'full',
  count: CountTokens,
): number {
  if (mode === 'full') {
    const seen = messages.filter(({ role, metadata }) => role !== 'system' && metadata.agentVisible !== false)
    return seen.reduce((sum, { content }) => sum + count(JSON.stringify(content)), 0)
  }
  const texts = restoreText({ messages, turns: [{ seq, interrupted: false }] })
  return texts.reduce(
    (sum, { content }) => sum + count(content.map((block) => (block as { text: string }).text).join('')),
    0,
  )
}

/**
 * How many of the latest turns fit: at least one, which is given even where it alone is too large.
 *
 * @param costs oldest first; @param before what the summary and the rest of its turn cost
 */
export function turnsThatFit(costs: readonly number[], maxTokens: number, before: number): number {
  let sum = before
  let count = 0
  for (const cost of costs.toReversed()) {
    sum += cost
    if (count > 0 && sum > maxTokens) break
    count++
  }
  return count
}
