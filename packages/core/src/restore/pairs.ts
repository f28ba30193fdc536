// Tool calls and their results, paired by position: each call is answered by the next result of its id before a later
// call takes the id again, and stands right before it; what has no partner is answered or goes.

import type { ContentBlock, ToolResultBlock, ToolUseBlock } from '../types/content.ts'
import type { RestoredMessage } from '../types/message.ts'

/** Messages whose pairs are whole, and how many blocks were added, moved, renamed or left out for it. */
export interface PairedMessages {
  readonly messages: readonly RestoredMessage[]
  readonly repaired: number
}

/** What a call without a result is answered with. */
const interruptedResult = 'interrupted'

interface Placed {
  /** Where its message stands. */
  readonly index: number
  readonly block: ToolResultBlock
}

/** Puts results behind their calls. Blocks of other kinds keep their places. */
export function pairTools(messages: readonly RestoredMessage[]): PairedMessages {
  const results = resultsById(messages)
  const calls = callsById(messages)
  const ids = new UniqueIds()
  let repaired = 0
  const paired = messages.flatMap(({ role, content }, index): RestoredMessage[] => {
    const rest = content.filter((block) => !isResult(block) && !(role === 'user' && isCall(block)))
    // A call in a user's message is nobody's.
    repaired += role === 'user' ? content.filter(isCall).length : 0
    if (role === 'user') return rest.length === 0 ? [] : [{ role, content: rest }]
    const answers: ContentBlock[] = []
    const own = rest.map((block) => {
      if (!isCall(block)) return block
      const until = calls.get(block.id)?.find((later) => later > index) ?? Number.POSITIVE_INFINITY
      const found = takeResult(results.get(block.id), index, until)
      const id = ids.give(block.id)
      if (id !== block.id || found === undefined || isMoved(messages, index, found)) repaired++
      answers.push(answer(found?.block, id))
      return id === block.id ? block : { ...block, id }
    })
    const result: RestoredMessage[] = own.length === 0 ? [] : [{ role, content: own }]
    return answers.length === 0 ? result : [...result, { role: 'user', content: answers }]
  })
  // What nobody took: results without a call, and second results.
  const orphans = [...results.values()].reduce((sum, left) => sum + left.length, 0)
  return { messages: paired, repaired: repaired + orphans }
}

/** Takes the first result behind a call and before its id is used again. */
function takeResult(left: Placed[] | undefined, after: number, until: number): Placed | undefined {
  const at = left?.findIndex(({ index }) => index > after && index <= until) ?? -1
  return at < 0 ? undefined : left?.splice(at, 1)[0]
}

/** Whether a result does not stand in the user's message right behind its call. */
function isMoved(messages: readonly RestoredMessage[], callIndex: number, { index }: Placed): boolean {
  return index !== callIndex + 1 || messages[index]?.role !== 'user'
}

function answer(found: ToolResultBlock | undefined, id: string): ContentBlock {
  if (found === undefined) {
    return { type: 'tool_result', tool_use_id: id, content: interruptedResult, is_error: true }
  }
  return found.tool_use_id === id ? found : { ...found, tool_use_id: id }
}

function resultsById(messages: readonly RestoredMessage[]): Map<string, Placed[]> {
  const found = new Map<string, Placed[]>()
  for (const [index, { content }] of messages.entries()) {
    for (const block of content.filter(isResult)) {
      found.set(block.tool_use_id, [...(found.get(block.tool_use_id) ?? []), { index, block }])
    }
  }
  return found
}

/** Where each id is called. */
function callsById(messages: readonly RestoredMessage[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'assistant') continue
    for (const { id } of content.filter(isCall)) found.set(id, [...(found.get(id) ?? []), index])
  }
  return found
}

/** Ids as they are, but for those that were given before: a request may hold each once. */
class UniqueIds {
  readonly #given = new Set<string>()

  give(id: string): string {
    let unique = id
    for (let number = 2; this.#given.has(unique); number++) unique = `${id}_${number}`
    this.#given.add(unique)
    return unique
  }
}

function isCall(block: ContentBlock): block is ToolUseBlock {
  return block.type === 'tool_use' && typeof block.id === 'string'
}

function isResult(block: ContentBlock): block is ToolResultBlock {
  return block.type === 'tool_result' && typeof block.tool_use_id === 'string'
}
