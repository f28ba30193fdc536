// Numbers of date ids (`20260301_4`), for stores that keep a counter a day. A number is never given twice, also where the
// session that had it is gone; only ids of callers may leave gaps.

import { counterLeap, parseDateId } from '../ids.ts'

/** The id of a day's next session: after the last number that was counted, and not one that a caller has taken. */
export function nextDateId(day: string, lastNumber: number, isTaken: (id: string) => boolean): string {
  let number = lastNumber + 1
  while (isTaken(`${day}_${number}`)) number++
  return `${day}_${number}`
}

/**
 * What a session's id, made or given, raises its day's counter to; `undefined` where it raises none: it is of another
 * shape, or its number is not above the last one, or so far above that it counts nothing (a time in an older program's).
 */
export function raisedCounter(
  id: string,
  lastNumberOf: (day: string) => number,
): { readonly day: string; readonly number: number } | undefined {
  const parsed = parseDateId(id)
  if (parsed === undefined) return undefined
  const last = lastNumberOf(parsed.day)
  return parsed.number > last && parsed.number <= last + counterLeap ? parsed : undefined
}
