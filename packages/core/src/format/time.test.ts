import { describe, expect, it } from 'vitest'
import { StoreError } from '../errors.ts'
import { readTime, toIsoTime } from './time.ts'

const refused = 'at: must be an ISO 8601 time with a zone, or epoch milliseconds'

describe('times in files', () => {
  it('are written in UTC with milliseconds', () => {
    expect(toIsoTime(1_772_355_600_000, 'at')).toBe('2026-03-01T09:00:00.000Z')
    expect(toIsoTime(-1, 'at')).toBe('1969-12-31T23:59:59.999Z')
    expect(toIsoTime(8.64e15, 'at')).toBe('+275760-09-13T00:00:00.000Z')
    for (const value of [Number.NaN, 9e15, '2026' as never, null as never]) {
      expect(() => toIsoTime(value, 'session "a": created_at')).toThrowError(
        expect.objectContaining({
          code: 'corrupt',
          message: 'session "a": created_at: what is stored is no time',
        }),
      )
    }
  })

  it.each([
    ['2026-03-01T09:00:00.123Z', 1_772_355_600_123],
    ['2026-03-01T09:00:00Z', 1_772_355_600_000],
    ['2026-03-01T09:00Z', 1_772_355_600_000],
    ['2026-03-01T10:30:00+01:30', 1_772_355_600_000],
    ['2026-03-01T01:00:00.5-0800', 1_772_355_600_500],
    ['2026-03-01T09:00:00.123456789Z', 1_772_355_600_123],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000],
    ['0099-01-01T00:00:00.000Z', -59_042_995_200_000],
    ['+275760-09-13T00:00:00.000Z', 8.64e15],
    ['-271821-04-20T00:00:00.000Z', -8.64e15],
    [0, 0],
    [1_772_355_600_123, 1_772_355_600_123],
    [-5, -5],
  ])('reads %s', (value, time) => {
    expect(readTime(value, 'at')).toBe(time)
  })

  it.each([
    ['a text without a zone', '2026-03-01T09:00:00'],
    ['a date alone', '2026-03-01'],
    ['a day that the month does not have', '2026-02-29T00:00:00Z'],
    ['a month that is none', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['hour 24', '2026-03-01T24:00:00Z'],
    ['a leap second', '2026-03-01T23:59:60Z'],
    ['an offset that is none', '2026-03-01T09:00:00+24:00'],
    ['words', 'yesterday'],
    ['an empty text', ''],
    ['a number in a text', '1772355600000'],
    ['a fraction of a millisecond', 1.5],
    ['a time beyond what a date holds', 8.64e15 + 1],
    ['a text beyond what a date holds', '+275760-09-13T00:00:00.001Z'],
    ['an offset that leads beyond it', '+275760-09-12T23:59:00-00:02'],
    ['NaN', Number.NaN],
    ['a boolean', true],
    ['null', null],
    ['nothing', undefined],
  ])('refuses %s', (_, value) => {
    expect(() => readTime(value, 'at')).toThrow(new StoreError('invalid', refused))
  })
})
