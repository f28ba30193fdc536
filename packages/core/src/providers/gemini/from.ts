// From Gemini's generateContent. Calls there need no ids: they are made here, and a response gets that of the call it
// answers (by id, else by name, else in order). What blocks cannot say stays in `native`, and is laid back over them.

import type { JsonObject } from '../../types/content.ts'
import type { NewMessage } from '../../types/message.ts'
import type { Block } from '../blocks.ts'
import { type CallNames, createCallNames } from '../calls.ts'
import { checkOptions, converted } from '../given.ts'
import { itemsOf } from '../json.ts'
import { difference, type Native } from '../native.ts'
import { readPart } from './parts.ts'
import type { GeminiInput } from './types.ts'

const provider = 'gemini'

/** How a system instruction was given. */
export const forms = { system: 'system', systemText: 'system-text' } as const

/** How ids are made for calls that have none. */
export interface GeminiReadOptions {
  /** In front of the number of the call; "call_" unless given. */
  readonly idPrefix?: string
}

/**
 * The messages of a request of Gemini's generateContent; its system instruction, if any, comes first as a system
 * message. `toGeminiContents` gives the same request back. Ids made for calls count from 1 over the contents given: who
 * converts a conversation piece by piece gives each piece an `idPrefix` of its own, calls and their responses together.
 */
export function fromGeminiContents(request: GeminiInput, options: GeminiReadOptions = {}): NewMessage[] {
  checkOptions('fromGeminiContents', options)
  return converted('fromGeminiContents', 'contents', request, (given) => convert(given, options))
}

function convert(
  { systemInstruction, contents }: GeminiInput,
  { idPrefix = 'call_' }: GeminiReadOptions,
): NewMessage[] {
  const names = createCallNames(idPrefix)
  const read = contents.map((content) => readTurn(content as JsonObject, names))
  return systemInstruction === undefined ? read : [readSystem(systemInstruction), ...read]
}

function readSystem(original: GeminiInput['systemInstruction']): NewMessage {
  if (typeof original === 'string') {
    const native: Native = { provider, value: {}, form: forms.systemText }
    return { role: 'system', content: [{ type: 'text', text: original }], metadata: { native } }
  }
  const content = readParts(original?.parts, createCallNames('call_'))
  return { role: 'system', content, metadata: { native: rest(original as JsonObject, {}, forms.system) } }
}

function readTurn(original: JsonObject, names: CallNames): NewMessage {
  const role = original.role === 'model' ? 'assistant' : 'user'
  if (role === 'assistant') names.turn()
  const content = readParts(original.parts, names)
  const rendered = { role: role === 'assistant' ? 'model' : 'user' }
  return { role, content, metadata: { native: rest(original, rendered) } }
}

function rest(original: JsonObject, rendered: JsonObject, form?: string): Native {
  const parts = Array.isArray(original.parts) ? original.parts : []
  return {
    provider,
    ...difference({ ...rendered, parts }, original),
    ...(form === undefined ? {} : { form }),
  }
}

function readParts(parts: unknown, names: CallNames): Block[] {
  return itemsOf(parts).map((part) => readPart(part, names))
}
