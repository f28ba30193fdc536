// The zod schemas of what callers give. They check envelopes and the fields the store's rules depend on; everything
// else of a block or of metadata is kept as given and checked as JSON.

import { z } from 'zod'
import { limits } from '../limits.ts'
import { deepest, kindOf } from './check.ts'
import { countsSchema } from './counts.ts'
import { list } from './list.ts'
import { filterText, idOf, isWellFormed, line, notWellFormed } from './text.ts'

const id = idOf(limits.id)
/** A whole number; -0 is 0, as it is in JSON and in columns. */
const whole = z
  .number()
  .int()
  .overwrite((number) => number + 0)
export const timeSchema: z.ZodType<number> = whole.min(-8.64e15).max(8.64e15)
const time = timeSchema
const seq: z.ZodType<number> = whole.min(1)
/** Behind it there is room for what is appended. */
const importedSeq: z.ZodType<number> = whole.min(1).max(limits.importedSeq)
export const seqBoundSchema: z.ZodType<number> = whole.min(0)
/** An object of any keys: the value itself is kept, and checked as JSON. */
export const objectSchema: z.ZodType<object> = z.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { message: 'must be an object' },
)
const object = objectSchema
/** Zod takes a Date or a promise for an object without fields; where this stands before it, they are refused. */
const plainObject = z.custom<unknown>((value) => kindOf(value) === 'Object', { message: 'must be an object' })

export const roles = ['system', 'user', 'assistant', 'tool'] as const
const roleSchema: z.ZodType<string> = z.enum(roles)
export const sessionTypes = [
  'user',
  'scheduled',
  'sub_agent',
  'hidden',
  'terminal',
  'gateway',
  'acp',
] as const
const sessionType = z.enum(sessionTypes)
const nameSource = z.enum(['default', 'auto', 'user'])
const tags = list(line(1, limits.tag), limits.tags)

export const sessionIdSchema: z.ZodType<string> = id
export const ownerIdSchema: z.ZodType<string> = line(0, limits.id)
/** A channel, or a chat within it. */
export const channelSchema: z.ZodType<string> = line(1, limits.id)
export const nameSchema: z.ZodType<string> = line(1, limits.name)
export const messageIdSchema: z.ZodType<string> = idOf(limits.messageId)

