// What a patch changes in a row.

import type { PreparedPatch } from '../input/sessions.ts'
import type { SessionRecord } from './records.ts'

/** The columns a patch changes; an archived session that is archived again keeps its time. */
export function patchFields(patch: PreparedPatch, row: SessionRecord, now: number): Partial<SessionRecord> {
  const fields: { -readonly [key in keyof SessionRecord]?: SessionRecord[key] } = {}
  if (patch.name !== undefined) fields.name = patch.name
  if (patch.nameSource !== undefined) fields.nameSource = patch.nameSource
  if (patch.type !== undefined) fields.sessionType = patch.type
  if (patch.workingDir !== undefined) fields.workingDir = patch.workingDir
  if (patch.providerName !== undefined) fields.providerName = patch.providerName
  if (patch.mode !== undefined) fields.mode = patch.mode
  if (patch.modelConfigJson !== undefined) fields.modelConfig = patch.modelConfigJson
  if (patch.extensionDataJson !== undefined) fields.extensionData = patch.extensionDataJson
  if (patch.metadataJson !== undefined) fields.metadata = patch.metadataJson
  if (patch.pinned !== undefined) fields.pinned = patch.pinned ? 1 : 0
  if (patch.archived !== undefined) fields.archivedAt = patch.archived ? (row.archivedAt ?? now) : null
  return fields
}
