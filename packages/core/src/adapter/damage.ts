// Rows that another program has written: a column may hold what no store puts there, because SQLite takes any type in any
// column. JSON columns are looked at where they are read; here it is numbers and text.

import { StoreError } from '../errors.ts'
import type { MessageRecord, SessionRecord } from './records.ts'

/** What a column must hold; with a question mark, or nothing. */
type ColumnKind = 'integer' | 'integer?' | 'text' | 'text?'

/** Some fields of a row, named in camelCase as its columns are in snake_case, and what each must hold. */
export type ColumnKinds<Row> = { readonly [field in keyof Row]?: ColumnKind }

const sessionKinds: ColumnKinds<SessionRecord> = {
  id: 'text',
  name: 'text',
  nameSource: 'text',
  sessionType: 'text',
  ownerId: 'text',
  workingDir: 'text?',
  channelType: 'text?',
  channelKey: 'text?',
  parentSessionId: 'text?',
  forkedFromSessionId: 'text?',
  forkedFromSeq: 'integer?',
  branchOf: 'text?',
  sourceAgent: 'text?',
  sourceSessionId: 'text?',
  sourceDigest: 'text?',
  providerName: 'text?',
  mode: 'text?',
  preview: 'text',
  pinned: 'integer',
  archivedAt: 'integer?',
  deletedAt: 'integer?',
  createdAt: 'integer',
  updatedAt: 'integer',
  lastActiveAt: 'integer',
  messageCount: 'integer',
  nextSeq: 'integer',
  version: 'integer',
  changeSeq: 'integer',
  contextStartSeq: 'integer',
  contextSummarySeq: 'integer?',
}

const messageKinds: ColumnKinds<MessageRecord> = {
  messageId: 'text',
  seq: 'integer',
  role: 'text',
  createdAt: 'integer',
}

/** Which column of a session's row holds what no session has; a broken JSON column only reads as empty. */
export function sessionDamage(row: SessionRecord): string | undefined {
  return rowDamage(row, sessionKinds)
}

/** Which column of a message's row holds what no message has. */
export function messageDamage(row: MessageRecord): string | undefined {
  return rowDamage(row, messageKinds)
}

/** Which column holds what it cannot: `created_at holds text, not an integer`; `undefined` where all is well. */
export function rowDamage<Row extends object>(row: Row, kinds: ColumnKinds<Row>): string | undefined {
  for (const [field, kind] of Object.entries<ColumnKind | undefined>(kinds as never)) {
    const value: unknown = row[field as keyof Row]
    if (kind === undefined || fits(value, kind)) continue
    const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return `${column} holds ${nameOf(value)}, not ${kind.startsWith('integer') ? 'an integer' : 'text'}`
  }
  return undefined
}

/** What a method answers that was asked for just this row. */
export function corruptRow(table: string, id: unknown, damage: string): StoreError {
  return new StoreError('corrupt', `the row "${id}" of ${table} is damaged: ${damage}`)
}

/** @throws {StoreError} corrupt naming table, row and column */
export function assertIntact<Row extends object>(
  table: string,
  id: unknown,
  row: Row,
  kinds: ColumnKinds<Row>,
): void {
  const damage = rowDamage(row, kinds)
  if (damage !== undefined) throw corruptRow(table, id, damage)
}

/** What a cursor can tell apart lies within this. */
const farthest = Number.MAX_SAFE_INTEGER

/** A number to sort by: text and bytes stand behind every number, as in SQLite. */
export function sortKey(value: unknown): number {
  return typeof value === 'number' ? Math.min(farthest, Math.max(-farthest, value)) : farthest
}

/** Whether no cursor can go on behind it in growing order: then only damaged rows follow. */
export function isFarthest(value: unknown): boolean {
  return sortKey(value) === farthest
}

function fits(value: unknown, kind: ColumnKind): boolean {
  if (value === null) return kind.endsWith('?')
  return kind.startsWith('integer') ? Number.isSafeInteger(value) : typeof value === 'string'
}

function nameOf(value: unknown): string {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`
  return value === null || value === undefined ? 'nothing' : 'bytes'
}
