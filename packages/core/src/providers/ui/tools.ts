// Tool parts of a UIMessage: one part, of a type named after the tool or dynamic, is both call and result, and its
// state tells how far it came.

import type { JsonObject } from '../../types/content.ts'
import type { Block } from '../blocks.ts'
import { isObject, omit, own } from '../json.ts'
import { wholeBlock } from '../native.ts'

const provider = 'ui'

/** The call of a tool part and its result, where there is one; `undefined` for any other part. */
export function readToolPart(
  original: JsonObject,
): { readonly call: Block; readonly result?: Block } | undefined {
  const { type, toolCallId: id, state } = original
  const name = typeof type === 'string' ? toolName(type, original) : undefined
  if (name === undefined || typeof id !== 'string') return undefined
  // An input that is still being written is no call yet.
  if (state === 'input-streaming') return { call: wholeBlock(provider, original, type) }
  const input = original.input ?? original.rawInput ?? {}
  const value = omit(original, 'toolCallId', 'input', 'output', 'errorText')
  const call = { type: 'tool_use', id, name, input, native: { provider, value } }
  const outcome = readOutcome(original)
  return outcome === undefined
    ? { call }
    : { call, result: { type: 'tool_result', tool_use_id: id, ...outcome } }
}

function toolName(type: string, { toolName: name }: JsonObject): string | undefined {
  if (type === 'dynamic-tool') return typeof name === 'string' ? name : undefined
  return type.startsWith('tool-') ? type.slice('tool-'.length) : undefined
}

/** Content of the result; an output that is no text becomes its JSON. A denied tool was never run. */
function readOutcome({ state, output, errorText, approval }: JsonObject): JsonObject | undefined {
  const answer = isObject(approval) ? approval : {}
  if (state === 'output-available') {
    if (typeof output === 'string') return { content: output }
    const native = { provider, value: {}, form: 'json' }
    return output === undefined ? {} : { content: JSON.stringify(output), native }
  }
  if (state === 'output-error') return { content: String(errorText ?? ''), is_error: true }
  const isDenied = state === 'approval-responded' && answer.approved === false
  if (state !== 'output-denied' && !isDenied) return undefined
  const reason = own(answer, 'reason')
  return { content: typeof reason === 'string' ? reason : 'Tool call execution denied.', is_error: true }
}
