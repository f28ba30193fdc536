// Goose's export: the bare session object (working directory, counts, `conversation`), without version or envelope.
// Both layouts of the token counts are read, and `description`, the older name of `name`.

import {
  type ImportedConversation,
  type ImportedSession,
  type JsonObject,
  type SessionType,
  sessionTypes,
  type TokenUsage,
} from '@sess/core'
import { prepareImport } from '@sess/core/adapter'
import { createFields, isObject, present, rest } from '../values.ts'
import { readMessages } from './messages.ts'
import { accumulatedKeys, nestedKeys, readUsage } from './usage.ts'

/** Names Goose gives to a session that nobody has named. */
const defaultNames: readonly (string | undefined)[] = ['CLI Session', 'New Chat', undefined]

/** What has a place of its own in sess, and what can be derived again; all else goes to `metadata.goose`. */
const knownKeys: readonly string[] = [
  'id',
  'name',
  'description',
  'user_set_name',
  'session_type',
  'working_dir',
  'workingDir',
  'created_at',
  'updated_at',
  'archived_at',
  'parent_session_id',
  'extension_data',
  'provider_name',
  'model_config',
  'goose_mode',
  'usage',
  'accumulated_usage',
  'accumulated_cost',
  ...Object.values(nestedKeys),
  ...Object.values(accumulatedKeys),
  'conversation',
  'message_count',
  'last_message_at',
  'last_message_snippet',
]

/**
 * Reads a session as Goose exports it; `undefined` when the value is none. Names are cleaned of control characters and
 * cut to the length a session's name may have.
 *
 * @throws {StoreError} invalid naming the field: `conversation[3].role`
 */
export function readGoose(value: unknown): ImportedConversation<'goose-json'> | undefined {
  return isGooseSession(value) ? readGooseSession(value, '') : undefined
}

/** Whether the value has the shape of a session of Goose, which always has a `conversation`, be it null. */
export function isGooseSession(value: unknown): value is JsonObject {
  if (!isObject(value) || !Object.hasOwn(value, 'conversation')) return false
  return typeof (value.working_dir ?? value.workingDir) === 'string'
}

/**
 * Reads what {@link isGooseSession} has recognised; `prefix` stands before the field in what is thrown.
 *
 * @throws {StoreError} invalid
 */
export function readGooseSession(value: JsonObject, prefix: string): ImportedConversation<'goose-json'> {
  const { text, object, time } = createFields(value, prefix)
  const id = text('id')
  const name = cleanName(text('name') ?? text('description'))
  const goose = rest(value, ...knownKeys)
  const last = object('usage')
  const accumulated = object('accumulated_usage')
  const parentSessionId = text('parent_session_id')
  const session = present<ImportedSession>({
    name,
    nameSource: nameSourceOf(name, value.user_set_name),
    type: typeOf(text('session_type')),
    workingDir: text('working_dir') ?? text('workingDir'),
    providerName: text('provider_name'),
    modelConfig: object('model_config'),
    mode: text('goose_mode'),
    extensionData: object('extension_data'),
    metadata: goose && { goose },
    tokenCounts: {
      last: readUsage(last ?? value, nestedKeys),
      accumulated: {
        ...(accumulated ? readUsage(accumulated, nestedKeys) : readUsage(value, accumulatedKeys)),
        ...readUsage(value, { cost: 'accumulated_cost' }),
      } satisfies TokenUsage,
    },
    archivedAt: time('archived_at'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
    source: id === undefined ? undefined : { agent: 'goose', sessionId: id, digest: '' },
  })
  prepareImport({ ...session, ...present({ parentSessionId }) }, 'en', `${prefix}session`)
  const messages = readMessages(value.conversation, `${prefix}conversation`)
  const links = parentSessionId === undefined ? {} : { links: { parentSessionId } }
  return { session, ...links, messages, format: 'goose-json' }
}

function nameSourceOf(name: string | undefined, isUsers: unknown): ImportedSession['nameSource'] {
  if (name !== undefined && isUsers === true) return 'user'
  return defaultNames.includes(name) ? 'default' : 'auto'
}

/** As Goose does, a type that is not known reads as user. */
function typeOf(type: string | undefined): SessionType | undefined {
  if (type === undefined) return undefined
  return sessionTypes.find((known) => known === type) ?? 'user'
}

function cleanName(name: string | undefined): string | undefined {
  const line = name
    ?.toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return line ? Array.from(line).slice(0, 500).join('') : undefined
}
