// Where an agent's context begins, and what moves it. A summary stands for what lies before the start; when the current
// one is lost, the newest of those it was built on stands in for it, else everything it stood for is back.

import { StoreError } from '../errors.ts'
import { type TurnPart, turnParts } from '../turns/parts.ts'
import type { MessageMetadata } from '../types/message.ts'
import type { Session } from '../types/session.ts'
import type { MessageRecord } from './records.ts'

export type SessionContext = Session['context']

/** What a stored summary stands for. */
export interface SummaryFacts {
  /** Its own seq. */
  readonly seq: number
  readonly fromSeq: number
  readonly throughSeq: number
  /** The seqs of the summaries it builds on, oldest first. */
  readonly line: readonly number[]
}

/** What a summary row's metadata says; `undefined` where it cannot be read. */
export function summaryFacts(row: Pick<MessageRecord, 'seq' | 'metadataJson'>): SummaryFacts | undefined {
  try {
    const { summary } = JSON.parse(row.metadataJson) as MessageMetadata
    if (summary === undefined) return undefined
    const { fromSeq, throughSeq, line } = summary
    const isSound =
      [fromSeq, throughSeq, ...line].every(Number.isSafeInteger) &&
      summaryProblem(row.seq, summary) === undefined
    return isSound ? { seq: row.seq, fromSeq, throughSeq, line } : undefined
  } catch {
    return undefined
  }
}

/** Why a summary of this seq cannot stand for what it says; `undefined` when it can. */
export function summaryProblem(
  seq: number,
  { fromSeq, throughSeq, line }: NonNullable<MessageMetadata['summary']>,
): string | undefined {
  if (throughSeq > seq) return `throughSeq: must be at most ${seq}, its own seq`
  if (fromSeq < 1 || fromSeq > throughSeq + 1) return `fromSeq: must be from 1 to ${throughSeq + 1}`
  if (line.some((one) => one < 1 || one >= seq)) return `line: must be of seqs below ${seq}, its own`
  return undefined
}

/** The context once a row is edited: a current summary whose mark was lost, so that it became a message, is none. */
export function contextAfterEdit(
  context: SessionContext,
  { seq, turnPart: part }: { readonly seq: number; readonly turnPart: TurnPart | null },
): SessionContext {
  const isLost = context.summarySeq === seq && part !== turnParts.summary
  return isLost ? { startSeq: context.startSeq } : context
}

/**
 * The context once some messages are gone.
 *
 * @param summaries every summary of the session, before they go
 * @param survives whether the message of a seq stays
 */
export function contextWithout(
  context: SessionContext,
  summaries: readonly SummaryFacts[],
  survives: (seq: number) => boolean,
): SessionContext {
  const { summarySeq } = context
  if (summarySeq === undefined || survives(summarySeq)) return context
  const lost = summaries.find(({ seq }) => seq === summarySeq)
  // An unreadable summary names nothing before it: the start stays, so that nothing comes twice.
  if (lost === undefined) return { startSeq: context.startSeq }
  const heirs = summaries.filter(({ seq }) => lost.line.includes(seq) && survives(seq))
  const heir = heirs.toSorted((a, b) => b.seq - a.seq)[0]
  return heir === undefined
    ? { startSeq: lost.fromSeq }
    : { startSeq: heir.throughSeq + 1, summarySeq: heir.seq }
}

/** What a new summary of everything through a seq is marked with, and the context it makes. */
export interface Compaction {
  readonly summary: NonNullable<MessageMetadata['summary']>
  readonly context: SessionContext
}

/**
 * Plans a compaction.
 *
 * @param current the summary it builds on, where there is one
 * @throws {StoreError} invalid `throughSeq` lies before the context's start or behind the last message
 */
export function planCompaction(
  { context, nextSeq }: { readonly context: SessionContext; readonly nextSeq: number },
  current: SummaryFacts | undefined,
  throughSeq: number,
): Compaction {
  if (throughSeq < context.startSeq || throughSeq >= nextSeq) {
    const bounds = `from ${context.startSeq}, the context's start, to ${nextSeq - 1}, the last message`
    const why =
      context.startSeq < nextSeq ? `must be ${bounds}` : 'the context is empty: there is nothing to compact'
    throw new StoreError('invalid', `options.throughSeq: ${why}`)
  }
  return {
    summary: {
      fromSeq: current?.fromSeq ?? context.startSeq,
      throughSeq,
      line: current === undefined ? [] : [...current.line, current.seq],
    },
    context: { startSeq: throughSeq + 1, summarySeq: nextSeq },
  }
}

/** The columns of a context. */
export function contextFields({ startSeq, summarySeq }: SessionContext): {
  readonly contextStartSeq: number
  readonly contextSummarySeq: number | null
} {
  return { contextStartSeq: startSeq, contextSummarySeq: summarySeq ?? null }
}

/** The context of a row's columns. */
export function contextOf(row: {
  readonly contextStartSeq: number
  readonly contextSummarySeq: number | null
}): SessionContext {
  return row.contextSummarySeq === null
    ? { startSeq: row.contextStartSeq }
    : { startSeq: row.contextStartSeq, summarySeq: row.contextSummarySeq }
}
