// What an import stores, decided without a database: messages checked and placed, the session's facts derived.

import { z } from 'zod'
import { StoreError } from '../errors.ts'
import { createHash } from '../hash.ts'
import { snapshot } from '../input/check.ts'
import { digestText, type PreparedMessage } from '../input/messages.ts'
import { type PreparedImport, prepareImport } from '../input/sessions.ts'
import type { StoreContext } from '../options.ts'
import type { TokenUsage } from '../types/message.ts'
import type { ImportedMessage, ImportedSession } from '../types/transfer.ts'
import type { NewMessageRow } from './append.ts'
import { contextFields } from './context.ts'
import { createImportChecks, type PlacedMessage } from './import-checks.ts'
import { readImported } from './import-messages.ts'
import { type MessageRecord, type SessionRecord, tokenCountsOf } from './records.ts'
import { carriedUsage, countsOnceMore } from './usage.ts'

export type OnExisting = 'update' | 'skip' | 'copy'

/** An import, checked and placed. */
export interface ImportPlan {
  readonly session: PreparedImport
  readonly rows: readonly NewMessageRow[]
  /** Core's digest of the messages as given. */
  readonly digest: string
  readonly onExisting: OnExisting
  readonly createdAt: number
  /** What the session's row holds beside what every new one does; without `source_*`, which a copy has not. */
  readonly fields: Partial<SessionRecord>
  /** The columns that say where it came from; empty without a source. */
  readonly sourceFields: Partial<SessionRecord>
}

const optionsSchema = z.strictObject({ onExisting: z.enum(['update', 'skip', 'copy']).optional() })

/**
 * Reads the whole input and checks it, before anything is written.
 *
 * @param isGivenUp whether nobody waits for the plan any more: then no further message is read
 * @throws {StoreError} invalid naming `session…` or `messages[i]…`
 * @throws {StoreError} too-large a message over `maxBytes`
 */
export async function planImport(
  session: ImportedSession,
  messages: Iterable<ImportedMessage> | AsyncIterable<ImportedMessage>,
  options: { readonly onExisting?: OnExisting },
  { locale, now, ids }: StoreContext,
  maxBytes: number,
  isGivenUp: () => boolean = () => false,
): Promise<ImportPlan> {
  const { onExisting = 'update' } = snapshot(optionsSchema, options, 'options')
  const prepared = prepareImport(session, locale)
  const checks = createImportChecks(prepared, maxBytes)
  const placed = await readImported(messages, checks, isGivenUp)
  const read = placed.map(({ message }) => message)
  const started = now()
  const times = read.map((message) => message.createdAt).filter((time) => time !== undefined)
  const createdAt = prepared.createdAt ?? times.reduce((a, b) => Math.min(a, b), started)
  const rows = toRows(placed, createdAt, () => ids.message(started))
  const nextSeq = checks.finish()
  return {
    session: prepared,
    rows,
    digest: digestOf(read),
    onExisting,
    createdAt,
    fields: {
      forkedFromSessionId: prepared.forkedFrom?.sessionId ?? null,
      forkedFromSeq: prepared.forkedFrom?.seq ?? null,
      branchOf: prepared.branchOf ?? null,
      pinned: prepared.pinned ? 1 : 0,
      archivedAt: prepared.archivedAt ?? null,
      createdAt,
      updatedAt: prepared.updatedAt ?? started,
      lastActiveAt:
        prepared.lastActiveAt ?? rows.reduce((latest, row) => Math.max(latest, row.createdAt), createdAt),
      messageCount: rows.length,
      nextSeq,
      contextStartSeq: prepared.context?.startSeq ?? 1,
      contextSummarySeq: prepared.context?.summarySeq ?? null,
      preview: read.findLast((message) => message.preview !== undefined)?.preview ?? '',
      tokenCounts: JSON.stringify(prepared.tokenCounts),
    },
    sourceFields: prepared.source
      ? {
          sourceAgent: prepared.source.agent,
          sourceSessionId: prepared.source.sessionId,
          sourceDigest: digestOf(read),
        }
      : {},
  }
}

/** The digest a source's messages have: equal digests mean an unchanged source. */
function digestOf(messages: readonly PreparedMessage[]): string {
  const hash = createHash()
  for (const message of messages) hash.update(digestText(message))
  return hash.digest()
}

/** A time that is missing is that of the message before. */
function toRows(messages: readonly PlacedMessage[], createdAt: number, newId: () => string): NewMessageRow[] {
  let time = createdAt
  return messages.map(({ message, seq }) => {
    time = message.createdAt ?? time
    return {
      messageId: message.id ?? newId(),
      seq,
      role: message.role,
      createdAt: time,
      metadataJson: message.metadataJson,
      contentJson: message.contentJson,
      turnPart: message.turnPart ?? null,
      textJson: message.textJson ?? null,
    }
  })
}

