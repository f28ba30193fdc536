// To the Messages API. What was read from it goes back as it was; all else is grouped into turns, with the results of
// calls first, and holds only what the API takes: known members, signed thinking, ids of its charset.

import { isBlank } from '../../turns/parts.ts'
import { type ConvertibleMessage, type Entry, entriesOf, isOwn, isSaid } from '../blocks.ts'
import { linkCalls } from '../calls.ts'
import { converted } from '../given.ts'
import { isObject, own, sameJson, wellFormed } from '../json.ts'
import { isForeign, lay, nativeOf } from '../native.ts'
import { blocksOf, hoistSystem, type Run, runsOf } from '../runs.ts'
import { writeBlock } from './block.ts'
import { assistantBlocks, userBlocks } from './canonical.ts'
import { forms, readContent } from './from.ts'
import type { AnthropicRequest } from './types.ts'

const provider = 'anthropic'
const ids = { fits: (id: string) => /^[a-zA-Z0-9_-]{1,64}$/.test(id), maximum: 64 }

/**
 * A conversation as the Anthropic Messages API takes it. Messages that `fromAnthropicMessages` made are given back
 * exactly, as long as no message from elsewhere joins their turn. System messages at the start become `system`; one
 * from the middle becomes a text of the user marked `[system]`. Thinking without a signature, or of another provider, is
 * left out, as is what an agent may not see (`agentVisible: false`); half of a surrogate pair becomes U+FFFD. Results are
 * not invented: calls without one are for restore to mend.
 */
export function toAnthropicMessages(messages: readonly ConvertibleMessage[]): AnthropicRequest {
  return converted('toAnthropicMessages', 'messages', messages, convert)
}

function convert(messages: readonly ConvertibleMessage[]): AnthropicRequest {
  const isExact = (entry: Entry) => isOwn(entry, provider)
  const entries = linkCalls(entriesOf(messages), ids, isExact)
  const { system, rest } = hoistSystem(entries, isField, isExact)
  const turns = runsOf(rest, ({ role }) => (role === 'tool' ? 'user' : role), isExact).flatMap(writeRun)
  const field = writeSystem(system)
  const request = field === undefined ? { messages: turns } : { system: field, messages: turns }
  return wellFormed(request) as AnthropicRequest
}

/** Whether a system message was the field of a request, and no message. */
function isField(entry: Entry): boolean {
  const form = nativeOf(entry.metadata, provider)?.form
  return form === forms.system || form === forms.systemText
}

function writeRun(run: Run<'system' | 'user' | 'assistant'>): unknown[] {
  if (run.isExact) return run.entries.map(writeExact)
  const blocks = run.side === 'assistant' ? assistantBlocks(blocksOf(run)) : userBlocks(blocksOf(run))
  return blocks.length === 0 ? [] : [{ role: run.side, content: blocks }]
}

function writeExact(entry: Entry): unknown {
  const native = nativeOf(entry.metadata, provider) ?? { value: {} }
  const content = writeContent(entry, forms.text)
  const rendered = { role: entry.role, content }
  const original = lay(rendered, native)
  // A content that was neither text nor blocks is kept beside none; blocks added since are what counts.
  const isKept = isObject(original) && sameJson(readContent(own(original, 'content')), readContent(content))
  return isKept ? original : rendered
}

function writeContent(entry: Entry, textForm: string): unknown {
  const [block, ...more] = entry.blocks
  const isTextForm = nativeOf(entry.metadata, provider)?.form === textForm
  if (isTextForm && block?.type === 'text' && more.length === 0) return block.text
  return entry.blocks.flatMap((each): unknown[] => {
    if (!isForeign(each, provider)) return [writeBlock(each)]
    // A block from elsewhere that was put into a message of this provider's.
    return entry.role === 'assistant' ? assistantBlocks([each]) : userBlocks([each])
  })
}

function writeSystem(entries: readonly Entry[]): unknown {
  const [only, ...more] = entries
  if (only !== undefined && more.length === 0 && isField(only)) return writeContent(only, forms.systemText)
  const said = entries.map(({ blocks }) => blocks.filter(isSaid)).filter((blocks) => blocks.length > 0)
  if (said.length === 0) return undefined
  if (entries.some(isField)) return said.flatMap((blocks) => userBlocks(blocks))
  const texts = said.map((blocks) => blocks.map(({ text }) => text).join('\n'))
  return texts.filter((text) => !isBlank(text)).join('\n\n')
}
