// The AI SDK's own types through the converter: this file is compiled and never run.

import { fromUiMessages, type NewMessage, type SessionStore, toAnthropicMessages } from '@sess/core'
import type { UIDataTypes, UIMessage, UITools } from 'ai'

declare const store: SessionStore

type Weather = UIMessage<
  { readonly at: number },
  { readonly chart: { readonly points: number[] } },
  { readonly weather: { readonly input: { readonly city: string }; readonly output: string } }
>

/** Messages with any metadata, data and tools go in. */
export function read(
  messages: UIMessage[],
  general: UIMessage<unknown, UIDataTypes, UITools>[],
  weather: readonly Weather[],
): NewMessage[] {
  return [...fromUiMessages(messages), ...fromUiMessages(general), ...fromUiMessages(weather)]
}

export async function save(id: string, messages: UIMessage[]): Promise<void> {
  await store.messages.append(id, fromUiMessages(messages), { createSession: true })
}

/** They go on to any provider. */
export const request = (messages: UIMessage[]): object => toAnthropicMessages(fromUiMessages(messages))
