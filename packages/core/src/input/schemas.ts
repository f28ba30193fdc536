// The zod schemas of what callers give. They check envelopes and the fields the store's rules depend on; everything
// else of a block or of metadata is kept as given and checked as JSON.

import { z } from 'zod'
import { limits } from '../limits.ts'
import { codePointLength } from '../text/utf8.ts'
import { countsSchema } from './counts.ts'

const notWellFormed = 'must be well-formed Unicode (it has half of a surrogate pair)'

/** Text for an id, a name or a path: well-formed Unicode without control characters, which no driver mangles. */
function line(minimum: number, maximum: number): z.ZodType<string> {
  return z.string().check((context) => {
    const text = context.value
    const fail = (message: string) => {
      context.issues.push({ code: 'custom', message, input: text })
    }
    if (text.length < minimum) fail('must not be empty')
    else if (text.length > maximum && codePointLength(text) > maximum)
      fail(`must have at most ${maximum} code points`)
    else if (/\p{Cc}/u.test(text)) fail('must not contain control characters')
    else if (!text.isWellFormed()) fail(notWellFormed)
  })
}

/** No URL can carry `.` and `..` as a part of its path. */
function idOf(maximum: number): z.ZodType<string> {
  return line(1, maximum).refine((text) => text !== '.' && text !== '..', {
    message: 'must not be "." or ".."',
  })
}

const id = idOf(limits.id)
const time: z.ZodType<number> = z.number().int().min(-8.64e15).max(8.64e15)
const seq: z.ZodType<number> = z.number().int().min(1)
/** Behind it there is room for what is appended. */
const importedSeq = z.number().int().min(1).max(limits.importedSeq)
const object: z.ZodType<object> = z.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { message: 'must be an object' },
)

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
const tags = z.array(line(1, limits.tag)).max(limits.tags)

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
  forkedFrom: z.object({ sessionId: id, seq: z.number().int().min(0) }).optional(),
  branchOf: id.optional(),
  tokenCounts: z.object({ last: countsSchema, accumulated: countsSchema }).optional(),
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
  ifNameSource: z.array(nameSource).optional(),
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

const pageFields = {
  limit: z.number().int().min(1).max(limits.pageMax).optional(),
  cursor: z.string().optional(),
}

export const pageSchema: z.ZodType<unknown> = z.strictObject(pageFields)

const isWellFormed = (value: unknown) => typeof value !== 'string' || value.isWellFormed()

/** Text to compare with: drivers would take half of a surrogate pair for U+FFFD. */
export const filterText: z.ZodType<string> = z.string().refine(isWellFormed, { message: notWellFormed })

const flagOrAny = z.union([z.boolean(), z.literal('any')], { error: 'must be true, false or "any"' })

const sessionFilterFields = {
  types: z
    .union([z.literal('all'), z.array(sessionType)], { error: 'must be "all" or an array of types' })
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
  tags: z.array(filterText).max(limits.tags).optional(),
  metadata: object
    .refine((value) => Object.keys(value).length <= limits.tags, {
      message: `takes at most ${limits.tags} keys`,
    })
    .refine((value) => Object.entries(value).flat().every(isWellFormed), { message: notWellFormed })
    .refine(
      (value) =>
        Object.values(value).every(
          (member) => member === null || ['string', 'number', 'boolean'].includes(typeof member),
        ),
      { message: 'takes strings, numbers, booleans and null' },
    )
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
  roles: z.array(roleSchema).optional(),
  sort: z.enum(['relevance', 'recent']).optional(),
  prefixLast: z.boolean().optional(),
  include: z.literal('message').optional(),
  around: z.number().int().min(0).max(limits.around).optional(),
})

/** What a write expects, and how a retry is known. */
export const expectationFields = {
  expectedVersion: z.number().int().min(0).optional() as z.ZodType<number | undefined>,
  operationId: line(1, limits.messageId).optional() as z.ZodType<string | undefined>,
}

export const appendOptionsSchema: z.ZodType<unknown> = z.strictObject({
  createSession: z
    .union([z.literal(true), newSessionSchema], { error: 'must be true or the fields of a session' })
    .optional(),
  ...expectationFields,
})

export const messageRangeSchema: z.ZodType<unknown> = z.strictObject({
  ...pageFields,
  fromSeq: z.number().int().min(0).optional(),
  toSeq: z.number().int().min(0).optional(),
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
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))], textOrBlocks).nullish(),
  }),
}

const anyBlock = z.looseObject({ type: z.string() })

export const blockSchema: z.ZodType<unknown> = anyBlock.check((context) => {
  const known = Object.hasOwn(knownBlocks, context.value.type) ? knownBlocks[context.value.type] : undefined
  const result = known?.safeParse(context.value)
  const issue = result?.error?.issues[0]
  if (issue)
    context.issues.push({
      code: 'custom',
      message: issue.message,
      path: [...issue.path],
      input: context.value,
    })
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
  content: z.union([z.string(), z.array(blockSchema)], textOrBlocks),
  createdAt: time.optional(),
  metadata: messageMetadataSchema.optional(),
})

/** What `compact` writes: an import brings it along. */
const summary = z.object({
  fromSeq: seq,
  throughSeq: z.number().int().min(0),
  line: z.array(seq),
})

export const importedMessageSchema: z.ZodType<unknown> = z.object({
  id: messageIdSchema.optional(),
  role: roleSchema,
  content: z.union([z.string(), z.array(blockSchema)], textOrBlocks),
  createdAt: time.optional(),
  metadata: messageMetadataSchema.safeExtend({ summary: summary.optional() }).optional(),
  seq: importedSeq.optional(),
})
