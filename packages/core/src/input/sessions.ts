// Sessions on their way in: checked, defaults filled in, objects turned into the JSON text that is stored.

import { StoreError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Locale } from '../restore/text.ts'
import { foldText } from '../text/fold.ts'
import type { TokenUsage } from '../types/message.ts'
import type { NameSource, NewSession, SessionPatch, SessionType } from '../types/session.ts'
import type { ImportedSession } from '../types/transfer.ts'
import { check, snapshot } from './check.ts'
import { countsOf } from './counts.ts'
import { toJsonText } from './json.ts'
import { importedSessionSchema, newSessionSchema, sessionIdSchema, sessionPatchSchema } from './schemas.ts'

export const defaultNames: { readonly [locale in Locale]: string } = { en: 'New session', zh: '新会话' }

/** What a new row of `sessions` holds, but for ids and counters that only the store knows. */
export interface PreparedSession {
  readonly id: string | undefined
  readonly name: string
  readonly nameFolded: string
  readonly nameSource: NameSource
  readonly type: SessionType
  readonly ownerId: string
  readonly workingDir: string | undefined
  readonly channelType: string | undefined
  readonly channelKey: string | undefined
  readonly parentSessionId: string | undefined
  readonly providerName: string | undefined
  readonly mode: string | undefined
  readonly createdAt: number | undefined
  readonly modelConfigJson: string | undefined
  readonly extensionDataJson: string
  readonly metadataJson: string
  readonly tags: readonly string[]
}

/** Checks an id a caller names a session by. */
export function checkSessionId(id: string, name = 'id'): void {
  check(sessionIdSchema, id, name)
}

/**
 * Checks a new session and fills in defaults.
 *
 * @throws {StoreError} invalid naming the field
 */
export function prepareSession(input: NewSession, locale: Locale, name = 'session'): PreparedSession {
  return prepare(snapshot(newSessionSchema, input, name), undefined, locale, name)
}

/** What an import knows of a session beside what a new one has. */
export interface PreparedImport extends PreparedSession {
  readonly source: ImportedSession['source']
  readonly forkedFrom: ImportedSession['forkedFrom']
  readonly branchOf: string | undefined
  readonly tokenCounts: { readonly last: TokenUsage; readonly accumulated: TokenUsage }
  readonly pinned: boolean
  readonly archivedAt: number | undefined
  readonly updatedAt: number | undefined
  readonly lastActiveAt: number | undefined
  readonly nextSeq: number | undefined
  readonly context: ImportedSession['context']
}

/** Checks a session of an import; a name without `nameSource` is the user's. */
export function prepareImport(input: ImportedSession, locale: Locale, name = 'session'): PreparedImport {
  const session = snapshot(importedSessionSchema, input, name)
  const summarySeq = session.context?.summarySeq
  if (summarySeq !== undefined && session.nextSeq !== undefined && summarySeq >= session.nextSeq) {
    throw new StoreError('invalid', `${name}.context.summarySeq: must be below nextSeq`)
  }
  return {
    ...prepare(session, session.nameSource, locale, name),
    source: session.source,
    forkedFrom: session.forkedFrom,
    branchOf: session.branchOf,
    tokenCounts: {
      last: countsOf(session.tokenCounts?.last),
      accumulated: countsOf(session.tokenCounts?.accumulated),
    },
    pinned: session.pinned ?? false,
    archivedAt: session.archivedAt,
    updatedAt: session.updatedAt,
    lastActiveAt: session.lastActiveAt,
    nextSeq: session.nextSeq,
    context: session.context,
  }
}

function prepare(
  input: NewSession,
  source: NameSource | undefined,
  locale: Locale,
  name: string,
): PreparedSession {
  const sessionName = input.name ?? defaultNames[locale]
  return {
    id: input.id,
    name: sessionName,
    nameFolded: foldText(sessionName),
    nameSource: source ?? (input.name === undefined ? 'default' : 'user'),
    type: input.type ?? 'user',
    ownerId: input.ownerId ?? '',
    workingDir: input.workingDir,
    channelType: input.channelType,
    channelKey: input.channelKey,
    parentSessionId: input.parentSessionId,
    providerName: input.providerName,
    mode: input.mode,
    createdAt: input.createdAt,
    modelConfigJson: optionalJson(input.modelConfig, `${name}.modelConfig`),
    extensionDataJson: optionalJson(input.extensionData, `${name}.extensionData`) ?? '{}',
    metadataJson: optionalJson(input.metadata, `${name}.metadata`) ?? '{}',
    tags: normalizeTags(input.tags ?? []),
  }
}

/** A checked patch, its objects as JSON text; absent stays absent, null clears. */
export interface PreparedPatch {
  readonly name?: string
  readonly nameFolded?: string
  readonly nameSource?: NameSource
  readonly ifNameSource?: readonly NameSource[]
  readonly ifChangeSeq?: number
  readonly type?: SessionType
  readonly workingDir?: string | null
  readonly providerName?: string | null
  readonly mode?: string | null
  readonly modelConfigJson?: string | null
  readonly extensionDataJson?: string
  readonly metadataJson?: string
  readonly tags?: readonly string[]
  readonly pinned?: boolean
  readonly archived?: boolean
}

/**
 * Checks a patch.
 *
 * @throws {StoreError} invalid naming the field
 */
export function preparePatch(patch: SessionPatch): PreparedPatch {
  const checked = snapshot(sessionPatchSchema, patch, 'patch')
  const { extensionData, metadata, modelConfig, tags, name, nameSource, ...rest } = checked
  const given: { -readonly [key in keyof PreparedPatch]: PreparedPatch[key] } = {}
  for (const [key, value] of Object.entries(rest))
    if (value !== undefined) Object.assign(given, { [key]: value })
  if (name !== undefined)
    Object.assign(given, { name, nameFolded: foldText(name), nameSource: nameSource ?? 'user' })
  else if (nameSource !== undefined) given.nameSource = nameSource
  if (tags !== undefined) given.tags = normalizeTags(tags)
  if (modelConfig !== undefined) {
    given.modelConfigJson =
      modelConfig === null ? null : toJsonText(modelConfig, 'patch.modelConfig', limits.objectBytes)
  }
  if (extensionData !== undefined)
    given.extensionDataJson = toJsonText(extensionData, 'patch.extensionData', limits.objectBytes)
  if (metadata !== undefined) given.metadataJson = toJsonText(metadata, 'patch.metadata', limits.objectBytes)
  return given
}

/** Why a patch's condition does not hold; `undefined` when it does. */
export function patchConflict(
  patch: PreparedPatch,
  session: { readonly nameSource: NameSource; readonly changeSeq: number },
): StoreError | undefined {
  if (patch.ifChangeSeq !== undefined && patch.ifChangeSeq !== session.changeSeq) {
    return new StoreError(
      'conflict',
      `the session's changeSeq is ${session.changeSeq}, not ${patch.ifChangeSeq}`,
    )
  }
  if (patch.ifNameSource !== undefined && !patch.ifNameSource.includes(session.nameSource)) {
    return new StoreError('conflict', `the session's nameSource is "${session.nameSource}"`)
  }
  return undefined
}

/** Sorted by code unit, without repeats. */
function normalizeTags(tags: readonly string[]): readonly string[] {
  return [...new Set(tags)].sort((a, b) => (a < b ? -1 : 1))
}

function optionalJson(value: object | undefined, name: string): string | undefined {
  return value === undefined ? undefined : toJsonText(value, name, limits.objectBytes)
}
