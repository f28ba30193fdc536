// Whether a context can be sent.

import { toAnthropicMessages } from '../../providers/anthropic/to.ts'
import { toGeminiContents } from '../../providers/gemini/to.ts'
import { toOpenAiMessages } from '../../providers/openai-chat/to.ts'
import { toOpenAiItems } from '../../providers/openai-responses/to.ts'
import type { RuleBreach } from '../../providers/rule.ts'
import { validateForProvider } from '../../providers/validate.ts'
import type { RestoredMessage } from '../../types/message.ts'

/** What four providers would refuse of it. */
export function breachesOf(messages: readonly RestoredMessage[]): RuleBreach[] {
  return [
    ...validateForProvider(toAnthropicMessages(messages), 'anthropic'),
    ...validateForProvider(toOpenAiMessages(messages), 'openai-chat'),
    ...validateForProvider(toOpenAiItems(messages), 'openai-responses'),
    ...validateForProvider(toGeminiContents(messages), 'gemini'),
  ]
}
