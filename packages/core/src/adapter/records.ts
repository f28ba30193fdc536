// Rows as every backend keeps them, and how they become what the port gives. A row that cannot be read is reported,
// never thrown over its neighbours.

import { StoreError } from '../errors.ts'
import { sessionTypes } from '../input/schemas.ts'
import type { PreparedSession } from '../input/sessions.ts'
import type { DamagedRow } from '../port/messages.ts'
import type { ContentBlock, JsonObject } from '../types/content.ts'
import type { Message, MessageMetadata, Role } from '../types/message.ts'
import type { NameSource, Session, SessionType } from '../types/session.ts'
import { corruptRow, messageDamage, sessionDamage } from './damage.ts'

/** One row of `sessions`, by its columns in camelCase; objects are JSON text, absent is null, flags are 0 and 1. */
export interface SessionRecord {
  readonly rowId: number
  readonly id: string
  readonly name: string
  readonly nameSource: string
  readonly sessionType: string
  readonly ownerId: string
  readonly workingDir: string | null
  readonly channelType: string | null
  readonly channelKey: string | null
  readonly parentSessionId: string | null
  readonly forkedFromSessionId: string | null
  readonly forkedFromSeq: number | null
  readonly branchOf: string | null
  readonly sourceAgent: string | null
  readonly sourceSessionId: string | null
  readonly sourceDigest: string | null
  readonly providerName: string | null
  readonly mode: string | null
  readonly preview: string
  readonly pinned: number
  readonly archivedAt: number | null
  readonly deletedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastActiveAt: number
  readonly messageCount: number
  readonly nextSeq: number
  readonly version: number
  readonly changeSeq: number
  readonly contextStartSeq: number
  readonly contextSummarySeq: number | null
  readonly tokenCounts: string
  readonly modelConfig: string | null
  readonly extensionData: string
  readonly metadata: string
}

/** Numbers and times that only the store knows. */
export interface NewRecordFacts {
  readonly id: string
  readonly rowId: number
  readonly changeSeq: number
  readonly now: number
}

/** The row of a new session, as every store begins it; `fields` are what an import, a fork or an append knows beside. */
export function newSessionRecord(
  session: PreparedSession,
  { id, rowId, changeSeq, now }: NewRecordFacts,
  fields: Partial<SessionRecord> = {},
): SessionRecord {
  const createdAt = session.createdAt ?? now
  return {
    rowId,
    id,
    name: session.name,
    nameSource: session.nameSource,
    sessionType: session.type,
    ownerId: session.ownerId,
    workingDir: session.workingDir ?? null,
    channelType: session.channelType ?? null,
    channelKey: session.channelKey ?? null,
    parentSessionId: session.parentSessionId ?? null,
    forkedFromSessionId: null,
    forkedFromSeq: null,
    branchOf: null,
    sourceAgent: null,
    sourceSessionId: null,
    sourceDigest: null,
    providerName: session.providerName ?? null,
    mode: session.mode ?? null,
    preview: '',
    pinned: 0,
    archivedAt: null,
    deletedAt: null,
    createdAt,
    updatedAt: now,
    lastActiveAt: createdAt,
    messageCount: 0,
    nextSeq: 1,
    version: 1,
    changeSeq,
    contextStartSeq: 1,
    contextSummarySeq: null,
    tokenCounts: '{"last":{},"accumulated":{}}',
    modelConfig: session.modelConfigJson ?? null,
    extensionData: session.extensionDataJson,
    metadata: session.metadataJson,
    ...fields,
  }
}

/** One row of `messages`. */
export interface MessageRecord {
  readonly messageId: string
  readonly seq: number
  readonly role: string
  readonly createdAt: number
  readonly metadataJson: string
  readonly contentJson: string
}

/** Told of a stored value that cannot be read: what holds it is given without it, or left out of a page. */
export type OnDamage = (what: string) => void

const nameSources: readonly string[] = ['default', 'auto', 'user']
const roles: readonly string[] = ['system', 'user', 'assistant', 'tool']

/** The session of a row for a page: `undefined` where the row is damaged, which is told of. */
export function readSession(
  row: SessionRecord,
  tags: readonly string[],
  onDamage: OnDamage,
): Session | undefined {
  const damage = sessionDamage(row)
  if (damage === undefined) return toSession(row, tags, onDamage)
  onDamage(corruptRow('sessions', row.id, damage).message)
  return undefined
}

/**
 * The session of a row; `tags` are sorted by code unit. A broken JSON column reads as empty and is told of.
 *
 * @throws {StoreError} corrupt another column holds what it cannot
 */