/** Counts of tokens, and what they cost. */
export const usageSchema: z.ZodObject = z.looseObject({
  input: z.number().nonnegative().optional(),
  output: z.number().nonnegative().optional(),
  total: z.number().nonnegative().optional(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
  cost: z.number().optional(),
})

/** What a session keeps of them: counts of other names are left. */
const sessionCounts = plainObject.pipe(countsSchema.strip())

const newSessionFields = {
  id: id.optional(),
  name: nameSchema.optional(),
  type: sessionType.optional(),
  ownerId: ownerIdSchema.optional(),
  workingDir: line(1, 4096).optional(),
  channelType: channelSchema.optional(),
  channelKey: channelSchema.optional(),
  parentSessionId: id.optional(),
  providerName: line(1, limits.id).optional(),
  modelConfig: object.optional(),
  mode: line(1, limits.id).optional(),
  extensionData: object.optional(),
  metadata: object.optional(),
  tags: tags.optional(),
  createdAt: time.optional(),
}

export const newSessionSchema: z.ZodType<unknown> = z.strictObject(newSessionFields)

/** Loose: a `Session` of another store may be given as it is; what an import does not take is left. */
export const importedSessionSchema: z.ZodType<unknown> = z.looseObject({
  ...newSessionFields,
  source: z.object({ agent: line(1, limits.id), sessionId: line(1, 1024), digest: line(0, 256) }).optional(),
  nameSource: nameSource.optional(),
  forkedFrom: z.object({ sessionId: id, seq: seqBoundSchema }).optional(),
  branchOf: id.optional(),
  tokenCounts: z.object({ last: sessionCounts, accumulated: sessionCounts }).optional(),
  pinned: z.boolean().optional(),
  archivedAt: time.optional(),
  updatedAt: time.optional(),
  lastActiveAt: time.optional(),
  nextSeq: importedSeq.optional(),
  context: z.object({ startSeq: seq, summarySeq: seq.optional() }).optional(),
})

export const sessionPatchSchema: z.ZodType<unknown> = z.strictObject({
  name: nameSchema.optional(),
  nameSource: nameSource.optional(),
  ifNameSource: list(nameSource).optional(),
  ifChangeSeq: z.number().int().optional(),
  type: sessionType.optional(),
  workingDir: line(1, 4096).nullish(),
  providerName: line(1, limits.id).nullish(),
  modelConfig: object.nullish(),
  mode: line(1, limits.id).nullish(),
  extensionData: object.optional(),
  metadata: object.optional(),
  tags: tags.optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
})

export const pageFields: {
  readonly limit: z.ZodType<number | undefined>
  readonly cursor: z.ZodType<string | undefined>
} = {
  limit: z.number().int().min(1).max(limits.pageMax).optional(),
  cursor: z.string().optional(),
}

export const pageSchema: z.ZodType<unknown> = z.strictObject(pageFields)

function isFilterValue(value: unknown): boolean {
  return value === null || Number.isFinite(value) || ['string', 'boolean'].includes(typeof value)
}

const flagOrAny = z.union([z.boolean(), z.literal('any')], { error: 'must be true, false or "any"' })

const sessionFilterFields = {
  types: z
    .union([z.literal('all'), list(sessionType)], { error: 'must be "all" or an array of types' })
    .optional(),
  ownerId: filterText.optional(),
  workingDir: filterText.optional(),
  channelType: filterText.optional(),
  channelKey: filterText.optional(),
  parentSessionId: filterText.optional(),
  branchOf: filterText.optional(),
  sourceAgent: filterText.optional(),
  sourceSessionId: filterText.optional(),
  threadId: filterText.optional(),
  tags: list(filterText, limits.tags).optional(),
  metadata: plainObject
    .transform((value) => Object.fromEntries(Object.entries(value as object)))
    .refine((value) => Object.keys(value).length <= limits.tags, {
      message: `takes at most ${limits.tags} keys`,
    })
    .refine((value) => Object.entries(value).flat().every(isWellFormed), { message: notWellFormed })
    .check((context) => {
      const wrong = Object.entries(context.value).find(([, value]) => !isFilterValue(value))
      const message = 'takes strings, finite numbers, booleans and null'
      if (wrong) context.issues.push({ code: 'custom', message, path: [wrong[0]], input: wrong[1] })
    })
    .optional(),
  archived: flagOrAny.optional(),
  deleted: flagOrAny.optional(),
  pinned: z.boolean().optional(),
  idPrefix: filterText.optional(),
  nameContains: filterText.optional(),
  since: time.optional(),
  until: time.optional(),
  withMessages: z.boolean().optional(),
}

export const sessionQuerySchema: z.ZodType<unknown> = z.strictObject({
  ...pageFields,
  ...sessionFilterFields,
  sort: z.enum(['active', 'created']).optional(),
  order: z.enum(['desc', 'asc']).optional(),
  pinnedFirst: z.boolean().optional(),
})

export const searchQuerySchema: z.ZodType<unknown> = z.strictObject({
  ...pageFields,
  ...sessionFilterFields,
  text: z.string().max(limits.queryText, `must have at most ${limits.queryText} characters`),
  sessionId: filterText.optional(),
  in: z.enum(['text', 'tool', 'all']).optional(),
  roles: list(roleSchema).optional(),
  sort: z.enum(['relevance', 'recent']).optional(),
  prefixLast: z.boolean().optional(),
  include: z.literal('message').optional(),
  around: z.number().int().min(0).max(limits.around).optional(),
})

/** What a write expects, and how a retry is known. */
export const expectationFields = {
  expectedVersion: seqBoundSchema.optional() as z.ZodType<number | undefined>,
  operationId: line(1, limits.messageId).optional() as z.ZodType<string | undefined>,
}

export const appendOptionsSchema: z.ZodType<unknown> = z.strictObject({
  createSession: z
    .union([z.literal(true), plainObject.pipe(newSessionSchema)], {
      error: 'must be true or the fields of a session',
    })
    .optional(),
  ...expectationFields,
})

export const messageRangeSchema: z.ZodType<unknown> = z.strictObject({
  ...pageFields,
  fromSeq: seqBoundSchema.optional(),
  toSeq: seqBoundSchema.optional(),
  order: z.enum(['asc', 'desc']).optional(),
})

export const recentTurnsSchema: z.ZodType<unknown> = z.strictObject({
  turns: z.number().int(),
  mode: z.enum(['text', 'full']).optional(),
  beforeSeq: z.number().int().optional(),
  scope: z.enum(['context', 'all']).optional(),
})

export const removeOptionsSchema: z.ZodType<unknown> = z.strictObject({ purge: z.boolean().optional() })

const textOrBlocks = { error: 'must be text or an array of blocks' }

/** Blocks whose fields the store's rules read; blocks of other types are only JSON. */
const knownBlocks: { readonly [type: string]: z.ZodType<unknown> } = {
  text: z.looseObject({ text: z.string() }),
  image: z.looseObject({ source: z.looseObject({ type: z.string() }).optional() }),
  tool_use: z.looseObject({ id: z.string(), name: z.string() }),
  thinking: z.looseObject({ thinking: z.string(), signature: z.string().optional() }),
  redacted_thinking: z.looseObject({ data: z.string() }),
  tool_result: z.looseObject({
    tool_use_id: z.string(),
    is_error: z.boolean().nullish(),
    content: z.union([z.string(), list(z.looseObject({ type: z.string() }))], textOrBlocks).nullish(),
  }),
}

const anyBlock = z.looseObject({ type: z.string() })

export const blockSchema: z.ZodType<unknown> = anyBlock.check((context) => {
  const known = Object.hasOwn(knownBlocks, context.value.type) ? knownBlocks[context.value.type] : undefined
  const result = known?.safeParse(context.value)
  const { issue, path } = deepest(result?.error?.issues ?? [])
  if (issue)
    context.issues.push({ code: 'custom', message: issue.message, path: [...path], input: context.value })
})

const optionalText = z.string().nullish()

export const messageMetadataSchema: z.ZodObject = z.looseObject({
  userVisible: z.boolean().optional(),
  agentVisible: z.boolean().optional(),
  provider: optionalText,
  model: optionalText,
  channelType: optionalText,
  stopReason: optionalText,
  usage: usageSchema.nullish(),
})

/** Other keys of a message are not stored: put them into `metadata`. */
export const newMessageSchema: z.ZodType<unknown> = z.object({
  id: messageIdSchema.optional(),
  role: roleSchema,
  content: z.union([z.string(), list(blockSchema)], textOrBlocks),
  createdAt: time.optional(),
  metadata: messageMetadataSchema.optional(),
})

/** What `compact` writes: an import brings it along. */
const summary = z.object({
  fromSeq: seq,
  throughSeq: seqBoundSchema,
  line: list(seq),
})

export const importedMessageSchema: z.ZodType<unknown> = z.object({
  id: messageIdSchema.optional(),
  role: roleSchema,
  content: z.union([z.string(), list(blockSchema)], textOrBlocks),
  createdAt: time.optional(),
  metadata: messageMetadataSchema.safeExtend({ summary: summary.optional() }).optional(),
  seq: importedSeq.optional(),
})
