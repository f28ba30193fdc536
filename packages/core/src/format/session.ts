// The session of a file, checked and turned into what an import takes. The rules of a field are those of the port; only
// its name and the form of times differ. null counts as absent: exporters in other languages write it.

import { z } from 'zod'
import { check } from '../input/check.ts'
import { countsSchema } from '../input/counts.ts'
import { toJsonText } from '../input/json.ts'
import { importedSessionSchema, sessionIdSchema } from '../input/schemas.ts'
import { prepareImport } from '../input/sessions.ts'
import { limits } from '../limits.ts'
import type { TokenUsage } from '../types/message.ts'
import type { ImportedSession } from '../types/transfer.ts'
import { present } from './present.ts'
import { readTime } from './time.ts'
import type { ExportedSession, ExportedUsage, ImportedHeader } from './types.ts'

const rules = (importedSessionSchema as z.ZodObject<Record<keyof ImportedSession, z.ZodType<unknown>>>).shape
const seq = z.number().int().min(1)
const counts = countsSchema.shape
const usage = z
  .object({
    input: z.nullish(counts.input),
    output: z.nullish(counts.output),
    total: z.nullish(counts.total),
    cache_read: z.nullish(counts.cacheRead),
    cache_write: z.nullish(counts.cacheWrite),
    cost: z.nullish(counts.cost),
  })
  .nullish()

/** Times are looked at apart; what is derived (preview, counters, versions) is not taken, so it is not checked. */
const sessionSchema = z.looseObject({
  id: sessionIdSchema.optional(),
  name: rules.name,
  name_source: rules.nameSource,
  type: rules.type,
  owner_id: rules.ownerId,
  working_dir: rules.workingDir,
  channel_type: rules.channelType,
  channel_key: rules.channelKey,
  parent_session_id: rules.parentSessionId,
  forked_from: z.object({ session_id: sessionIdSchema, seq: z.number().int().min(0) }).optional(),
  branch_of: rules.branchOf,
  provider_name: rules.providerName,
  model_config: rules.modelConfig,
  mode: rules.mode,
  extension_data: rules.extensionData,
  metadata: rules.metadata,
  tags: rules.tags,
  token_counts: z.object({ last: usage, accumulated: usage }).optional(),
  pinned: rules.pinned,
  next_seq: rules.nextSeq,
  context: z.object({ start_seq: seq, summary_seq: seq.nullish() }).optional(),
})

const anyObject = z.looseObject({})

/**
 * Reads a session. Its id does not become the new session's: it goes to `source`, with an empty digest, which the store
 * computes.
 *
 * @throws {StoreError} invalid naming the field below `name`; too-large
 */
export function readSession(value: unknown, name: string): ImportedHeader {
  const given = withoutNulls(check(anyObject, value, name) as object)
  const fields = check<Partial<ExportedSession>>(sessionSchema, given, name)
  const time = (key: 'archived_at' | 'created_at' | 'updated_at' | 'last_active_at') =>
    fields[key] === undefined ? undefined : readTime(fields[key], `${name}.${key}`)
  const { forked_from, token_counts, context } = fields
  for (const key of ['model_config', 'extension_data', 'metadata'] as const) {
    toJsonText(fields[key] ?? null, `${name}.${key}`, limits.objectBytes)
  }
  const session = present({
    name: fields.name,
    nameSource: fields.name_source,
    type: fields.type,
    ownerId: fields.owner_id,
    workingDir: fields.working_dir,
    channelType: fields.channel_type,
    channelKey: fields.channel_key,
    source: fields.id === undefined ? undefined : { agent: 'sess', sessionId: fields.id, digest: '' },
    providerName: fields.provider_name,
    modelConfig: fields.model_config,
    mode: fields.mode,
    extensionData: fields.extension_data,
    metadata: fields.metadata,
    tags: fields.tags,
    tokenCounts: token_counts && {
      last: readUsage(token_counts.last),
      accumulated: readUsage(token_counts.accumulated),
    },
    pinned: fields.pinned,
    archivedAt: time('archived_at'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
    lastActiveAt: time('last_active_at'),
    nextSeq: fields.next_seq,
    context:
      context && present({ startSeq: context.start_seq, summarySeq: context.summary_seq ?? undefined }),
  })
  prepareImport(session, 'en', name)
  const links = present({
    parentSessionId: fields.parent_session_id,
    forkedFrom: forked_from && { sessionId: forked_from.session_id, seq: forked_from.seq },
    branchOf: fields.branch_of,
  })
  return Object.keys(links).length === 0 ? { session } : { session, links }
}

function readUsage(usage: ExportedUsage | undefined): TokenUsage {
  const { input, output, total, cache_read: cacheRead, cache_write: cacheWrite, cost } = usage ?? {}
  const given = { input, output, total, cacheRead, cacheWrite, cost }
  return withoutNulls(present(given))
}

function withoutNulls<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as T
}
