// The OpenAI SDK's own types through the converters, both ways: this file is compiled and never run.

import {
  fromOpenAiItems,
  fromOpenAiMessages,
  type NewMessage,
  restoreConversation,
  type SessionStore,
  toOpenAiItems,
  toOpenAiMessages,
  validateForProvider,
} from '@sess/core'
import type OpenAI from 'openai'

declare const store: SessionStore
declare const client: OpenAI

// Chat Completions

export function readMessages(
  params: OpenAI.Chat.ChatCompletionMessageParam[],
  completion: OpenAI.Chat.ChatCompletion,
): NewMessage[] {
  const answer = completion.choices[0]?.message
  return [...fromOpenAiMessages(params), ...(answer ? fromOpenAiMessages([answer]) : [])]
}

export async function askChat(id: string, model: string): Promise<OpenAI.Chat.ChatCompletion> {
  const { messages } = await restoreConversation(store, id)
  return client.chat.completions.create({ model, messages: toOpenAiMessages(messages) })
}

export const params: OpenAI.Chat.ChatCompletionMessageParam[] = toOpenAiMessages([])

export function checkMessages(messages: OpenAI.Chat.ChatCompletionMessageParam[]): boolean {
  return validateForProvider(messages, 'openai-chat', { history: true }).length === 0
}

// Responses

export function readItems(
  input: OpenAI.Responses.ResponseInputItem[],
  response: OpenAI.Responses.Response,
): NewMessage[] {
  return [...fromOpenAiItems(input), ...fromOpenAiItems(response.output)]
}

export async function askResponses(id: string, model: string): Promise<OpenAI.Responses.Response> {
  const { items } = await store.messages.read(id)
  return client.responses.create({ model, input: toOpenAiItems(items), store: false })
}

export const items: OpenAI.Responses.ResponseInputItem[] = toOpenAiItems([])

export function checkItems(input: OpenAI.Responses.ResponseInput): boolean {
  return validateForProvider(input, 'openai-responses').length === 0
}

// @ts-expect-error one message is a list of one
fromOpenAiMessages({ role: 'user', content: 'Hi' })
// @ts-expect-error items of the Responses API are no messages of Chat Completions
validateForProvider([{ type: 'reasoning', summary: [] }], 'openai-chat')