export function toSession(row: SessionRecord, tags: readonly string[], onDamage: OnDamage): Session {
  const damage = sessionDamage(row)
  if (damage !== undefined) throw corruptRow('sessions', row.id, damage)
  const object = (text: string | null, column: string): JsonObject => {
    const value = parseJson(text ?? '{}')
    if (isObject(value)) return value
    onDamage(`session "${row.id}": ${column} is not a JSON object`)
    return {}
  }
  const known = sessionTypes.find((type) => type === row.sessionType)
  if (known === undefined) onDamage(`session "${row.id}": unknown type "${row.sessionType}" read as hidden`)
  const session: { -readonly [key in keyof Session]: Session[key] } = {
    id: row.id,
    name: row.name,
    nameSource: (nameSources.includes(row.nameSource) ? row.nameSource : 'user') as NameSource,
    type: (known ?? 'hidden') as SessionType,
    ownerId: row.ownerId,
    extensionData: object(row.extensionData, 'extension_data'),
    metadata: object(row.metadata, 'metadata'),
    tags: [...tags],
    tokenCounts: tokenCountsOf(row, onDamage),
    pinned: row.pinned === 1,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    lastActiveAt: row.lastActiveAt,
    messageCount: row.messageCount,
    nextSeq: row.nextSeq,
    preview: row.preview,
    context:
      row.contextSummarySeq === null
        ? { startSeq: row.contextStartSeq }
        : { startSeq: row.contextStartSeq, summarySeq: row.contextSummarySeq },
    version: row.version,
    changeSeq: row.changeSeq,
  }
  if (row.workingDir !== null) session.workingDir = row.workingDir
  if (row.channelType !== null) session.channelType = row.channelType
  if (row.channelKey !== null) session.channelKey = row.channelKey
  if (row.parentSessionId !== null) session.parentSessionId = row.parentSessionId
  if (row.forkedFromSessionId !== null) {
    session.forkedFrom = { sessionId: row.forkedFromSessionId, seq: row.forkedFromSeq ?? 0 }
  }
  if (row.branchOf !== null) session.branchOf = row.branchOf
  if (row.sourceAgent !== null && row.sourceSessionId !== null) {
    session.source = {
      agent: row.sourceAgent,
      sessionId: row.sourceSessionId,
      digest: row.sourceDigest ?? '',
    }
  }
  if (row.providerName !== null) session.providerName = row.providerName
  if (row.mode !== null) session.mode = row.mode
  if (row.modelConfig !== null) session.modelConfig = object(row.modelConfig, 'model_config')
  if (row.archivedAt !== null) session.archivedAt = row.archivedAt
  if (row.deletedAt !== null) session.deletedAt = row.deletedAt
  return session
}

/** The token counts of a row, as far as they are numbers; what is none is told of. */
export function tokenCountsOf(
  row: Pick<SessionRecord, 'id' | 'tokenCounts'>,
  onDamage: OnDamage = () => {},
): Session['tokenCounts'] {
  const counts = parseJson(row.tokenCounts)
  if (!isObject(counts)) {
    onDamage(`session "${row.id}": token_counts is not a JSON object`)
    return { last: {}, accumulated: {} }
  }
  const usage = (name: 'last' | 'accumulated') => {
    const found = counts[name] ?? {}
    const entries = isObject(found) ? Object.entries(found).filter(([, count]) => Number.isFinite(count)) : []
    if (!isObject(found) || entries.length < Object.keys(found).length)
      onDamage(`session "${row.id}": token_counts.${name} holds what is no count`)
    return Object.fromEntries(entries)
  }
  return { last: usage('last'), accumulated: usage('accumulated') }
}

/** The message of a row, or why there is none. */
export function toMessage(sessionId: string, row: MessageRecord): Message | DamagedRow {
  const damaged = (reason: string): DamagedRow => ({ seq: row.seq, reason })
  const damage = messageDamage(row)
  if (damage !== undefined) return damaged(damage)
  if (!roles.includes(row.role)) return damaged(`unknown role ${JSON.stringify(row.role)}`)
  const content = parseJson(row.contentJson)
  if (content === undefined) return damaged('content is not JSON')
  if (!isContent(content)) return damaged('content is not an array of blocks')
  const metadata = parseJson(row.metadataJson)
  if (!isObject(metadata)) return damaged('metadata is not a JSON object')
  return {
    id: row.messageId,
    sessionId,
    seq: row.seq,
    role: row.role as Role,
    content,
    createdAt: row.createdAt,
    metadata: metadata as MessageMetadata,
  }
}

export function isDamaged(value: Message | DamagedRow): value is DamagedRow {
  return 'reason' in value
}

/** What a method answers that was asked for just this row. */
export function damagedMessage(sessionId: string, { seq, reason }: DamagedRow): StoreError {
  return new StoreError('corrupt', `message ${seq} of session "${sessionId}" is damaged: ${reason}`)
}

/** Parts rows into messages and damaged ones, in their order. */
export function readMessages(
  sessionId: string,
  rows: readonly MessageRecord[],
): { readonly messages: readonly Message[]; readonly damaged: readonly DamagedRow[] } {
  const messages: Message[] = []
  const damaged: DamagedRow[] = []
  for (const row of rows) {
    const value = toMessage(sessionId, row)
    if (isDamaged(value)) damaged.push(value)
    else messages.push(value)
  }
  return { messages, damaged }
}

/** The value of JSON text; `undefined` where it is none. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isContent(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.every((block) => isObject(block) && typeof block.type === 'string')
}
