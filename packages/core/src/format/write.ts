// Writes sess's own files: an envelope for JSON, and lines for histories too large to hold.

import type { Message, TokenUsage } from '../types/message.ts'
import type { Session } from '../types/session.ts'
import { present } from './present.ts'
import { readTime, toIsoTime } from './time.ts'
import {
  type ExportEnvelope,
  type ExportedMessage,
  type ExportedSession,
  type ExportedUsage,
  type ExportHeader,
  exportVersion,
} from './types.ts'

/** One session with its messages as a JSON file has them; several sessions are an array of these. */
export function toExport(session: Session, messages: readonly Message[], exportedAt: number): ExportEnvelope {
  return { ...toHeader(session, exportedAt), messages: messages.map(toExportedMessage) }
}

/**
 * The lines of one session, each with its "\n": the header, then one a message. Sessions follow each other in one file.
 * Only one message is held at a time.
 */
export async function* exportLines(
  session: Session,
  messages: Iterable<Message> | AsyncIterable<Message>,
  exportedAt: number,
): AsyncGenerator<string, void, undefined> {
  yield toLine(toHeader(session, exportedAt))
  for await (const message of messages) yield toLine(toExportedMessage(message))
}

/** Escaped, because some readers of lines (readline of Node 24) split at these, too. */
function toLine(value: object): string {
  const text = JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return `${text}\n`
}

function toHeader(session: Session, exportedAt: number): ExportHeader {
  return {
    format: 'sess',
    version: exportVersion,
    exported_at: toIsoTime(readTime(exportedAt, 'exportedAt'), 'exportedAt'),
    session: toExportedSession(session),
  }
}

function toExportedMessage({ id, seq, role, content, createdAt, metadata }: Message): ExportedMessage {
  return { id, seq, role, content, created_at: toIsoTime(createdAt, `message ${seq}: created_at`), metadata }
}

function toExportedSession(session: Session): ExportedSession {
  const { forkedFrom, source, tokenCounts, context } = session
  const time = (value: number, column: string) => toIsoTime(value, `session "${session.id}": ${column}`)
  const optionalTime = (value: number | undefined, column: string) =>
    value === undefined ? undefined : time(value, column)
  return present({
    id: session.id,
    name: session.name,
    name_source: session.nameSource,
    type: session.type,
    owner_id: session.ownerId,
    working_dir: session.workingDir,
    channel_type: session.channelType,
    channel_key: session.channelKey,
    parent_session_id: session.parentSessionId,
    forked_from: forkedFrom && { session_id: forkedFrom.sessionId, seq: forkedFrom.seq },
    branch_of: session.branchOf,
    source: source && { agent: source.agent, session_id: source.sessionId, digest: source.digest },
    provider_name: session.providerName,
    model_config: session.modelConfig,
    mode: session.mode,
    extension_data: session.extensionData,
    metadata: session.metadata,
    tags: session.tags,
    token_counts: {
      last: toExportedUsage(tokenCounts.last),
      accumulated: toExportedUsage(tokenCounts.accumulated),
    },
    pinned: session.pinned,
    archived_at: optionalTime(session.archivedAt, 'archived_at'),
    deleted_at: optionalTime(session.deletedAt, 'deleted_at'),
    created_at: time(session.createdAt, 'created_at'),
    updated_at: time(session.updatedAt, 'updated_at'),
    last_active_at: time(session.lastActiveAt, 'last_active_at'),
    message_count: session.messageCount,
    next_seq: session.nextSeq,
    preview: session.preview,
    context: present({ start_seq: context.startSeq, summary_seq: context.summarySeq }),
    version: session.version,
    change_seq: session.changeSeq,
  })
}

function toExportedUsage(usage: TokenUsage): ExportedUsage {
  return present({
    input: usage.input,
    output: usage.output,
    total: usage.total,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite,
    cost: usage.cost,
  })
}
