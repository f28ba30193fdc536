// What several writes of sessions share: the row to write to, and the id of a new one.

import { type Session, StoreError } from '@sess/core'
import type { StoreParts } from './context.ts'
import type { Row, Statement } from './engine.ts'
import { asSessionRow, type SessionRow, sessionById, sessionOf } from './sql/columns.ts'
import { freeNumber } from './sql/session-writes.ts'

/** The row of a session that can be written. */
export function liveRow(id: string, row: Row | undefined): SessionRow {
  const session = asSessionRow(row)
  if (session === undefined || session.deletedAt !== null) {
    throw new StoreError('not-found', `there is no session "${id}"`)
  }
  return session
}

/** A free id, or an error that says where the taken one is. */
function assertFree(id: string, row: Row | undefined): void {
  if (row === undefined) return
  const where = row.deletedAt === null ? 'exists already' : 'exists already, in the trash'
  throw new StoreError('already-exists', `session "${id}" ${where}`)
}

/** What a statement that writes a session answers. */
export function changeSeqOf(rows: readonly Row[] = []): number {
  return (rows[0] as { readonly changeSeq: number }).changeSeq
}

/** The read that names a new session, and the id it comes to: given, from the generator, or the day's next number. */
export function newSessionId(
  { ids, dayOf }: Pick<StoreParts, 'ids' | 'dayOf'>,
  given: string | undefined,
  now: number,
): { readonly read: Statement; readonly idFrom: (rows: readonly Row[] | undefined) => string } {
  const id = given ?? (ids.session === 'date' ? undefined : ids.session(now))
  if (id !== undefined) {
    return {
      read: sessionById(id),
      idFrom: (rows) => {
        assertFree(id, rows?.[0])
        return id
      },
    }
  }
  const day = dayOf(now)
  return {
    read: freeNumber(day),
    idFrom: (rows = []) => `${day}_${(rows[0] as { readonly number: number }).number}`,
  }
}

/** The session of the first row; there is one. */
export function sessionIn({ onDamage }: Pick<StoreParts, 'onDamage'>, rows: readonly Row[] = []): Session {
  return sessionOf(rows[0] as unknown as SessionRow, onDamage)
}
