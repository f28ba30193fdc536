// Dates as people write them: a day, or a time, in a zone of its own or in a given one.

export interface LocalParts {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What calendar and clock of a zone show at a moment. */
export function localParts(time: number, timeZone: string): LocalParts {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const year = number('year')
  return {
    // 1 BC is the year 0.
    year: parts.get('era') === 'BC' ? 1 - year : year,
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
  }
}

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * The epoch milliseconds of `2026-03-01` (its first moment), `2026-03-01T09:00`, or the same with `Z` or `+08:00`;
 * `undefined` for anything else, also for the 30th of February. A time that a clock skips counts as if it had not; one
 * that it shows twice is the first.
 *
 * @param timeZone the zone of a text that names none; one the runtime knows
 */
export function parseDate(text: string, timeZone: string): number | undefined {
  const match = pattern.exec(text)
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
