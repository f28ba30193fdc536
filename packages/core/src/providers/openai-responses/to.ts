// To the Responses API. What was read from it goes back as it was; all else is written without state: no item ids,
// reasoning only as ciphertext in front of what it led to, so that it is accepted with `store` on and off.

import { type ConvertibleMessage, type Entry, entriesOf, isOwn, isText } from '../blocks.ts'
import { linkCalls } from '../calls.ts'
import { converted } from '../given.ts'
import { isObject, own, sameJson, wellFormed } from '../json.ts'
import { lay, nativeOf } from '../native.ts'
import { blocksOf, type Run, runsOf, settleSystem } from '../runs.ts'
import { assistantItems, systemItems, userItems } from './canonical.ts'
import { contentForms, readContent } from './from.ts'
import { isItem, writeItem } from './items.ts'
import { type Side, writePart } from './parts.ts'
import type { OpenAiItem } from './types.ts'

const provider = 'openai-responses'
const ids = { fits: (id: string) => id !== '' && id.length <= 64, maximum: 64 }

/**
 * A conversation as items of the OpenAI Responses API. Messages that `fromOpenAiItems` made are given back exactly, as
 * long as no message from elsewhere joins their turn. All others are written without item ids, and reasoning only where
 * it is this API's and encrypted. A failed result is told in words (`error: …`); half of a surrogate pair becomes U+FFFD.
 * Results are not invented: calls without one are for restore to mend.
 */
export function toOpenAiItems(messages: readonly ConvertibleMessage[]): OpenAiItem[] {
  return converted('toOpenAiItems', 'messages', messages, convert)
}

function convert(messages: readonly ConvertibleMessage[]): OpenAiItem[] {
  const isExact = (entry: Entry) => isOwn(entry, provider)
  const entries = linkCalls(entriesOf(messages), ids, isExact)
  const runs = runsOf(
    settleSystem(entries, isExact),
    ({ role }) => (role === 'tool' ? 'user' : role),
    isExact,
  )
  return wellFormed(runs.flatMap(writeRun)) as OpenAiItem[]
}

function writeRun(run: Run<'system' | 'user' | 'assistant'>): unknown[] {
  if (run.isExact) return run.entries.flatMap(writeExact)
  const write = { system: systemItems, user: userItems, assistant: assistantItems }[run.side]
  return write(blocksOf(run))
}

/** Items of a message in the order of its blocks; its parts are one message item, where the first of them stands. */
function writeExact(entry: Entry): unknown[] {
  const isAlone = entry.role === 'system' || entry.role === 'user'
  if (isAlone && !entry.blocks.some(isItem)) return [writeMessage(entry)]
  const first = entry.blocks.findIndex((block) => !isItem(block))
  return entry.blocks.flatMap((block, index) => {
    if (isItem(block)) return [writeItem(block)]
    return index === first ? [writeMessage(entry)] : []
  })
}

function writeMessage(entry: Entry): unknown {
  const side: Side = entry.role === 'assistant' ? 'output' : 'input'
  const role = entry.role === 'tool' ? 'user' : entry.role
  const parts = entry.blocks.filter((block) => !isItem(block))
  const native = nativeOf(entry.metadata, provider)
  const [part, ...more] = parts
  const isTextForm = native?.form !== contentForms.parts && more.length === 0
  const content =
    isTextForm && (part === undefined || isText(part))
      ? (part?.text ?? '')
      : parts.map((each) => writePart(each, side)).filter((each) => each !== undefined)
  const rendered = { role, content }
  const original = lay(rendered, native ?? { value: {} })
  // A content that was neither text nor parts is kept beside none; blocks added since are what counts.
  const isKept =
    isObject(original) && sameJson(readContent(own(original, 'content'), side), readContent(content, side))
  return isKept ? original : rendered
}
