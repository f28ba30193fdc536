import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDayOf, createIds, createUuidV7, parseDateId } from './ids.ts'

const at = (text: string) => Date.parse(text)

describe('createUuidV7', () => {
  const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

  test('puts time, version, variant and random bits where RFC 9562 has them', () => {
    const ones = createUuidV7((bytes) => bytes.fill(0xff))
    expect(ones(0x0123_4567_89ab)).toBe('01234567-89ab-77ff-bfff-ffffffffffff')
    const zeros = createUuidV7((bytes) => bytes.fill(0))
    expect(zeros(0)).toBe('00000000-0000-7000-8000-000000000000')
  })

  test('has the form of a UUID of version 7 at any time', () => {
    const next = createUuidV7()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 2 }), (now) => {
        expect(next(now)).toMatch(shape)
      }),
    )
  })

  test('grows within a millisecond: 5,000 are sorted and all different', () => {
    const next = createUuidV7()
    const made = Array.from({ length: 5000 }, () => next(1_700_000_000_000))
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(5000)
    expect(made.every((id) => shape.test(id))).toBe(true)
  })

  test('grows when the clock stands still, goes back or jumps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 200 }), (clock) => {
        const next = createUuidV7()
        const made = clock.map((tick) => next(1_700_000_000_000 + tick))
        expect(made.toSorted()).toEqual(made)
        expect(new Set(made).size).toBe(made.length)
      }),
    )
  })

  test('goes on with the clock’s own time once that is ahead again', () => {
    const next = createUuidV7()
    next(2000)
    next(1000)
    expect(next(3000).slice(0, 13)).toBe('00000000-0bb8')
  })

  test('of a time that is none makes a UUID all the same', () => {
    for (const now of [Number.NaN, -5, 1.5, Number.POSITIVE_INFINITY, 2 ** 48, 1e300, undefined as never]) {
      const next = createUuidV7()
      expect(next(now)).toMatch(shape)
      expect(next(now)).toMatch(shape)
    }
  })

  test('two generators at one moment differ', () => {
    expect(createUuidV7()(1_700_000_000_000)).not.toBe(createUuidV7()(1_700_000_000_000))
  })
})

describe('createIds', () => {
  test.each([[null], [5], [{ session: 'other' }], [{ sessions: 'uuid' }]])('refuses %j', (options) => {
    expect(() => createIds(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringContaining('options') }),
    )
  })

  test('gives date ids to sessions unless asked for UUIDs', () => {
    expect(createIds().session).toBe('date')
    const { session, message } = createIds({ session: 'uuid' })
    expect(typeof session === 'function' && session(1)).toMatch(/^00000000-0001-7/)
    expect(message(1)).toMatch(/^00000000-0001-7/)
  })
})

describe('createDayOf', () => {
  test.each([
    ['UTC', '2026-02-28T23:59:59.999Z', '20260228'],
    ['UTC', '2026-03-01T00:00:00.000Z', '20260301'],
    ['Asia/Shanghai', '2026-02-28T15:59:59.999Z', '20260228'],
    ['Asia/Shanghai', '2026-02-28T16:00:00.000Z', '20260301'],
    ['America/New_York', '2026-03-01T04:59:59.999Z', '20260228'],
    ['America/New_York', '2026-03-01T05:00:00.000Z', '20260301'],
    // Quarters of an hour matter: Nepal is 5:45 ahead.
    ['Asia/Kathmandu', '2026-02-28T18:14:59.999Z', '20260228'],
    ['Asia/Kathmandu', '2026-02-28T18:15:00.000Z', '20260301'],
    ['UTC', '1970-01-01T00:00:00.000Z', '19700101'],
    ['UTC', '1969-12-31T23:59:59.999Z', '19691231'],
    ['UTC', '0800-01-01T00:00:00.000Z', '08000101'],
  ])('in %s at %s is %s', (zone, time, day) => {
    expect(createDayOf(zone, undefined)(at(time))).toBe(day)
  })

  test('follows summer time: midnight in New York moves from five to four o’clock UTC on 8 March 2026', () => {
    const dayOf = createDayOf('America/New_York', undefined)
    const days = [
      '2026-03-08T04:59:59.999Z',
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T03:59:59.999Z',
      '2026-03-09T04:00:00.000Z',
      '2026-11-01T03:59:59.999Z',
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T04:59:59.999Z',
      '2026-11-02T05:00:00.000Z',
    ].map((time) => dayOf(at(time)))
    expect(days).toEqual([
      '20260307',
      '20260308',
      '20260308',
      '20260309',
      '20261031',
      '20261101',
      '20261101',
      '20261102',
    ])
  })

  test('a day that a zone left out is never named: Samoa had no 30 December 2011', () => {
    const dayOf = createDayOf('Pacific/Apia', undefined)
    expect(dayOf(at('2011-12-30T09:59:59.999Z'))).toBe('20111229')
    expect(dayOf(at('2011-12-30T10:00:00.000Z'))).toBe('20111231')
  })

  test('one function answers any order of times as a new one does', () => {
    const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Chatham']
    const dayOf = Object.fromEntries(zones.map((zone) => [zone, createDayOf(zone, undefined)]))
    const start = at('2026-03-01')
    // Close to each other, so that what was kept of the time before matters.
    const minutes = fc.array(fc.integer({ min: 0, max: 3 * 24 * 60 }), { minLength: 20, maxLength: 60 })
    fc.assert(
      fc.property(fc.constantFrom(...zones), minutes, (zone, times) => {
        for (const minute of times.toSorted((a, b) => a - b)) {
          const now = start + minute * 60_000
          expect(dayOf[zone]?.(now)).toBe(createDayOf(zone, undefined)(now))
        }
      }),
    )
    const inNepal = dayOf['Asia/Kathmandu']
    expect(
      [0, 14, 15, 59, 14].map((minute) => inNepal?.(at('2026-02-28T18:00:00Z') + minute * 60_000)),
    ).toEqual(['20260228', '20260228', '20260301', '20260301', '20260228'])
  })

  test('the prefix stands before the day', () => {
    expect(createDayOf('UTC', 'laptop')(at('2026-03-01T12:00:00Z'))).toBe('laptop-20260301')
  })

  test('an unknown time zone is invalid', () => {
    expect(() => createDayOf('Mars/Olympus', undefined)).toThrow(
      expect.objectContaining({ code: 'invalid', message: 'timeZone "Mars/Olympus" is not known here' }),
    )
  })
})

describe('parseDateId', () => {
  test.each([
    ['20260301_4', { day: '20260301', number: 4 }],
    ['laptop-20260301_4', { day: 'laptop-20260301', number: 4 }],
    ['my-old-laptop-20260301_12', { day: 'my-old-laptop-20260301', number: 12 }],
    ['-20260301_4', { day: '-20260301', number: 4 }],
    ['20251001_94012', { day: '20251001', number: 94_012 }],
    ['20251001_999999999999999', { day: '20251001', number: 999_999_999_999_999 }],
  ])('%s is a day and a number', (id, expected) => {
    expect(parseDateId(id)).toEqual(expected)
  })

  test.each([
    'no',
    '',
    '20260301_0',
    '20260301_01',
    '20260301_',
    '20260301',
    '_4',
    '2026030_4',
    '120260301_4',
    'laptop20260301_4',
    '20260301_-4',
    '20260301_4 ',
    '20260301_4a',
    '20260301_4_2',
    '20260301_1e3',
    '20260301_1000000000000000',
    '20260301_４',
    'scheduler_daily',
  ])('%j is another id', (id) => {
    expect(parseDateId(id)).toBeUndefined()
  })
})
