// A moment as people write it on a command line: an age ("7d"), a date, a time, with or without a zone.

import { usageError } from './failure.ts'
import { localParts } from './output/time.ts'

export interface WhenOptions {
  /** Epoch milliseconds that ages count back from. */
  readonly now: number
  /** The zone of dates and times that name none. */
  readonly timeZone: string
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

const agePattern = /^(\d{1,9})(m|h|d|w)$/i
const datePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i
const clockPattern = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/

/** Whether the text is an age or a time of today, so that it means another moment at another time. */
export function isRelative(text: string): boolean {
  return agePattern.test(text.trim()) || clockPattern.test(text.trim())
}

/**
 * The epoch milliseconds a text means: `30m`, `12h`, `7d`, `2w` (a day is 24 hours), `2026-03-01` (its first moment),
 * `2026-03-01T09:00`, the same with `Z` or `+08:00`, or `09:00` today. A time that a clock skips counts as if it had
 * not; one that it shows twice is the first.
 *
 * @throws a usage error for anything else
 */
export function parseWhen(text: string, options: WhenOptions): number {
  const source = text.trim()
  const time = readAge(source, options) ?? readDate(source, options) ?? readClock(source, options)
  if (time === undefined || !Number.isFinite(new Date(time).getTime())) {
    throw usageError(
      `"${text}" is no time: take an age (7d, 12h), a date (2026-03-01) or a time (2026-03-01T09:00)`,
    )
  }
  return time
}

function readAge(text: string, { now }: WhenOptions): number | undefined {
  const match = agePattern.exec(text)
  if (match === null) return undefined
  return now - Number(match[1]) * (units[(match[2] as string).toLowerCase()] as number)
}

function readDate(text: string, { timeZone }: WhenOptions): number | undefined {
  const match = datePattern.exec(text)
  if (match === null) return undefined
  const part = (group: number) => Number(match[group] ?? 0)
  const wall = wallTime(part(1), part(2), part(3), part(4), part(5), part(6))
  if (wall === undefined) return undefined
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0'))
  const zone = match[8]
  if (zone === undefined) return zonedTime(wall, timeZone) + milliseconds
  const offset = zoneOffset(zone)
  return offset === undefined ? undefined : wall + milliseconds - offset
}

function readClock(text: string, { now, timeZone }: WhenOptions): number | undefined {
  const match = clockPattern.exec(text)
  if (match === null) return undefined
  const { year, month, day } = localParts(now, timeZone)
  const wall = wallTime(year, month, day, Number(match[1]), Number(match[2]), Number(match[3] ?? 0))
  return wall === undefined ? undefined : zonedTime(wall, timeZone)
}

/** What a clock shows, as if it were UTC; `undefined` for the 30th of February or 25:00. */
function wallTime(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.setUTCHours(hour, minute, second)
}

function zoneOffset(zone: string): number | undefined {
  if (/^z$/i.test(zone)) return 0
  const digits = zone.replaceAll(/\D/g, '')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  if (hours > 23 || minutes > 59) return undefined
  const offset = (hours * 60 + minutes) * 60_000
  return zone.startsWith('-') ? -offset : offset
}

/** The moment at which the clocks of a zone show `wall`. */
function zonedTime(wall: number, timeZone: string): number {
  const offsetAt = (time: number) => {
    const { year, month, day, hour, minute, second } = localParts(time, timeZone)
    return (wallTime(year, month, day, hour, minute, second) as number) - Math.floor(time / 1000) * 1000
  }
  const before = offsetAt(wall - 86_400_000)
  const after = offsetAt(wall + 86_400_000)
  const isShown = (offset: number) => offsetAt(wall - offset) === offset
  if (isShown(before)) return wall - before
  // In a gap the offset before it takes the clock on by the gap's length.
  return isShown(after) ? wall - after : wall - before
}
