// A new session: the id it gets, and its row with every column.

import { StoreError } from '@sess/core'
import {
  newSessionRecord,
  nextDateId,
  type PreparedSession,
  raisedCounter,
  type SessionRecord,
  type StoreContext,
} from '@sess/core/adapter'
import type { Folder } from './folder.ts'

/**
 * The id of a new session: given and free, from the host's generator, or the day's next number that nobody has.
 *
 * @throws {StoreError} already-exists also where the session of that id is in the trash
 */
export function newSessionId(
  folder: Folder,
  given: string | undefined,
  { ids, dayOf }: StoreContext,
  now: number,
): string {
  const id = given ?? (ids.session === 'date' ? undefined : ids.session(now))
  if (id !== undefined) {
    if (!folder.index.has(id)) return id
    throw new StoreError('already-exists', `session "${id}" exists already`)
  }
  const day = dayOf(now)
  return nextDateId(day, folder.counters.days[day] ?? 0, (made) => folder.index.has(made))
}

/** The row of a new session; it takes a change number and a row id, and an id of the date shape raises its counter. */
export function newRow(
  { counters }: Folder,
  id: string,
  session: PreparedSession,
  now: number,
  fields: Partial<SessionRecord> = {},
): SessionRecord {
  const raised = raisedCounter(id, (day) => counters.days[day] ?? 0)
  if (raised !== undefined) counters.days[raised.day] = raised.number
  const facts = { id, rowId: ++counters.rowId, changeSeq: ++counters.changeSeq, now }
  return newSessionRecord(session, facts, fields)
}
