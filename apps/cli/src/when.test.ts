import { describe, expect, it } from 'vitest'
import { isRelative, parseWhen } from './when.ts'

const now = Date.UTC(2026, 2, 10, 23, 30)
const iso = (text: string, timeZone = 'UTC') => new Date(parseWhen(text, { now, timeZone })).toISOString()

describe('parseWhen', () => {
  it.each([
    ['30m', '2026-03-10T23:00:00.000Z'],
    ['12h', '2026-03-10T11:30:00.000Z'],
    ['7d', '2026-03-03T23:30:00.000Z'],
    ['2w', '2026-02-24T23:30:00.000Z'],
    ['0d', '2026-03-10T23:30:00.000Z'],
  ])('counts an age back from now: %s', (text, time) => {
    // Days have 24 hours in every zone.
    expect(iso(text)).toBe(time)
    expect(iso(text, 'America/New_York')).toBe(time)
  })

  it.each([
    ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01', 'Asia/Shanghai', '2026-02-28T16:00:00.000Z'],
    ['2026-03-01', 'America/New_York', '2026-03-01T05:00:00.000Z'],
    ['2026-07-01', 'America/New_York', '2026-07-01T04:00:00.000Z'],
    ['2026-03-01T09:30', 'Asia/Kolkata', '2026-03-01T04:00:00.000Z'],
    ['2026-03-01 09:30:15', 'UTC', '2026-03-01T09:30:15.000Z'],
    ['2026-03-01T09:30:15.25', 'UTC', '2026-03-01T09:30:15.250Z'],
    ['2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z'],
    [' 2026-03-01 ', 'UTC', '2026-03-01T00:00:00.000Z'],
  ])('takes %j in %s', (text, zone, time) => {
    expect(iso(text, zone)).toBe(time)
  })

  it.each([
    ['2026-03-01T09:30Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30+08:00', '2026-03-01T01:30:00.000Z'],
    ['2026-03-01T09:30-0330', '2026-03-01T13:00:00.000Z'],
  ])('takes the zone that stands there: %s', (text, time) => {
    expect(iso(text, 'Asia/Shanghai')).toBe(time)
  })

  it('takes a time alone as one of today in the zone', () => {
    expect(iso('09:15')).toBe('2026-03-10T09:15:00.000Z')
    // It is the 11th there already.
    expect(iso('9:15', 'Asia/Shanghai')).toBe('2026-03-11T01:15:00.000Z')
  })

  it.each([
    // 02:00 to 03:00 is skipped: 02:30 is half an hour after 02:00, which is 03:30.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    // 02:00 to 03:00 comes twice: the first.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    // A day without midnight begins at 01:00.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    // Half an hour.
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
  ])('knows what clocks do at %s in %s', (text, zone, time) => {
    expect(iso(text, zone)).toBe(time)
  })

  it.each([
    '',
    'tomorrow',
    '7',
    '7y',
    '-7d',
    '7.5d',
    '2026-02-30',
    '2026-13-01',
    '2026-3-1',
    '2026-03-01T25:00',
    '2026-03-01T09:30+99:99',
    '2026-03-01T09:30+24:00',
    '2026-03-01T09:30-0060',
    '+99:99',
    '2026-03-01T09',
    '09:61',
    '99999999w',
  ])('refuses %j', (text) => {
    expect(() => iso(text)).toThrowError(/^".*" is no time: take an age/)
  })
})

describe('isRelative', () => {
  it('tells what means another moment at another time', () => {
    expect(['7d', '09:15'].map(isRelative)).toStrictEqual([true, true])
    expect(['2026-03-01', '2026-03-01T09:15'].map(isRelative)).toStrictEqual([false, false])
  })
})
