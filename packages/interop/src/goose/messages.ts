// The messages of a Goose conversation, in the order they stand in: Goose's times have whole seconds and do not order.

import type { ImportedMessage, JsonObject, MessageMetadata, Role } from '@sess/core'
import { createImportChecks } from '@sess/core/adapter'
import { invalid, isObject, present, rest, textOf } from '../values.ts'
import { readBlock } from './content.ts'
import { messageKeys, readUsage } from './usage.ts'

/** Goose itself knows user and assistant only; what sess can store is no reason to refuse a history. */
const roles: readonly unknown[] = ['user', 'assistant', 'system', 'tool']

/** Above this a `created` is milliseconds: in seconds it would be the year 2286 (aaif-goose/goose#12003). */
const latestSeconds = 10_000_000_000

/**
 * Reads a session's `conversation`; null and undefined hold no message. A message that held nothing but the mark of an
 * old compaction is left out; of two messages of one id the later gets a new one.
 *
 * @throws {StoreError} invalid naming the field below `name`
 */
export function readMessages(value: unknown, name: string): ImportedMessage[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) throw invalid(name, 'must be an array of messages')
  const seen = new Set<string>()
  const checks = createImportChecks({})
  const messages: ImportedMessage[] = []
  for (const [index, item] of value.entries()) {
    const message = readMessage(item, `${name}[${index}]`, seen)
    if (message === undefined) continue
    checks.add(message, `${name}[${index}]`)
    messages.push(message)
  }
  return messages
}

function readMessage(value: unknown, name: string, seen: Set<string>): ImportedMessage | undefined {
  if (!isObject(value)) throw invalid(name, 'must be an object')
  if (!roles.includes(value.role))
    throw invalid(`${name}.role`, 'must be one of user, assistant, system, tool')
  if (!Array.isArray(value.content)) throw invalid(`${name}.content`, 'must be an array')
  const content = value.content
    .map((item, index) => readBlock(item, `${name}.content[${index}]`))
    .filter((block) => block !== undefined)
  if (content.length === 0 && value.content.length > 0) return undefined
  const id = textOf(value.id)
  const isOwn = id !== undefined && !seen.has(id)
  if (isOwn) seen.add(id)
  const message = present<ImportedMessage>({
    id: isOwn ? id : undefined,
    role: value.role as Role,
    content,
    createdAt: readCreated(value.created, `${name}.created`),
    metadata: readMetadata(value.metadata, `${name}.metadata`),
  })
  return message
}

function readCreated(value: unknown, name: string): number | undefined {
  if (value === null || value === undefined) return undefined
  const time =
    typeof value === 'number' ? Math.round(value > latestSeconds ? value : value * 1000) : Number.NaN
  if (Number.isNaN(new Date(time).getTime())) throw invalid(name, 'must be a time in seconds')
  return time
}

/** Goose's metadata goes along whole, under `native`, where it holds more than sess has keys for. */
function readMetadata(value: unknown, name: string): MessageMetadata | undefined {
  if (value === null || value === undefined) return undefined
  if (!isObject(value)) throw invalid(name, 'must be an object')
  const inference = isObject(value.inference) ? value.inference : {}
  const usage = isObject(value.usage) ? value.usage : {}
  const counts = readUsage(usage, messageKeys)
  const metadata = present<MessageMetadata>({
    userVisible: booleanOf(value.userVisible),
    agentVisible: booleanOf(value.agentVisible),
    provider: textOf(inference.provider),
    model: textOf(inference.resolvedModel) ?? textOf(inference.requestedModel),
    usage: Object.keys(counts).length === 0 ? undefined : counts,
  })
  const isWhole = isKept(value, metadata) && isInferenceKept(inference) && isUsageKept(usage, counts)
  return isWhole ? metadata : { ...metadata, native: value }
}

function isKept(value: JsonObject, metadata: MessageMetadata): boolean {
  const objects = [value.inference, value.usage].every(
    (member) => (member ?? undefined) === undefined || isObject(member),
  )
  const flags = (['userVisible', 'agentVisible'] as const).every(
    (key) => (value[key] ?? undefined) === metadata[key],
  )
  return objects && flags && rest(value, 'userVisible', 'agentVisible', 'inference', 'usage') === undefined
}

/** The model asked for is the one that answered, unless a provider resolved it to another. */
function isInferenceKept(inference: JsonObject): boolean {
  const { provider, requestedModel, resolvedModel } = inference
  const isOneModel = (requestedModel ?? resolvedModel) === (resolvedModel ?? requestedModel)
  const areTexts = [provider, requestedModel, resolvedModel].every(
    (member) => (member ?? undefined) === textOf(member),
  )
  return (
    isOneModel && areTexts && rest(inference, 'provider', 'requestedModel', 'resolvedModel') === undefined
  )
}

function isUsageKept(usage: JsonObject, counts: object): boolean {
  return Object.keys(rest(usage) ?? {}).length === Object.keys(counts).length
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}
