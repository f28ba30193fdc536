// Parts of a turn written anew, from blocks of anywhere. Nothing may stand beside responses: newer models then refuse
// the request (agentgateway/agentgateway#2811), so text and pictures follow in a turn of their own.

import type { JsonObject } from '../../types/content.ts'
import { objectInput } from '../arguments.ts'
import {
  type Block,
  isCall,
  isResult,
  isSaid,
  isText,
  isThinking,
  placeholder,
  type Result,
  resultBlocks,
  resultText,
} from '../blocks.ts'
import { isObject, own } from '../json.ts'
import { isMedia } from '../media.ts'
import { nativeOf } from '../native.ts'
import { renderMedia } from './parts.ts'
import { responseForm, toResponse } from './responses.ts'

const provider = 'gemini'

/** The responses, in the order of their calls; then what else the user says and shows. */
export function userContents(blocks: readonly Block[]): JsonObject[] {
  const results = blocks.filter(isResult)
  const ordered = results.toSorted((one, other) => (one.call?.order ?? 0) - (other.call?.order ?? 0))
  const shown = results.flatMap((result) => resultBlocks(result).flatMap((block) => renderMedia(block) ?? []))
  const others = blocks.filter((block) => !isResult(block) && !isCall(block))
  const parts = [...shown, ...others.flatMap(userPart)]
  const hidden = others.find((block) => !isText(block))
  const said = parts.length === 0 && results.length === 0 && hidden ? [{ text: placeholder(hidden) }] : parts
  return [
    ...(ordered.length === 0 ? [] : [{ role: 'user', parts: ordered.map(writeResponse) }]),
    ...(said.length === 0 ? [] : [{ role: 'user', parts: said }]),
  ]
}

function userPart(block: Block): JsonObject[] {
  if (isText(block)) return isSaid(block) ? [{ text: block.text }] : []
  if (isMedia(block)) return [renderMedia(block) ?? { text: placeholder(block) }]
  return wholePart(block)
}

function writeResponse(result: Result): JsonObject {
  const native = nativeOf(result, provider)
  const isError = result.is_error === true
  const { content } = result
  const text = typeof content === 'string' && content !== '' ? content : resultText(result)
  const name = result.call?.name ?? nameOf(native?.value) ?? 'unknown'
  return { functionResponse: { name, response: toResponse(text, isError, responseForm(native)) } }
}

function nameOf(value: unknown): string | undefined {
  const response = isObject(value) ? own(value, 'functionResponse') : undefined
  const name = isObject(response) ? own(response, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}

/** Parts of the model's turn; none where only thoughts are left. */
export function modelParts(blocks: readonly Block[]): JsonObject[] {
  const parts = blocks.flatMap(modelPart)
  return parts.some((part) => part.thought !== true) ? parts : []
}

function modelPart(block: Block): JsonObject[] {
  const native = nativeOf(block, provider)
  const signature = isObject(native?.value) ? own(native.value, 'thoughtSignature') : undefined
  const signed = typeof signature === 'string' ? { thoughtSignature: signature } : {}
  if (isText(block)) return isSaid(block) ? [{ text: block.text, ...signed }] : []
  if (isThinking(block)) {
    return native && block.thinking !== '' ? [{ text: block.thinking, thought: true, ...signed }] : []
  }
  if (isCall(block))
    return [{ functionCall: { name: block.name, args: objectInput(block.input) }, ...signed }]
  return isResult(block) || isMedia(block) ? [] : wholePart(block)
}

/** A part that only this API has. */
function wholePart(block: Block): JsonObject[] {
  const native = nativeOf(block, provider)
  const isWhole = isObject(native?.value) && Object.keys(native.value).length > 0
  return isWhole ? [native.value as JsonObject] : []
}
