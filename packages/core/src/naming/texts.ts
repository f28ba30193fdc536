// What a conversation is named by: what its user said first. Reads forward and stops early, so it costs the same however
// long the session is. What people cannot see must not show in a title.

import type { SessionStore } from '../port/store.ts'
import { firstCodePoints } from '../text/utf8.ts'
import { isBlank, isTextBlock } from '../turns/parts.ts'
import type { ContentBlock } from '../types/content.ts'
import type { Message } from '../types/message.ts'
import { wholeGraphemes } from './length.ts'

const wantedTexts = 3
/** Code points of each. */
const textLength = 500
const pageRows = 50
/** 500 rows, or 40 MiB of content where rows are large; a text behind those is not looked for. */
const maximumPages = 10

/** The first three texts of the user that people see, 500 code points each; fewer where the first 500 rows hold fewer. */
export async function openingTexts(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
): Promise<readonly string[]> {
  const texts: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < maximumPages; page++) {
    const { items, nextCursor } = await store.messages.read(sessionId, {
      limit: pageRows,
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const message of items) {
      const text = userText(message)
      if (text !== '') texts.push(text)
      if (texts.length === wantedTexts) return texts
    }
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  return texts
}

/** What the user said in a message; '' where people do not see it, or where a tool, or a summary, speaks. */
function userText({ role, content, metadata }: Message): string {
  if (role !== 'user' || metadata.userVisible === false || metadata.summary !== undefined) return ''
  if (content.some((block) => block.type === 'tool_result')) return ''
  const seen = content
    .filter(isTextBlock)
    .filter((block) => !isBlank(block.text) && isForUsers(block))
    .map((block) => block.text)
    .join('\n')
  const text = seen.trim()
  return wholeGraphemes(text, firstCodePoints(text, textLength).length).toWellFormed()
}

interface Annotated {
  readonly annotations?: { readonly audience?: unknown } | null
  /** Where an import keeps what it has no place for. */
  readonly native?: { readonly annotations?: { readonly audience?: unknown } | null } | null
}

/** Whether a block's audience, where it names one, has the user in it. */
function isForUsers(block: ContentBlock): boolean {
  const { annotations, native } = block as unknown as Annotated
  const audience = annotations?.audience ?? native?.annotations?.audience
  return !Array.isArray(audience) || audience.includes('user')
}
