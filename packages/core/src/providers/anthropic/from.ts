// From the Messages API. Its blocks are ours; what a message has beside role and blocks, and whether its content was a
// plain text, is kept in `metadata.native`.

import type { JsonObject } from '../../types/content.ts'
import type { NewMessage, Role } from '../../types/message.ts'
import type { Block } from '../blocks.ts'
import { converted } from '../given.ts'
import { difference, type Native } from '../native.ts'
import { readBlock } from './block.ts'
import type { AnthropicInput } from './types.ts'

/** How a content was given: text where it is not said, blocks for `system`. */
export const forms = { text: 'text', system: 'system', systemText: 'system-text' } as const

/**
 * The messages of a request of the Anthropic Messages API; its system text, if any, comes first as a system message.
 * `toAnthropicMessages` gives the same request back. Responses may stand among the messages: their further members
 * (`id`, `usage`) are kept.
 */
export function fromAnthropicMessages(request: AnthropicInput): NewMessage[] {
  return converted('fromAnthropicMessages', 'request', request, convert)
}

function convert({ system, messages }: AnthropicInput): NewMessage[] {
  const read = messages.map((message) => readMessage(message as unknown as JsonObject))
  if (system === undefined) return read
  const form = typeof system === 'string' ? forms.systemText : forms.system
  return [newMessage('system', { content: system }, {}, form), ...read]
}

function readMessage(original: JsonObject): NewMessage {
  const { role } = original
  const known: Role = role === 'assistant' || role === 'system' ? role : 'user'
  const form = typeof original.content === 'string' ? forms.text : undefined
  return newMessage(known, original, { role: known }, form)
}

/** `rendered` is what of the original a converter would write beside the content. */
function newMessage(
  role: Role,
  original: JsonObject,
  rendered: JsonObject,
  form: string | undefined,
): NewMessage {
  const { content } = original
  const isKnown = typeof content === 'string' || Array.isArray(content)
  const rest = difference({ ...rendered, content: isKnown ? content : [] }, original)
  const native: Native = { provider: 'anthropic', ...rest, ...(form === undefined ? {} : { form }) }
  return { role, content: readContent(content), metadata: { native } }
}

/** The blocks of a content, whatever form it was given in. */
export function readContent(content: unknown): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.map(readBlock) : []
}
