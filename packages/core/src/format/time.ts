// Times in files: ISO 8601 in UTC with milliseconds when written; when read, any offset, or epoch milliseconds.

import { StoreError } from '../errors.ts'

const pattern =
  /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d):?(\d\d))$/

/**
 * The time as it stands in a file: `2026-03-01T09:00:00.000Z`.
 *
 * @throws {StoreError} corrupt a stored value that is no time, naming `name`
 */
export function toIsoTime(time: number, name: string): string {
  if (typeof time !== 'number' || Number.isNaN(new Date(time).getTime())) {
    throw new StoreError('corrupt', `${name}: what is stored is no time`)
  }
  return new Date(time).toISOString()
}

/**
 * The epoch milliseconds of an ISO 8601 text with a zone, or of a number that is epoch milliseconds already. Digits
 * behind the millisecond are cut. A text without a zone is refused: it would mean another moment on each machine.
 *
 * @throws {StoreError} invalid naming `name`
 */
export function readTime(value: unknown, name: string): number {
  const time = typeof value === 'string' ? parseIso(value) : value
  if (typeof time !== 'number' || !Number.isInteger(time) || Number.isNaN(new Date(time).getTime())) {
    throw new StoreError('invalid', `${name}: must be an ISO 8601 time with a zone, or epoch milliseconds`)
  }
  return time
}

function parseIso(text: string): number {
  const match = pattern.exec(text)
  if (match === null) return Number.NaN
  const part = (group: number) => Number(match[group] ?? 0)
  const [month, day, hour, minute, second] = [part(2), part(3), part(4), part(5), part(6)]
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 23 || part(10) > 59) return Number.NaN
  const date = new Date(0)
  date.setUTCFullYear(part(1), month - 1, day)
  // The 30th of February rolls over to March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return Number.NaN
  date.setUTCHours(hour, minute, second, milliseconds)
  const offset = (part(9) * 60 + part(10)) * 60_000
  return date.getTime() - (match[8] === '-' ? -offset : offset)
}