/** What is stored of the same source. */
export interface ImportedBefore {
  readonly row: SessionRecord
  /** Its messages in the order of seq; only read where the digests differ. */
  readonly messages: readonly MessageRecord[]
  /** What its ledger has as carried forward from the source; `undefined` where there is no such row. */
  readonly carried?: TokenUsage | undefined
}

export type ImportDecision =
  | { readonly outcome: 'created'; readonly fields: Partial<SessionRecord> }
  | { readonly outcome: 'copied'; readonly fields: Partial<SessionRecord> }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'skipped' }
  | {
      readonly outcome: 'updated'
      readonly rows: readonly NewMessageRow[]
      readonly fields: Partial<SessionRecord>
      /** What the ledger's row of what the source had used is to hold from now on; absent: it stays. */
      readonly carried: TokenUsage | undefined
    }

/**
 * What to do with an import whose source may have been imported before.
 *
 * @throws {StoreError} conflict the stored messages are no prefix of the source's
 */
export function decideImport(plan: ImportPlan, before: ImportedBefore | undefined): ImportDecision {
  if (before === undefined) return { outcome: 'created', fields: plan.sourceFields }
  if (plan.onExisting === 'copy') return { outcome: 'copied', fields: {} }
  if (before.row.deletedAt !== null || plan.onExisting === 'skip') return { outcome: 'skipped' }
  if (before.row.sourceDigest === plan.digest) return { outcome: 'unchanged' }
  const { messages } = before
  const known = Math.min(messages.length, plan.rows.length)
  for (let index = 0; index < known; index++) {
    if (!sameMessage(messages[index] as MessageRecord, plan.rows[index] as NewMessageRow)) {
      throw new StoreError(
        'conflict',
        `session "${before.row.id}" was imported from this source and has diverged at messages[${index}]`,
      )
    }
  }
  const rows = plan.rows.slice(known)
  if (rows.length === 0) return { outcome: 'unchanged' }
  const stored = new Set(messages.map((message) => message.messageId))
  const taken = rows.findIndex((row) => stored.has(row.messageId))
  if (taken >= 0) {
    throw new StoreError(
      'conflict',
      `session "${before.row.id}" was imported from this source and has the id of messages[${known + taken}] already`,
    )
  }
  return {
    outcome: 'updated',
    rows: follow(rows, before.row.nextSeq),
    fields: updateFields(plan, before, rows),
    carried: carriedUsage(plan.session.tokenCounts),
  }
}

/** Ids are not compared: a source without ids gets new ones each time it is read. */
function sameMessage(stored: MessageRecord, given: MessageRecord): boolean {
  return (
    stored.role === given.role &&
    stored.contentJson === given.contentJson &&
    stored.metadataJson === given.metadataJson
  )
}

/** Seqs as the source has them, or where those are taken, one after the other from the session's next. */
function follow(rows: readonly NewMessageRow[], nextSeq: number): readonly NewMessageRow[] {
  if ((rows[0]?.seq ?? 0) >= nextSeq) return rows
  return rows.map((row, index) => ({ ...row, seq: nextSeq + index }))
}

function updateFields(
  plan: ImportPlan,
  { row, messages, carried }: ImportedBefore,
  rows: readonly NewMessageRow[],
): Partial<SessionRecord> {
  const placed = follow(rows, row.nextSeq)
  // A compaction came along: it means the source's seqs, so it holds only where every message has its own.
  const keepsSeqs = placed === rows && messages.every(({ seq }, index) => seq === plan.rows[index]?.seq)
  const context = keepsSeqs && plan.session.context !== undefined ? contextFields(plan.session.context) : {}
  const keepsName = row.nameSource === 'user' || plan.session.nameSource === 'default'
  return {
    ...(keepsName ? {} : { name: plan.session.name, nameSource: plan.session.nameSource }),
    ...context,
    sourceDigest: plan.digest,
    messageCount: row.messageCount + rows.length,
    nextSeq: Math.max(plan.fields.nextSeq ?? 0, (placed.at(-1)?.seq ?? 0) + 1),
    lastActiveAt: rows.reduce((latest, { createdAt }) => Math.max(latest, createdAt), row.lastActiveAt),
    version: row.version + 1,
    preview: plan.fields.preview || row.preview,
    tokenCounts: JSON.stringify(countsOnceMore(tokenCountsOf(row), plan.session.tokenCounts, carried)),
  }
}
