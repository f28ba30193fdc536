// Text-mode restore: a window of turns becomes alternating user and assistant texts. Pure; stored rows never change.

import { checkWindow } from '../input/arguments.ts'
import type { TurnWindow } from '../port/messages.ts'
import { isBlank, isTextBlock, textForm, turnPart, turnParts } from '../turns/parts.ts'
import type { ContentBlock } from '../types/content.ts'
import type { Message, RestoredMessage } from '../types/message.ts'

export type Locale = 'en' | 'zh'

/** One turn as texts; `reply` is absent where the assistant said nothing. */
interface TextTurn {
  readonly user: readonly string[]
  readonly reply?: string
}

/**
 * The context of a window that `recentTurns` gave in text mode. The result begins with user, alternates, holds one text
 * block a message, and ends with the last question where it has no reply. Lone surrogates become U+FFFD.
 *
 * @throws {StoreError} invalid what is no window
 */
export function restoreText(
  window: Pick<TurnWindow, 'messages' | 'summary' | 'turns'>,
  locale: Locale = 'en',
): readonly RestoredMessage[] {
  checkWindow('restoreText', window)
  const restored: { role: 'user' | 'assistant'; text: string }[] = []
  const add = (role: 'user' | 'assistant', text: string) => {
    const last = restored.at(-1)
    if (last?.role === role) last.text += `\n\n${text}`
    else if (last !== undefined || role === 'user') restored.push({ role, text })
  }
  for (const turn of textTurns(window, locale)) {
    for (const text of turn.user) add('user', text)
    if (turn.reply !== undefined) add('assistant', turn.reply)
  }
  return restored.map(({ role, text }) => ({ role, content: [{ type: 'text', text: text.toWellFormed() }] }))
}

function textTurns(window: Pick<TurnWindow, 'messages' | 'summary' | 'turns'>, locale: Locale): TextTurn[] {
  const { messages, summary, turns = [] } = window
  // Rows before the first turn are the rest of the summary's own turn. An opener that is damaged leaves its turn.
  const groups: { opener: Message | undefined; others: Message[] }[] = [{ opener: summary, others: [] }]
  let next = 0
  for (const message of messages) {
    let opens = false
    for (; message.seq >= (turns[next]?.seq ?? Number.POSITIVE_INFINITY); next++) {
      opens = message.seq === turns[next]?.seq
      groups.push({ opener: opens ? message : undefined, others: [] })
    }
    if (!opens) groups.at(-1)?.others.push(message)
  }
  return groups.map(({ opener, others }) => textTurn(opener, others, locale))
}

function textTurn(opener: Message | undefined, others: readonly Message[], locale: Locale): TextTurn {
  const user = opener ? [openerText(opener.content, locale)] : []
  let reply: string | undefined
  for (const message of others) {
    const text = joinText(message.content)
    if (message.role !== 'assistant') user.push(text)
    else if (text !== '') reply = text
  }
  const said = user.filter((text) => text !== '')
  return reply === undefined ? { user: said } : { user: said, reply }
}

/** The not blank text blocks, verbatim, joined by a newline. */
export function joinText(content: readonly ContentBlock[]): string {
  return content
    .filter(isTextBlock)
    .map((block) => block.text)
    .filter((text) => !isBlank(text))
    .join('\n')
}

function openerText(content: readonly ContentBlock[], locale: Locale): string {
  const text = joinText(content)
  if (text !== '') return text
  const first = content.find((block) => !isTextBlock(block))
  return first === undefined ? '' : placeholder(String(first.type), locale)
}

function placeholder(type: string, locale: Locale): string {
  if (locale === 'zh' && type === 'image') return '[图片]'
  if (locale === 'zh' && type === 'document') return '[文档]'
  return `[${type}]`
}

/** What text mode would have read of a turn's messages: opener, steering texts and the reply, cut to their texts. */
export function toTextMessages(messages: readonly Message[]): readonly Message[] {
  const parts = messages.map(({ role, content, metadata }) => turnPart(role, content, metadata))
  const reply = parts.lastIndexOf(turnParts.reply)
  const last = reply >= 0 ? reply : parts.lastIndexOf(turnParts.interim)
  return messages
    .filter(
      (_, index) =>
        parts[index] === turnParts.opener || parts[index] === turnParts.steering || index === last,
    )
    .map((message) => ({ ...message, content: textForm(message.content) ?? message.content }))
}
