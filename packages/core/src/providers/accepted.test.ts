// Any well-formed conversation of a store becomes a request that each provider accepts, wherever its parts came from;
// what one provider alone understands never reaches another.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../types/message.ts'
import { fromAnthropicMessages } from './anthropic/from.ts'
import { toAnthropicMessages } from './anthropic/to.ts'
import type { ConvertibleMessage } from './blocks.ts'
import { fromGeminiContents } from './gemini/from.ts'
import { toGeminiContents } from './gemini/to.ts'
import type { ProviderName } from './native.ts'
import { fromOpenAiMessages } from './openai-chat/from.ts'
import { toOpenAiMessages } from './openai-chat/to.ts'
import { fromOpenAiItems } from './openai-responses/from.ts'
import { toOpenAiItems } from './openai-responses/to.ts'
import { anthropicRequest } from './testing/anthropic.ts'
import { chatMessages } from './testing/chat.ts'
import { geminiRequest } from './testing/gemini.ts'
import { items } from './testing/items.ts'
import { openSession, type SessionMessage, session } from './testing/sessions.ts'
import { validateForProvider } from './validate.ts'

const convert = {
  anthropic: toAnthropicMessages,
  'openai-chat': toOpenAiMessages,
  'openai-responses': toOpenAiItems,
  gemini: toGeminiContents,
} as const

const names = Object.keys(convert) as ProviderName[]

function breaches(messages: readonly ConvertibleMessage[], name: ProviderName, history = false) {
  return validateForProvider(convert[name](messages) as never, name, { history })
}

describe.each(names)('a request for %s', (name) => {
  const question = { role: 'user', content: [{ type: 'text', text: 'And now?' }] } as const

  it('is accepted, made of any conversation with a question behind it', () => {
    fc.assert(
      fc.property(session, (messages) => {
        expect(breaches([...messages, question], name)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('is accepted as a history to which the question is added', () => {
    fc.assert(
      fc.property(session, (messages) => {
        expect(breaches(messages, name, true)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('is accepted in the middle of a turn, behind the results of calls', () => {
    fc.assert(
      fc.property(openSession, (messages) => {
        expect(breaches(messages, name)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('is accepted with system messages at its start and in the middle', () => {
    fc.assert(
      fc.property(session, fc.nat({ max: 30 }), (messages, at) => {
        const system: SessionMessage = { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }
        const mixed = messages.toSpliced(at, 0, system)
        expect(breaches([system, ...mixed, question], name)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('holds nothing that only another provider knows', () => {
    const sources = [
      ['anthropic', anthropicRequest.map(fromAnthropicMessages)],
      ['openai-chat', chatMessages.map(fromOpenAiMessages)],
      ['openai-responses', items.map(fromOpenAiItems)],
      ['gemini', geminiRequest.map((request) => fromGeminiContents(request))],
    ] as const
    for (const [source, arbitrary] of sources.filter(([each]) => each !== name)) {
      fc.assert(
        fc.property(arbitrary, (messages) => {
          expect(
            keysOf(convert[name](messages)).filter((key) => !known[name].has(key)),
            source,
          ).toEqual([])
        }),
        { numRuns: 100 },
      )
    }
  })

  it('is accepted, made of what any provider was sent and was read again', () => {
    for (const source of names) {
      fc.assert(
        fc.property(session, (messages) => {
          const read = readAgain(source, [...messages, question])
          expect(breaches(read, name), source).toEqual([])
          // As restore gives them: without metadata, role tool as user.
          const bare = read.map(
            ({ role, content }) => ({ role: role === 'tool' ? 'user' : role, content }) as const,
          )
          expect(breaches(bare, name), source).toEqual([])
        }),
        { numRuns: 40 },
      )
    }
  })
})

function readAgain(name: ProviderName, messages: readonly ConvertibleMessage[]): NewMessage[] {
  switch (name) {
    case 'anthropic':
      return fromAnthropicMessages(toAnthropicMessages(messages))
    case 'openai-chat':
      return fromOpenAiMessages(toOpenAiMessages(messages))
    case 'openai-responses':
      return fromOpenAiItems(toOpenAiItems(messages))
    case 'gemini':
      return fromGeminiContents(toGeminiContents(messages))
  }
}

/** Members of a request, but for what a tool takes and gives: that is the tool's own. */
function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    key,
    ...(['input', 'args', 'response'].includes(key) ? [] : keysOf(member)),
  ])
}

const known: { readonly [name in ProviderName]: ReadonlySet<string> } = {
  anthropic: new Set([
    ...[
      'system',
      'messages',
      'role',
      'content',
      'type',
      'text',
      'source',
      'media_type',
      'data',
      'url',
      'title',
    ],
    ...['id', 'name', 'input', 'tool_use_id', 'is_error'],
  ]),
  'openai-chat': new Set([
    ...['role', 'content', 'type', 'text', 'image_url', 'url', 'file', 'filename', 'file_data'],
    ...['tool_calls', 'id', 'function', 'name', 'arguments', 'tool_call_id'],
  ]),
  'openai-responses': new Set([
    ...['role', 'content', 'type', 'text', 'image_url', 'detail', 'file_data', 'file_url', 'filename'],
    ...['call_id', 'name', 'arguments', 'output'],
  ]),
  gemini: new Set([
    ...[
      'systemInstruction',
      'contents',
      'role',
      'parts',
      'text',
      'inlineData',
      'mimeType',
      'data',
      'fileData',
    ],
    ...['fileUri', 'functionCall', 'name', 'args', 'functionResponse', 'response', 'thoughtSignature'],
  ]),
}
