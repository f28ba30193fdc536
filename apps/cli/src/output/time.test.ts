import { describe, expect, it } from 'vitest'
import { formatTime, relativeTime } from './time.ts'

const now = Date.UTC(2026, 2, 1, 12)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('relativeTime', () => {
  it.each([
    [0, 'just now', '刚刚'],
    [59_999, 'just now', '刚刚'],
    [minute, '1m ago', '1分钟前'],
    [hour - 1, '59m ago', '59分钟前'],
    [hour, '1h ago', '1小时前'],
    [day - 1, '23h ago', '23小时前'],
    [day, '1d ago', '1天前'],
    [14 * day - 1, '13d ago', '13天前'],
    [14 * day, '2w ago', '2周前'],
    [56 * day - 1, '7w ago', '7周前'],
    [56 * day, '2026-01-04', '2026-01-04'],
    // A clock that is a little behind; one that is not.
    [-minute, 'just now', '刚刚'],
    [-day, '2026-03-02', '2026-03-02'],
  ])('says what was %i ms ago', (age, en, zh) => {
    expect(relativeTime(now - age, { now, locale: 'en', timeZone: 'UTC' })).toBe(en)
    expect(relativeTime(now - age, { now, locale: 'zh', timeZone: 'UTC' })).toBe(zh)
  })
})

describe('formatTime', () => {
  it.each([
    [now, 'UTC', '2026-03-01 12:00:00'],
    [now, 'Asia/Shanghai', '2026-03-01 20:00:00'],
    [Date.UTC(2026, 0, 1), 'America/New_York', '2025-12-31 19:00:00'],
    [Date.UTC(2026, 0, 1), 'UTC', '2026-01-01 00:00:00'],
    [Date.UTC(2026, 5, 1, 0, 0, 1), 'Asia/Kolkata', '2026-06-01 05:30:01'],
    [-62_198_755_200_000, 'UTC', '-0001-01-01 00:00:00'],
  ])('writes %i in %s', (time, zone, text) => {
    expect(formatTime(time, zone)).toBe(text)
  })
})
