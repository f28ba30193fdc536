// Moments for people: how long ago, or the date and time in their zone.

import { type Locale, localParts } from '@sess/core'
import { visibleLine } from './text.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const week = 7 * day

const words: {
  readonly [locale in Locale]: { readonly now: string; readonly ago: (n: number, unit: Unit) => string }
} = {
  en: { now: 'just now', ago: (n, unit) => `${n}${unit} ago` },
  zh: { now: '刚刚', ago: (n, unit) => `${n}${{ m: '分钟', h: '小时', d: '天', w: '周' }[unit]}前` },
}

type Unit = 'm' | 'h' | 'd' | 'w'

/** "5m ago"; a date for what is eight weeks old or lies ahead. */
export function relativeTime(
  time: number,
  { now, locale, timeZone }: { readonly now: number; readonly locale: Locale; readonly timeZone: string },
): string {
  const age = now - time
  if (Number.isNaN(age)) return visibleLine(String(time))
  const { now: justNow, ago } = words[locale]
  if (age < -minute || age >= 8 * week) return formatTime(time, timeZone).slice(0, -'00:00:00'.length).trim()
  if (age < minute) return justNow
  if (age < hour) return ago(Math.floor(age / minute), 'm')
  if (age < day) return ago(Math.floor(age / hour), 'h')
  if (age < 2 * week) return ago(Math.floor(age / day), 'd')
  return ago(Math.floor(age / week), 'w')
}

/** `2026-03-01 09:00:05` in the zone. */
export function formatTime(time: number, timeZone: string): string {
  if (!isTime(time)) return visibleLine(String(time))
  const { year, month, day, hour, minute, second } = localParts(time, timeZone)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
}

/** `2026-03-01T09:00:05.000Z`, for programs. */
export function isoTime(time: number): string {
  return isTime(time) ? new Date(time).toISOString() : visibleLine(String(time))
}

/** A file that was made by others may hold anything for a time, which then is shown as it stands. */
function isTime(time: number): boolean {
  return typeof time === 'number' && !Number.isNaN(new Date(time).getTime())
}
