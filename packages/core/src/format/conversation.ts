// A conversation being read, message by message. What an import would refuse of the whole (ids twice, seqs that do not
// grow, a context that points nowhere) is refused here already: of several sessions in a file none is stored then.

import { createImportChecks } from '../adapter/import-checks.ts'
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
  const checks = createImportChecks(session, undefined, {
    nextSeq: `${prefix}session.next_seq`,
    startSeq: `${prefix}session.context.start_seq`,
    summarySeq: `${prefix}session.context.summary_seq`,
  })

  return {
    add(value, place) {
      const name = `${place}messages[${messages.length}]`
      const message = readMessage(value, name)
      checks.add(message, name)
      messages.push(message)
    },
    finish() {
      checks.finish()
      return { session, ...(links === undefined ? {} : { links }), messages, format }
    },
  }
}
