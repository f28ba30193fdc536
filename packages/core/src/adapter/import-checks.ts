// What an import refuses whatever its store holds. Whoever reads files refuses it by the same checks, before the first of
// several sessions is stored.

import { StoreError } from '../errors.ts'
import { type PreparedMessage, prepareImported } from '../input/messages.ts'
import { limits } from '../limits.ts'
import { turnParts } from '../turns/parts.ts'
import type { MessageMetadata } from '../types/message.ts'
import type { ImportedMessage, ImportedSession } from '../types/transfer.ts'
import { summaryProblem } from './context.ts'

/** A message, checked, and its seq. */
export interface PlacedMessage {
  readonly message: PreparedMessage
  readonly seq: number
}

/** Takes the messages of one session in their order. */
export interface ImportChecks {
  /**
   * Prepares the next message; without a seq it follows the one before. `name` stands before the field in what is thrown.
   *
   * @throws {StoreError} invalid; too-large
   */
  add(message: ImportedMessage, name: string): PlacedMessage
  /**
   * The seq of what is appended next, once the session's seqs have been checked against its messages.
   *
   * @throws {StoreError} invalid
   */
  finish(): number
}

/** What the session's seqs are called in what is thrown. */
export interface SeqNames {
  readonly nextSeq: string
  readonly startSeq: string
  readonly summarySeq: string
}

const portNames: SeqNames = {
  nextSeq: 'session.nextSeq',
  startSeq: 'session.context.startSeq',
  summarySeq: 'session.context.summarySeq',
}

/** Begins the messages of a session that has been checked itself. */
export function createImportChecks(
  session: Pick<ImportedSession, 'nextSeq' | 'context'>,
  maxBytes: number = limits.messageBytes,
  names: SeqNames = portNames,
): ImportChecks {
  const indexes = new Map<string, number>()
  const summaries = new Set<number>()
  let count = 0
  let lastSeq = 0

  return {
    add(given, name) {
      const message = prepareImported(given, maxBytes, name)
      if (message.id !== undefined) {
        const first = indexes.get(message.id)
        if (first !== undefined)
          throw new StoreError('invalid', `${name}.id: is that of messages[${first}], too`)
        indexes.set(message.id, count)
      }
      const seq = message.seq ?? lastSeq + 1
      if (seq <= lastSeq) {
        throw new StoreError('invalid', `${name}.seq: must be above ${lastSeq}, that of the message before`)
      }
      if (message.turnPart === turnParts.summary) {
        checkSummary(message, seq, `${name}.metadata.summary`)
        summaries.add(seq)
      }
      lastSeq = seq
      count++
      return { message, seq }
    },
    finish() {
      const { context, nextSeq = lastSeq + 1 } = session
      const fail = (name: string, what: string) => new StoreError('invalid', `${name}: ${what}`)
      if (nextSeq <= lastSeq)
        throw fail(names.nextSeq, `must be at least ${lastSeq + 1}, after the last message`)
      if (context !== undefined && context.startSeq > nextSeq) {
        throw fail(names.startSeq, `must be at most ${nextSeq}, the seq of the next message`)
      }
      if (context?.summarySeq !== undefined && !summaries.has(context.summarySeq)) {
        throw fail(names.summarySeq, `message ${context.summarySeq} is no summary`)
      }
      return nextSeq
    },
  }
}

/** A summary that stands for what comes after it would move the context where nothing is. */
function checkSummary({ metadataJson }: PreparedMessage, seq: number, name: string): void {
  const { summary } = JSON.parse(metadataJson) as MessageMetadata
  const problem = summary && summaryProblem(seq, summary)
  if (problem !== undefined) throw new StoreError('invalid', `${name}.${problem}`)
}
