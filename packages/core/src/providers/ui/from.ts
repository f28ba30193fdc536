// From the AI SDK's UIMessage, one way. A message there can hold a whole turn: its steps are split into messages of
// the assistant, each followed by the results of its tools. Message ids stay, so that a second save is recognised.

import { messageIdSchema } from '../../input/schemas.ts'
import type { JsonObject } from '../../types/content.ts'
import type { NewMessage, Role } from '../../types/message.ts'
import type { Block } from '../blocks.ts'
import { converted } from '../given.ts'
import { isObject, itemsOf, omit } from '../json.ts'
import { readPart } from './parts.ts'
import { readToolPart } from './tools.ts'

/** The AI SDK's UIMessage, as far as it is read. */
export interface UiInputMessage {
  readonly id: string
  readonly role: string
  readonly parts: readonly { readonly type: string }[]
  readonly metadata?: unknown
}

/** A message of the result that is being gathered. */
interface Piece {
  readonly role: Role
  readonly id: unknown
  readonly content: Block[]
}

/**
 * The messages of a chat of the AI SDK. A tool's part becomes a call and, once it has an output, an error or a denial, a
 * result; parts that have no block (sources, data, custom) are blocks of their own type. The first message of each has
 * its id, further ones `<id>:2` and so on; an id that the store would refuse is left out.
 */
export function fromUiMessages(messages: readonly UiInputMessage[]): NewMessage[] {
  return converted('fromUiMessages', 'messages', messages, convert)
}

function convert(messages: readonly UiInputMessage[]): NewMessage[] {
  return messages.flatMap((message) => {
    const original = message as unknown as JsonObject
    const pieces = readPieces(original).map((piece, index) => {
      const value = index === 0 ? omit(original, 'role', 'parts') : { id: original.id }
      const native = { provider: 'ui', value }
      const id = piece.id ?? (index === 0 ? original.id : `${String(original.id)}:${index + 1}`)
      const known = messageIdSchema.safeParse(id).success ? { id: id as string } : {}
      return { ...known, role: piece.role, content: piece.content, metadata: { native } }
    })
    return pieces
  })
}

function readPieces({ role, parts }: JsonObject): Piece[] {
  if (role !== 'assistant') {
    const content = itemsOf(parts).map(readPart)
    return [{ role: role === 'system' ? 'system' : 'user', id: undefined, content }]
  }
  const pieces: Piece[] = []
  let said: Block[] = []
  let results: Block[] = []
  const flush = () => {
    if (said.length > 0) pieces.push({ role: 'assistant', id: undefined, content: said })
    if (results.length > 0) pieces.push({ role: 'tool', id: undefined, content: results })
    said = []
    results = []
  }
  for (const part of itemsOf(parts)) {
    const type = isObject(part) ? part.type : undefined
    const read = isObject(part) ? readToolPart(part) : undefined
    if (type === 'step-start') flush()
    else if (type === 'steering-message' && isObject(part)) {
      flush()
      pieces.push({ role: 'user', id: part.id, content: itemsOf(part.parts).map(readPart) })
    } else if (read === undefined) said.push(readPart(part))
    else {
      said.push(read.call)
      if (read.result) results.push(read.result)
    }
  }
  flush()
  return pieces.length > 0 ? pieces : [{ role: 'assistant', id: undefined, content: [] }]
}
