// What an append does, decided without a database: every store reads the same facts, calls this, and writes the answer.

import { StoreError } from '../errors.ts'
import type { PreparedMessage } from '../input/messages.ts'
import type { PreparedSession } from '../input/sessions.ts'
import { limits } from '../limits.ts'
import type { AppendReceipt } from '../port/messages.ts'
import type { TurnPart } from '../turns/parts.ts'
import type { Message } from '../types/message.ts'
import { damagedMessage, isDamaged, type MessageRecord, toMessage } from './records.ts'

/** What a store reads before it appends. */
export interface AppendState {
  readonly session:
    | {
        readonly version: number
        readonly nextSeq: number
        readonly lastActiveAt: number
        readonly deletedAt: number | null
      }
    | undefined
  /** The stored messages whose ids are in the batch. */
  readonly stored: readonly MessageRecord[]
  /** The operation of that id and the messages in its bounds, where an `operationId` was given and is known. */
  readonly operation?:
    | {
        readonly digest: string
        readonly version: number
        readonly firstSeq: number | null
        readonly lastSeq: number | null
        readonly messages: readonly MessageRecord[]
      }
    | undefined
}

/** The rows in the bounds of a stored operation, for {@link AppendState.operation}. */
export function rowsWithin<Row extends { readonly seq: number }>(
  { firstSeq, lastSeq }: { readonly firstSeq: number | null; readonly lastSeq: number | null },
  rows: readonly Row[],
): Row[] {
  if (firstSeq === null || lastSeq === null) return []
  return rows.filter(({ seq }) => seq >= firstSeq && seq <= lastSeq)
}

export interface AppendRequest {
  readonly sessionId: string
  readonly messages: readonly PreparedMessage[]
  /** The session to create where there is none. */
  readonly createSession: PreparedSession | undefined
  readonly expectedVersion: number | undefined
  /** Set where an `operationId` was given. */
  readonly digest: string | undefined
  readonly now: number
  readonly newId: (now: number) => string
}

/** One row to insert. */
export interface NewMessageRow extends MessageRecord {
  readonly turnPart: TurnPart | null
  readonly textJson: string | null
}

/** What to write and to answer. */
export interface AppendPlan {
  readonly receipt: AppendReceipt
  /** Whether a given operation id is to be stored with the receipt, also where nothing else is written. */
  readonly remember: boolean
  /** Absent when no row is new. */
  readonly write?: {
    readonly create: boolean
    readonly rows: readonly NewMessageRow[]
    readonly version: number
    readonly nextSeq: number
    readonly lastActiveAt: number
    /** Absent: the preview stays. */
    readonly preview: string | undefined
  }
}

/**
 * Decides an append, in the port's order of checks.
 *
 * @throws {StoreError} not-found already-exists conflict
 */
export function planAppend(state: AppendState, request: AppendRequest): AppendPlan {
  const { sessionId, messages, now } = request
  if (isRemembered(state) && request.digest !== undefined)
    return repeatOperation(state, state.operation, request)
  const session = existing(state.session, request)
  const version = session?.version ?? 0
  if (request.expectedVersion !== undefined && request.expectedVersion !== version) {
    throw new StoreError('conflict', versionConflict(sessionId, version, request.expectedVersion))
  }
  const remember = request.digest !== undefined && (session !== undefined || messages.length > 0)
  if (messages.length === 0) return { receipt: { version, messages: [] }, remember }
  const firstSeq = session?.nextSeq ?? 1
  const { rows, given, preview } = placeRows(state.stored, request, firstSeq)
  const answered = given.map((row) => readable(sessionId, row))
  const last = rows.at(-1)
  if (last === undefined) return { receipt: { version, messages: answered }, remember }
  const receipt = { version: version + 1, firstSeq, lastSeq: last.seq, messages: answered }
  const activity = rows.map((row) => row.createdAt)
  return {
    receipt,
    remember,
    write: {
      create: session === undefined,
      rows,
      version: version + 1,
      nextSeq: last.seq + 1,
      lastActiveAt: activity.reduce(
        (latest, time) => Math.max(latest, time),
        session?.lastActiveAt ?? request.createSession?.createdAt ?? now,
      ),
      preview,
    },
  }
}

