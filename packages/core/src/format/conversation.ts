// A conversation being read, message by message. What an import would refuse of the whole (ids twice, seqs that do not
// grow, a context that points nowhere) is refused here already: of several sessions in a file none is stored then.

import { StoreError } from '../errors.ts'
import { turnPart, turnParts } from '../turns/parts.ts'
import type { MessageMetadata } from '../types/message.ts'
import type { ImportedMessage } from '../types/transfer.ts'
import { readMessage } from './message.ts'
import type { ConversationFormat, ImportedConversation, ImportedHeader } from './types.ts'

/** Takes the messages of one session in their order. */
export interface ConversationReader {
  /** Reads the next message; `prefix` stands before `messages[i]` in what is thrown. */
  add(value: unknown, prefix: string): void
  /** The conversation, once its context has been checked against its messages. */
  finish(): ImportedConversation
}

/** Begins a conversation; `prefix` stands before `session` in what is thrown. */
export function createConversationReader(
  { session, links }: ImportedHeader,
  format: ConversationFormat,
  prefix: string,
): ConversationReader {
  const messages: ImportedMessage[] = []
  const indexes = new Map<string, number>()
  const summaries = new Set<number>()
  let lastSeq = 0

  return {
    add(value, place) {
      const name = `${place}messages[${messages.length}]`
      const message = readMessage(value, name)
      const seq = message.seq ?? lastSeq + 1
      if (seq <= lastSeq) {
        throw new StoreError('invalid', `${name}.seq: must be above ${lastSeq}, that of the message before`)
      }
      if (message.id !== undefined) {
        const first = indexes.get(message.id)
        if (first !== undefined)
          throw new StoreError('invalid', `${name}.id: is that of messages[${first}], too`)
        indexes.set(message.id, messages.length)
      }
      const metadata = (message.metadata ?? {}) as MessageMetadata
      if (turnPart(message.role, [], metadata) === turnParts.summary) summaries.add(seq)
      lastSeq = seq
      messages.push(message)
    },
    finish() {
      const fail = (field: string, what: string) =>
        new StoreError('invalid', `${prefix}session.${field}: ${what}`)
      const { context, nextSeq = lastSeq + 1 } = session
      if (nextSeq <= lastSeq)
        throw fail('next_seq', `must be at least ${lastSeq + 1}, after the last message`)
      if (context !== undefined && context.startSeq > nextSeq) {
        throw fail('context.start_seq', `must be at most ${nextSeq}, the seq of the next message`)
      }
      if (context?.summarySeq !== undefined && !summaries.has(context.summarySeq)) {
        throw fail('context.summary_seq', `message ${context.summarySeq} is no summary`)
      }
      return { session, ...(links === undefined ? {} : { links }), messages, format }
    },
  }
}
