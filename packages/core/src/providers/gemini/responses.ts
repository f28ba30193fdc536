// Responses of functions: an object there, a text here. `output` and `error` are the members Google's own SDKs use;
// any other object stands as its JSON text, so that people and other providers can read it.

import type { JsonObject } from '../../types/content.ts'
import { type Block, isText, type Result } from '../blocks.ts'
import { isObject, itemsOf } from '../json.ts'
import type { Native } from '../native.ts'

/** Which member of a response the text was in; none for `output` and `error`. */
const resultForm = 'result'
const jsonForm = 'json'

/** A response as a result; `readPart` reads the media in it. */
export function readResponse(
  original: JsonObject,
  id: string,
  readPart: (part: unknown) => Block,
): { block: Result; form: string | undefined } {
  const { response, parts } = original
  const { text, form, isError } = readText(response)
  const block = { type: 'tool_result', tool_use_id: id, ...(isError ? { is_error: true } : {}) }
  if (Array.isArray(parts)) {
    const said = text === undefined ? [] : [{ type: 'text', text }]
    return { block: { ...block, content: [...said, ...parts.map(readPart)] }, form }
  }
  return { block: text === undefined ? block : { ...block, content: text }, form }
}

function readText(response: unknown): { text?: string; form: string | undefined; isError: boolean } {
  if (!isObject(response)) return { form: undefined, isError: false }
  const [key, ...more] = Object.keys(response)
  const text = key === undefined ? undefined : response[key]
  if (more.length > 0 || typeof text !== 'string') {
    return { text: JSON.stringify(response), form: jsonForm, isError: false }
  }
  if (key === 'output') return { text, form: undefined, isError: false }
  if (key === 'error') return { text, form: undefined, isError: true }
  if (key === 'result') return { text, form: resultForm, isError: false }
  return { text: JSON.stringify(response), form: jsonForm, isError: false }
}

/**
 * What a result says, in the form it was given in. The name is not in it: it is in `native`, for the call it answers may
 * be missing.
 */
export function renderResponse(
  { content, is_error: isError }: Result,
  form: Native['form'],
  writePart: (block: Block) => unknown,
): JsonObject {
  if (!Array.isArray(content)) {
    return typeof content === 'string' ? { response: toResponse(content, isError === true, form) } : {}
  }
  const [first, ...rest] = itemsOf(content) as readonly Block[]
  const isSaid = first !== undefined && isText(first)
  const parts = (isSaid ? rest : (content as Block[])).map(writePart)
  return { ...(isSaid ? { response: toResponse(first.text, isError === true, form) } : {}), parts }
}

/** A response object for a text. */
export function toResponse(text: string, isError: boolean, form: Native['form']): JsonObject {
  if (isError) return { error: text }
  if (form === resultForm) return { result: text }
  if (form !== jsonForm) return { output: text }
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : { output: text }
  } catch {
    return { output: text }
  }
}

/** The form in which a response was given, for one that is written anew. */
export function responseForm(native: Native | undefined): Native['form'] {
  return native?.form === jsonForm || native?.form === resultForm ? native.form : undefined
}
