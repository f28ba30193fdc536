// Messages and walks over pages, in the few shapes specs need.

import assert from 'node:assert/strict'
import type { Message, MessageRange, NewMessage, Session, SessionQuery, SessionStore } from '@sess/core'

type Block = { readonly type: string; readonly [key: string]: unknown }

/** A text block. */
export function text(value: string): Block {
  return { type: 'text', text: value }
}

/** A tool_use block of a tool `bash`. */
export function toolUse(id: string): Block {
  return { type: 'tool_use', id, name: 'bash', input: { cmd: 'ls' } }
}

/** A tool_result block. */
export function toolResult(id: string, content = 'ok'): Block {
  return { type: 'tool_result', tool_use_id: id, content, is_error: false }
}

/** An image block of a few bytes. */
export function image(): Block {
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
}

/** A message of a user: a text, or blocks. */
export function user(content: string | readonly Block[], rest: Partial<NewMessage> = {}): NewMessage {
  return { role: 'user', content, ...rest }
}

/** A message of the assistant: a text, or blocks. */
export function assistant(content: string | readonly Block[], rest: Partial<NewMessage> = {}): NewMessage {
  return { role: 'assistant', content, ...rest }
}

/** Questions and answers `q1`, `a1`, `q2`, `a2`, ...: two messages a turn. */
export function turns(count: number, first = 1): NewMessage[] {
  return Array.from({ length: count }, (_, index) => [
    user(`q${first + index}`),
    assistant(`a${first + index}`),
  ]).flat()
}

/** The numbers from 1 to `count`. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** The seqs of messages, in the order given. */
export function seqs(messages: readonly Message[]): number[] {
  return messages.map(({ seq }) => seq)
}

/** The first text of each message, '' where there is none. */
export function texts(messages: readonly Pick<Message, 'content'>[]): string[] {
  return messages.map(({ content }) => {
    const found = content.find((block) => block.type === 'text') as { text?: string } | undefined
    return found?.text ?? ''
  })
}

/** The ids of sessions, in the order given. */
export function ids(sessions: readonly Session[]): string[] {
  return sessions.map(({ id }) => id)
}

/** All messages of a session by seq, page by page. */
export async function readAll(
  store: SessionStore,
  sessionId: string,
  range: MessageRange = {},
): Promise<Message[]> {
  const found: Message[] = []
  let cursor: string | undefined
  do {
    const page = await store.messages.read(sessionId, {
      ...range,
      ...(cursor === undefined ? {} : { cursor }),
    })
    assert.ok(page.items.length > 0 || page.nextCursor === undefined, 'an empty page has a next one')
    found.push(...page.items)
    assert.notEqual(page.nextCursor ?? 'end', cursor, 'a page names itself as the next one')
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

/** The ids of all sessions of a list, page by page; `between` runs before each page but the first. */
export async function listAll(
  store: SessionStore,
  query: SessionQuery = {},
  between?: (seen: readonly string[]) => Promise<void>,
): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.sessions.list({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    assert.ok(page.items.length > 0 || page.nextCursor === undefined, 'an empty page has a next one')
    assert.ok(page.items.length <= (query.limit ?? 50), 'a page is longer than its limit')
    found.push(...ids(page.items))
    assert.notEqual(page.nextCursor ?? 'end', cursor, 'a page names itself as the next one')
    cursor = page.nextCursor
    if (cursor !== undefined) await between?.(found)
  } while (cursor !== undefined)
  return found
}
