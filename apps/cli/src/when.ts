// A moment as people write it on a command line: an age ("7d"), a date, a time, with or without a zone.

import { localParts, parseDate } from '@sess/core'
import { usageError } from './failure.ts'

export interface WhenOptions {
  /** Epoch milliseconds that ages count back from. */
  readonly now: number
  /** The zone of dates and times that name none. */
  readonly timeZone: string
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

const agePattern = /^(\d{1,9})(m|h|d|w)$/i
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
  const time = readAge(source, options) ?? parseDate(source, options.timeZone) ?? readClock(source, options)
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

function readClock(text: string, { now, timeZone }: WhenOptions): number | undefined {
  const match = clockPattern.exec(text)
  if (match === null) return undefined
  const { year, month, day } = localParts(now, timeZone)
  const two = (number: number | string) => String(number).padStart(2, '0')
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return parseDate(`${date}T${two(match[1] as string)}:${match[2]}:${match[3] ?? '00'}`, timeZone)
}
