// Whether a provider would take a request. The rules are those that providers were seen to refuse by, each with its
// source; what only the provider can know (signatures, ciphertext, sizes in tokens) is in none of them.

import { z } from 'zod'
import { checkFor } from '../input/arguments.ts'
import { contentRules as anthropicContent } from './anthropic/rules/content.ts'
import { orderRules as anthropicOrder } from './anthropic/rules/order.ts'
import { thinkingRules as anthropicThinking } from './anthropic/rules/thinking.ts'
import { toolRules as anthropicTools } from './anthropic/rules/tools.ts'
import { viewOf as anthropicView } from './anthropic/rules/view.ts'
import type { AnthropicInput } from './anthropic/types.ts'
import { contentRules as geminiContent } from './gemini/rules/content.ts'
import { toolRules as geminiTools } from './gemini/rules/tools.ts'
import { viewOf as geminiView } from './gemini/rules/view.ts'
import type { GeminiInput } from './gemini/types.ts'
import type { ProviderName } from './native.ts'
import { contentRules as chatContent } from './openai-chat/rules/content.ts'
import { toolRules as chatTools } from './openai-chat/rules/tools.ts'
import { viewOf as chatView } from './openai-chat/rules/view.ts'
import type { OpenAiInputMessage } from './openai-chat/types.ts'
import { contentRules as itemContent } from './openai-responses/rules/content.ts'
import { toolRules as itemTools } from './openai-responses/rules/tools.ts'
import { viewOf as itemsView } from './openai-responses/rules/view.ts'
import type { OpenAiInputItem } from './openai-responses/types.ts'
import { breachesOf, type RuleBreach } from './rule.ts'

/** What each provider's converter gives: the part of a request that holds the conversation. */
export interface ProviderRequests {
  /** With `thinking`, as the request has it, the rules that depend on it are looked at, too. */
  readonly anthropic: AnthropicInput & { readonly thinking?: { readonly type: string } }
  readonly 'openai-chat': readonly OpenAiInputMessage[]
  readonly 'openai-responses': readonly OpenAiInputItem[]
  readonly gemini: GeminiInput
}

export interface ValidateOptions {
  /**
   * The caller adds to the conversation before sending it: it may end with the assistant, and its last calls may be
   * unanswered. False unless given.
   */
  readonly history?: boolean
}

/**
 * The rules of a provider that a request breaks, in the order of its rules; empty where it would be accepted. Rules of
 * stricter hosts of the same API (Bedrock for Anthropic, other servers of OpenAI's dialect) count. Whatever the request
 * is, it is looked at: one that cannot be read breaks the rule `request-readable`.
 *
 * @throws {StoreError} invalid a provider that is none, options that are none
 */
export function validateForProvider<Name extends ProviderName>(
  request: ProviderRequests[Name],
  provider: Name,
  options: ValidateOptions = {},
): RuleBreach[] {
  checkFor('validateForProvider', providerSchema, provider, 'provider')
  checkFor('validateForProvider', optionsSchema, options, 'options')
  try {
    return validators[provider](request, options.history === true)
  } catch (error) {
    const message = `cannot be written as JSON: ${String(error)}`
    return [{ rule: 'request-readable', path: '', message, source: 'www.rfc-editor.org/rfc/rfc8259' }]
  }
}

const providerSchema = z.enum(['anthropic', 'openai-chat', 'openai-responses', 'gemini'])
const optionsSchema = z.looseObject({ history: z.boolean().optional() })

const anthropicRules = [...anthropicOrder, ...anthropicContent, ...anthropicTools, ...anthropicThinking]

const validators: { readonly [name in ProviderName]: (request: unknown, history: boolean) => RuleBreach[] } =
  {
    anthropic: (request, history) => breachesOf(anthropicRules, anthropicView(request, history)),
    'openai-chat': (request, history) =>
      breachesOf([...chatContent, ...chatTools], chatView(request, history)),
    'openai-responses': (request, history) =>
      breachesOf([...itemContent, ...itemTools], itemsView(request, history)),
    gemini: (request, history) =>
      breachesOf([...geminiContent, ...geminiTools], geminiView(request, history)),
  }
