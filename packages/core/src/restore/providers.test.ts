// Any window of any history, restored in either mode, is what the four providers accept, converted or, where it has their
// shape, as it is; and no word of the user is lost on the way.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import { toAnthropicMessages } from '../providers/anthropic/to.ts'
import { toGeminiContents } from '../providers/gemini/to.ts'
import { toOpenAiMessages } from '../providers/openai-chat/to.ts'
import { toOpenAiItems } from '../providers/openai-responses/to.ts'
import { validateForProvider } from '../providers/validate.ts'
import { turnPart, turnParts } from '../turns/parts.ts'
import type { ContentBlock } from '../types/content.ts'
import type { Message, NewMessage } from '../types/message.ts'
import { restoreConversation } from './conversation.ts'

/** Texts that can be told apart: each with a number of its own. */
const words = fc.constantFrom('ask', 'tell', '悬空', '😀', 'half \ud83d')
const toolId = fc.constantFrom('a', 'b', 'c')

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 4, arbitrary: words.map((text) => ({ type: 'text' as const, text })) },
  {
    weight: 3,
    arbitrary: toolId.map((id) => ({ type: 'tool_use' as const, id, name: 'bash', input: { cmd: 'ls' } })),
  },
  {
    weight: 3,
    arbitrary: toolId.map((id) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'ok' })),
  },
  fc.constant({ type: 'text' as const, text: ' ' }),
  fc.constant({ type: 'thinking' as const, thinking: 'hm', signature: 's' }),
  fc.constantFrom(
    { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'half \udc00' } },
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
  ) as unknown as fc.Arbitrary<ContentBlock>,
)

/** Who wrote some of the messages, and whom all are for: thinking comes back. */
const target = { provider: 'anthropic', model: 'm' }

const message: fc.Arbitrary<NewMessage> = fc.record({
  role: fc.constantFrom('user', 'user', 'assistant', 'assistant', 'tool', 'system'),
  content: fc.array(block, { maxLength: 4 }),
  metadata: fc.constantFrom({}, target, target, { agentVisible: false }),
})

/** Numbers every text, so that it can be found again. */
function numbered(messages: readonly NewMessage[]): NewMessage[] {
  let number = 0
  return messages.map((one) => ({
    ...one,
    content: (one.content as readonly ContentBlock[]).map((part) =>
      part.type === 'text' && part.text.trim() !== ''
        ? { ...part, text: `${part.text} #${number++}.` }
        : part,
    ),
  }))
}

/** What the user said in the window, in order. */
function userTexts(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role, content, metadata }) => {
      const part = turnPart(role, content, metadata)
      return part === turnParts.opener || part === turnParts.steering
    })
    .flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : [])),
    )
}

const requests = {
  anthropic: toAnthropicMessages,
  'openai-chat': toOpenAiMessages,
  'openai-responses': toOpenAiItems,
  gemini: toGeminiContents,
} as const

describe.each(['text', 'full'] as const)('in %s mode', (mode) => {
  test('every window is accepted by all four, and keeps what the user said', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 24, size: 'max' }),
        fc.integer({ min: 1, max: 4 }),
        async (given, turns) => {
          const store = createMemoryStore()
          await store.messages.append('s', numbered(given), { createSession: true })
          const { messages } = await restoreConversation(store, 's', { mode, turns, ...target })
          const window = await store.messages.recentTurns('s', { turns, mode: 'full' })

          const said = JSON.stringify(messages.filter(({ role }) => role === 'user'))
          let from = 0
          for (const text of userTexts(window.messages)) {
            const at = said.indexOf(JSON.stringify(text.toWellFormed()).slice(1, -1), from)
            expect(at, `${text} in ${said}`).toBeGreaterThanOrEqual(from)
            from = at
          }
          if (messages.length === 0) return
          const bare = { messages } as Parameters<typeof validateForProvider<'anthropic'>>[0]
          expect(validateForProvider(bare, 'anthropic', { history: true }), JSON.stringify(bare)).toEqual([])
          for (const provider of Object.keys(requests) as (keyof typeof requests)[]) {
            const request = requests[provider](messages)
            const breaches = validateForProvider(request as never, provider, { history: true })
            expect(breaches, JSON.stringify(request)).toEqual([])
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
