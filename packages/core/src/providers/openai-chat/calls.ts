// Calls of Chat Completions to blocks and back: functions, custom tools, and the one `function_call` of old.

import type { JsonObject } from '../../types/content.ts'
import { keepArguments, objectInput, readArguments, writeArguments } from '../arguments.ts'
import { type Block, type Call, isCall } from '../blocks.ts'
import type { CallNames } from '../calls.ts'
import { isObject, own, sameJson } from '../json.ts'
import { lay, type Native, nativeOf, wholeBlock, withNative } from '../native.ts'
import { forms } from './parts.ts'

const provider = 'openai-chat'

/** An item of `tool_calls`. One without an id gets one from `names`. */
export function readCall(original: unknown, names: CallNames): Block {
  const read = isObject(original) ? neutralCall(original) : undefined
  if (!isObject(original) || read === undefined)
    return wholeBlock(provider, original, 'tool_call', forms.call)
  const { name, input, form } = read
  const block: Call = { type: 'tool_use', id: names.call(original.id, name), name, input }
  return withNative(block, provider, renderCall(block, form), original, form)
}

/** The call of the deprecated member `function_call`, whose result is known by the function's name. */
export function readFunctionCall(original: unknown, names: CallNames): Block | undefined {
  if (!isObject(original) || typeof original.name !== 'string') return undefined
  const { name } = original
  const block: Call = {
    type: 'tool_use',
    id: names.call(undefined, name),
    name,
    input: readArguments(original.arguments),
  }
  return withNative(block, provider, renderCall(block, forms.functionCall), original, forms.functionCall)
}

function neutralCall(original: JsonObject) {
  const { type, function: called, custom } = original
  if (type === 'custom' && isObject(custom) && typeof custom.name === 'string') {
    return { name: custom.name, input: { input: custom.input ?? '' }, form: forms.custom }
  }
  if (!isObject(called) || typeof called.name !== 'string') return undefined
  return { name: called.name, input: readArguments(called.arguments), form: undefined }
}

function renderCall({ id, name, input }: Call, form: Native['form']): JsonObject {
  if (form === forms.functionCall) return { name, arguments: writeArguments(input) }
  if (form === forms.custom) return { id, type: 'custom', custom: { name, input: objectInput(input).input } }
  return { id, type: 'function', function: { name, arguments: writeArguments(input) } }
}

/** The call as it was, where the block still says what it said then; else by what the block says. */
export function writeCall(block: Block): unknown {
  const native = nativeOf(block, provider)
  if (!isCall(block)) return native?.value
  if (native === undefined) return renderCall(block, undefined)
  const original = lay(renderCall(block, native.form), native)
  return isUnchanged(block, original, native.form) ? original : renderCall(block, native.form)
}

/** Native arguments are a second copy of the input: edited input wins. */
function isUnchanged(block: Call, original: unknown, form: Native['form']): boolean {
  if (!isObject(original)) return false
  const read =
    form === forms.functionCall
      ? { name: original.name, input: readArguments(original.arguments) }
      : neutralCall(original)
  return read?.name === block.name && sameJson(read?.input, block.input)
}

/** The call as a function call that any server takes. */
export function writePlainCall({ id, name, input, native }: Call): JsonObject {
  const value = nativeOf({ native }, provider)?.value
  const called = isObject(value) ? own(value, 'function') : undefined
  const text = keepArguments(input, isObject(called) ? own(called, 'arguments') : undefined)
  return { id, type: 'function', function: { name, arguments: text } }
}