function existing(session: AppendState['session'], { sessionId, createSession }: AppendRequest) {
  if (session !== undefined && session.deletedAt === null) return session
  if (session !== undefined && createSession !== undefined) {
    throw new StoreError('already-exists', `session "${sessionId}" is in the trash`)
  }
  if (createSession === undefined) throw new StoreError('not-found', `there is no session "${sessionId}"`)
  return undefined
}

function versionConflict(sessionId: string, version: number, expected: number): string {
  if (expected === 0) return `session "${sessionId}" exists already, at version ${version}`
  return `session "${sessionId}" is at version ${version}, not ${expected}`
}

/** Gives ids, seqs and times to the new ones; a message stored before (or earlier in the batch) answers for itself. */
function placeRows(
  stored: readonly MessageRecord[],
  { messages, now, newId, sessionId }: AppendRequest,
  firstSeq: number,
): { rows: NewMessageRow[]; given: MessageRecord[]; preview: string | undefined } {
  const byId = new Map(stored.map((row) => [row.messageId, row]))
  const rows: NewMessageRow[] = []
  let preview: string | undefined
  const given = messages.map((message): MessageRecord => {
    const known = message.id === undefined ? undefined : byId.get(message.id)
    if (known) {
      if (sameContent(known, message)) return known
      throw new StoreError(
        'conflict',
        `session "${sessionId}" has another message of id "${known.messageId}"`,
      )
    }
    const row: NewMessageRow = {
      messageId: message.id ?? newId(now),
      seq: firstSeq + rows.length,
      role: message.role,
      createdAt: message.createdAt ?? now,
      metadataJson: message.metadataJson,
      contentJson: message.contentJson,
      turnPart: message.turnPart ?? null,
      textJson: message.textJson ?? null,
    }
    rows.push(row)
    byId.set(row.messageId, row)
    preview = message.preview ?? preview
    return row
  })
  return { rows, given, preview }
}

function sameContent(row: MessageRecord, message: PreparedMessage): boolean {
  return (
    row.role === message.role &&
    row.contentJson === message.contentJson &&
    row.metadataJson === message.metadataJson
  )
}

/** An operation is known for its session's next 256 versions, also where nothing has trimmed it away since. */
export function isRemembered<S extends Pick<AppendState, 'operation' | 'session'>>(
  state: S,
): state is S & { readonly operation: NonNullable<AppendState['operation']> } {
  const { operation, session } = state
  if (operation === undefined) return false
  return session === undefined || session.version - operation.version <= limits.operationVersions
}

/** The first receipt again, its messages as far as they still exist. */
function repeatOperation(
  { stored }: AppendState,
  operation: NonNullable<AppendState['operation']>,
  request: AppendRequest,
): AppendPlan {
  if (operation.digest !== request.digest) {
    throw new StoreError('conflict', 'the operation id was used before with other messages')
  }
  const given = new Set(request.messages.map((message) => message.id))
  const byId = new Map([...stored, ...operation.messages].map((row) => [row.messageId, row]))
  const unnamed = operation.messages.filter((row) => !given.has(row.messageId))
  const rows = request.messages
    .map((message) => (message.id === undefined ? unnamed.shift() : byId.get(message.id)))
    .filter((row) => row !== undefined)
  const messages = rows
    .map((row) => toMessage(request.sessionId, row))
    .filter((message): message is Message => !isDamaged(message))
  const { version, firstSeq, lastSeq } = operation
  return {
    receipt:
      firstSeq === null || lastSeq === null
        ? { version, messages }
        : { version, firstSeq, lastSeq, messages },
    remember: false,
  }
}

function readable(sessionId: string, row: MessageRecord): Message {
  const message = toMessage(sessionId, row)
  if (isDamaged(message)) throw damagedMessage(sessionId, message)
  return message
}
