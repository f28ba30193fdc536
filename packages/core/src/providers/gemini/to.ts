// To Gemini's generateContent. What was read from it goes back as it was; all else becomes turns in which responses
// stand alone and in the order of their calls, and calls of the current turn carry a signature.

import { isBlank } from '../../turns/parts.ts'
import type { JsonObject } from '../../types/content.ts'
import { type ConvertibleMessage, type Entry, entriesOf, isOwn, isText, saidText } from '../blocks.ts'
import { linkCalls } from '../calls.ts'
import { checkOptions, converted } from '../given.ts'
import { isObject, itemsOf, wellFormed } from '../json.ts'
import { lay, nativeOf } from '../native.ts'
import { blocksOf, hoistSystem, type Run, runsOf } from '../runs.ts'
import { modelParts, userContents } from './canonical.ts'
import { forms } from './from.ts'
import { writePart } from './parts.ts'
import { signCalls } from './signatures.ts'
import type { GeminiRequest } from './types.ts'

const provider = 'gemini'
// Ids are optional, and some endpoints refuse them: none are sent but those that came from there.
const ids = { fits: () => true, maximum: Number.POSITIVE_INFINITY }

/** What a model of Gemini is told where its own signatures are missing. */
export interface GeminiWriteOptions {
  /**
   * "skip" (default) gives the first call of each step of the current turn the signature that Gemini 3 takes in place of
   * its own; "none" for older models, which need none. Messages given back exactly are never changed.
   */
  readonly missingSignatures?: 'skip' | 'none'
}

/**
 * A conversation as Gemini's generateContent takes it. Messages that `fromGeminiContents` made are given back exactly,
 * as long as no message from elsewhere joins their turn. System messages at the start become `systemInstruction`; one
 * from the middle becomes a text of the user marked `[system]`. Thinking of other providers is left out; half of a
 * surrogate pair becomes U+FFFD. Results are not invented: calls without one are for restore to mend.
 */
export function toGeminiContents(
  messages: readonly ConvertibleMessage[],
  options: GeminiWriteOptions = {},
): GeminiRequest {
  checkOptions('toGeminiContents', options)
  return converted('toGeminiContents', 'messages', messages, (given) => convert(given, options))
}

function convert(
  messages: readonly ConvertibleMessage[],
  { missingSignatures = 'skip' }: GeminiWriteOptions,
): GeminiRequest {
  const isExact = (entry: Entry) => isOwn(entry, provider)
  const entries = linkCalls(entriesOf(messages), ids, isExact)
  const { system, rest } = hoistSystem(entries, isField, () => false)
  const written = new Set<unknown>()
  const contents = runsOf(rest, ({ role }) => (role === 'assistant' ? 'model' : 'user'), isExact).flatMap(
    (run) => {
      if (run.isExact) return run.entries.map(writeExact)
      const turns = writeRun(run)
      for (const turn of turns) written.add(turn)
      return turns
    },
  )
  const signed = missingSignatures === 'none' ? contents : signCalls(contents, (turn) => written.has(turn))
  const instruction = writeSystem(system)
  const request =
    instruction === undefined ? { contents: signed } : { systemInstruction: instruction, contents: signed }
  return wellFormed(request) as GeminiRequest
}

function isField(entry: Entry): boolean {
  const form = nativeOf(entry.metadata, provider)?.form
  return form === forms.system || form === forms.systemText
}

function writeRun(run: Run<'user' | 'model'>): JsonObject[] {
  if (run.side === 'user') return userContents(blocksOf(run))
  const parts = modelParts(blocksOf(run))
  return parts.length === 0 ? [] : [{ role: 'model', parts }]
}

function writeExact(entry: Entry): unknown {
  const role = entry.role === 'assistant' ? 'model' : 'user'
  return writeContent(entry, { role })
}

function writeContent(entry: Entry, rendered: JsonObject): unknown {
  const native = nativeOf(entry.metadata, provider) ?? { value: {} }
  const parts = entry.blocks.map(writePart).filter((part) => part !== undefined)
  const original = lay({ ...rendered, parts }, native)
  // Parts that were no list are kept beside none; blocks added since are what counts.
  const isKept = isObject(original) && itemsOf(original.parts).length === parts.length
  return isKept ? original : { ...rendered, parts }
}

function writeSystem(entries: readonly Entry[]): unknown {
  const [only, ...more] = entries
  if (only !== undefined && more.length === 0 && isField(only)) {
    const [block, ...others] = only.blocks
    const isTextForm = nativeOf(only.metadata, provider)?.form === forms.systemText
    if (isTextForm && block !== undefined && isText(block) && others.length === 0) return block.text
    return writeContent(only, {})
  }
  const texts = entries.map(({ blocks }) => saidText(blocks)).filter((text) => !isBlank(text))
  return texts.length === 0 ? undefined : { parts: [{ text: texts.join('\n\n') }] }
}
