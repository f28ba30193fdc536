// The Anthropic SDK's own types through the converters, both ways: this file is compiled and never run.

import type Anthropic from '@anthropic-ai/sdk'
import {
  fromAnthropicMessages,
  type NewMessage,
  restoreConversation,
  type SessionStore,
  toAnthropicMessages,
  validateForProvider,
} from '@sess/core'

declare const store: SessionStore
declare const client: Anthropic

/** Parameters, of the beta API too, and responses go in. */
export function read(
  params: Anthropic.MessageCreateParams,
  beta: Anthropic.Beta.MessageCreateParams,
  message: Anthropic.MessageParam,
  response: Anthropic.Message,
): NewMessage[] {
  return [
    ...fromAnthropicMessages(params),
    ...fromAnthropicMessages(beta),
    ...fromAnthropicMessages({ messages: [message, response] }),
    ...fromAnthropicMessages({ system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] }),
  ]
}

/** What comes out is a request. */
export async function ask(id: string, model: string): Promise<Anthropic.Message> {
  const { messages } = await restoreConversation(store, id)
  const request = toAnthropicMessages([...messages, { role: 'user', content: 'And now?' }])
  const breaches = validateForProvider(request, 'anthropic')
  if (breaches[0]) throw new Error(`${breaches[0].path} ${breaches[0].message}`)
  return client.messages.create({ model, max_tokens: 1024, ...request })
}

export async function askBeta(id: string, model: string): Promise<Anthropic.Beta.BetaMessage> {
  const { items } = await store.messages.read(id)
  return client.beta.messages.create({ model, max_tokens: 1024, ...toAnthropicMessages(items) })
}

export const params: Anthropic.MessageParam[] = toAnthropicMessages([]).messages

/** A whole request is checked together with its thinking option. */
export function check(request: Anthropic.MessageCreateParams): boolean {
  return validateForProvider(request, 'anthropic').length === 0
}

// @ts-expect-error messages are in an object, with the system text beside them
fromAnthropicMessages([{ role: 'user', content: 'Hi' }])
