// What comes from a provider goes back to it as it was, also after it has been stored.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertJsonValue } from '../input/json.ts'
import { newMessageSchema } from '../input/schemas.ts'
import type { NewMessage } from '../types/message.ts'
import { fromAnthropicMessages } from './anthropic/from.ts'
import { toAnthropicMessages } from './anthropic/to.ts'
import { fromGeminiContents } from './gemini/from.ts'
import { toGeminiContents } from './gemini/to.ts'
import { fromOpenAiMessages } from './openai-chat/from.ts'
import { toOpenAiMessages } from './openai-chat/to.ts'
import { fromOpenAiItems } from './openai-responses/from.ts'
import { toOpenAiItems } from './openai-responses/to.ts'
import { anthropicRequest } from './testing/anthropic.ts'
import { chatMessages } from './testing/chat.ts'
import { geminiRequest } from './testing/gemini.ts'
import { items } from './testing/items.ts'
import { cloned } from './testing/values.ts'

/** The messages as a store gives them back: checked as it checks them, and once through JSON. */
function stored(messages: readonly NewMessage[]): readonly NewMessage[] {
  assertJsonValue(messages)
  for (const message of messages) newMessageSchema.parse(message)
  return cloned(messages)
}

const runs = { numRuns: 400 }

describe('a conversation of any legal shape comes back as it was', () => {
  it('from the Anthropic Messages API', () => {
    fc.assert(
      fc.property(anthropicRequest, (request) => {
        const messages = fromAnthropicMessages(request)
        expect(toAnthropicMessages(messages)).toEqual(request)
        expect(toAnthropicMessages(stored(messages))).toEqual(request)
      }),
      runs,
    )
  })

  it('from Chat Completions', () => {
    fc.assert(
      fc.property(chatMessages, (request) => {
        const messages = fromOpenAiMessages(request)
        expect(toOpenAiMessages(messages)).toEqual(request)
        expect(toOpenAiMessages(stored(messages))).toEqual(request)
      }),
      runs,
    )
  })

  it('from the Responses API', () => {
    fc.assert(
      fc.property(items, (request) => {
        const messages = fromOpenAiItems(request)
        expect(toOpenAiItems(messages)).toEqual(request)
        expect(toOpenAiItems(stored(messages))).toEqual(request)
      }),
      runs,
    )
  })

  it("from Gemini's generateContent", () => {
    fc.assert(
      fc.property(geminiRequest, (request) => {
        const messages = fromGeminiContents(request)
        expect(toGeminiContents(messages)).toEqual(request)
        expect(toGeminiContents(stored(messages))).toEqual(request)
      }),
      runs,
    )
  })
})
