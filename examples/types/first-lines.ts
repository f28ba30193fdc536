// The lines a user writes first, against the real types of the SDKs: this file is compiled and never run. A line that
// stops compiling here is a line that breaks in somebody's program.

import type Anthropic from '@anthropic-ai/sdk'
import type { AgentInputItem } from '@openai/agents'
import {
  type ContentBlock,
  type Message,
  type NewMessage,
  type RestoredMessage,
  restoreConversation,
  type SessionStore,
  type TextBlock,
  type ToolUseBlock,
} from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import type { AssistantModelMessage, generateText, ModelMessage, ToolModelMessage } from 'ai'
import type OpenAI from 'openai'

export const store: SessionStore = createMemoryStore()
declare const id: string

// Anthropic Messages API

export async function storeAnthropicResponse(response: Anthropic.Message): Promise<void> {
  await store.messages.append(id, [{ role: response.role, content: response.content }])
  await store.messages.append(id, [response], { createSession: true })
  await store.messages.append(id, [
    {
      role: response.role,
      content: response.content,
      metadata: { provider: 'anthropic', model: response.model, stopReason: response.stop_reason },
    },
  ])
}

export async function storeAnthropicParams(
  param: Anthropic.MessageParam,
  params: readonly Anthropic.MessageParam[],
): Promise<void> {
  await store.messages.append(id, [{ role: param.role, content: param.content }])
  await store.messages.append(id, [param])
  await store.messages.append(id, params)
}

export async function askAnthropic(client: Anthropic, model: string): Promise<Anthropic.Message> {
  const { messages } = await restoreConversation(store, id)
  return client.messages.create({
    model,
    max_tokens: 1024,
    messages: [...(messages as Anthropic.MessageParam[]), { role: 'user', content: 'And now?' }],
  })
}

// OpenAI Chat Completions

export async function storeChatMessage(message: OpenAI.Chat.ChatCompletionMessage): Promise<void> {
  // `content` is null beside tool calls.
  await store.messages.append(id, [{ role: message.role, content: message.content ?? [] }])
  await store.messages.append(id, [
    {
      role: message.role,
      content: [{ type: 'text', text: message.content ?? '' }, ...(message.tool_calls ?? [])],
    },
  ])
}

export async function storeChatParam(param: OpenAI.Chat.ChatCompletionMessageParam): Promise<void> {
  // The roles developer and function are the API's alone.
  if (param.role === 'developer' || param.role === 'function') return
  await store.messages.append(id, [{ role: param.role, content: param.content ?? [] }])
  if (param.role === 'user') await store.messages.append(id, [param])
  if (param.role === 'system') await store.messages.append(id, [param])
  if (param.role === 'tool') {
    await store.messages.append(id, [
      { role: param.role, content: param.content, metadata: { tool_call_id: param.tool_call_id } },
    ])
  }
}

export async function askChat(client: OpenAI, model: string): Promise<OpenAI.Chat.ChatCompletion> {
  const { messages } = await restoreConversation(store, id)
  return client.chat.completions.create({
    model,
    messages: messages as OpenAI.Chat.ChatCompletionMessageParam[],
  })
}

// OpenAI Responses

export async function storeResponse(response: OpenAI.Responses.Response): Promise<void> {
  await store.messages.append(id, [{ role: 'assistant', content: response.output_text }])
  await store.messages.append(id, [{ role: 'assistant', content: response.output }])
  for (const item of response.output) {
    if (item.type === 'message') {
      await store.messages.append(id, [{ id: item.id, role: item.role, content: item.content }])
    } else {
      await store.messages.append(id, [{ role: 'assistant', content: [item] }])
    }
  }
}

// AI SDK

type ResponseMessage = Awaited<ReturnType<typeof generateText>>['responseMessages'][number]

export async function storeModelMessages(
  message: ModelMessage,
  messages: readonly ModelMessage[],
): Promise<void> {
  await store.messages.append(id, [{ role: message.role, content: message.content }])
  await store.messages.append(id, [message])
  await store.messages.append(id, messages)
}

export async function storeResponseMessages(
  message: AssistantModelMessage | ToolModelMessage,
  messages: readonly ResponseMessage[],
): Promise<void> {
  await store.messages.append(id, [{ role: message.role, content: message.content }])
  await store.messages.append(id, messages)
}

// OpenAI Agents

export async function storeAgentItem(item: AgentInputItem, items: readonly AgentInputItem[]): Promise<void> {
  if ('role' in item) await store.messages.append(id, [{ role: item.role, content: item.content }])
  else await store.messages.append(id, [{ role: 'assistant', content: [item] }])
  // A message's `type` may be left out there; a block has one.
  await store.messages.append(id, [
    { role: 'assistant', content: items.map((each) => ({ type: 'message', ...each })) },
  ])
}

// What comes back goes in again

export async function copyOn(message: Message, restored: RestoredMessage): Promise<void> {
  await store.messages.append(id, [{ role: message.role, content: message.content }])
  await store.messages.append(id, [{ role: restored.role, content: restored.content }])
  await store.messages.append(id, [message, restored])
  const { items } = await store.messages.read(id)
  await store.messages.append('another', items)
  await store.sessions.import({}, items)
}

const ownBlock = { type: 'my_own_block', anything: [1, 2, 3] }
const cachedText = { type: 'text', text: 'A long document', cache_control: { type: 'ephemeral' } }

export const written: readonly NewMessage[] = [
  { role: 'user', content: 'What is in this picture?' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And in this?' },
      { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
    ],
  },
  // A block with fields of its own is given by a name.
  { role: 'assistant', content: [ownBlock, cachedText] },
]

// Blocks narrow by their type

export function describeBlock(block: ContentBlock): string {
  if (block.type === 'text') {
    const known: TextBlock = block
    const text: string = block.text
    return known.text + text
  }
  if (block.type === 'tool_use') {
    const known: ToolUseBlock = block
    const input: unknown = block.input
    return `${known.name} ${String(input)}`
  }
  switch (block.type) {
    case 'image':
      return block.source.type === 'url' ? block.source.url : block.source.type
    case 'tool_result':
      return block.tool_use_id
    case 'thinking':
      return block.thinking
    case 'redacted_thinking':
      return block.data
    default:
      return `[${String(block.type)}]`
  }
}

export const textsOf = (message: Message): string[] =>
  message.content.filter((block) => block.type === 'text').map((block) => block.text)

// What must not compile

export async function refused(block: ContentBlock, message: Message): Promise<void> {
  // @ts-expect-error a role that is none
  await store.messages.append(id, [{ role: 'developer', content: 'hi' }])
  // @ts-expect-error content is text or blocks
  await store.messages.append(id, [{ role: 'user', content: 5 }])
  // @ts-expect-error null is no content: write `content ?? []`
  await store.messages.append(id, [{ role: 'assistant', content: null }])
  // @ts-expect-error a block has a type
  await store.messages.append(id, [{ role: 'user', content: [{ text: 'hi' }] }])
  // @ts-expect-error one message is a list of one
  await store.messages.append(id, { role: 'user', content: 'hi' })
  // @ts-expect-error not every block has a text
  const text: string = block.text
  if (block.type === 'tool_use') {
    // @ts-expect-error a tool's use has no text
    void block.text
  }
  // @ts-expect-error what comes back is not to be changed
  message.content = []
  void text
}
