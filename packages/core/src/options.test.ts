import { describe, expect, test } from 'vitest'
import { resolveOptions, type StoreOptions } from './options.ts'

describe('resolveOptions', () => {
  test('fills in defaults: the system’s clock, date ids in UTC, English, silence', () => {
    const { now, ids, dayOf, locale, logger } = resolveOptions({})
    const before = Date.now()
    expect(now()).toBeGreaterThanOrEqual(before)
    expect(ids.session).toBe('date')
    expect(dayOf(0)).toBe('19700101')
    expect(locale).toBe('en')
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      expect(logger[level]({}, 'text')).toBeUndefined()
    }
  })

  test('takes what is given', () => {
    const clock = () => 5
    const ids = { message: (now: number) => `m${now}`, session: (now: number) => `s${now}` }
    const logger = { debug() {}, info() {}, warn() {}, error() {} }
    const context = resolveOptions({
      clock,
      ids,
      logger,
      locale: 'zh',
      timeZone: 'Asia/Shanghai',
      idPrefix: 'laptop',
    })
    expect(context).toMatchObject({ logger, locale: 'zh' })
    expect(context.now()).toBe(5)
    expect([context.ids.message(5), (context.ids.session as (now: number) => string)(6)]).toEqual([
      'm5',
      's6',
    ])
    expect(context.dayOf(Date.parse('2026-02-28T16:00:00Z'))).toBe('laptop-20260301')
  })

  test('takes whole milliseconds from a clock of fractions', () => {
    expect(resolveOptions({ clock: () => 1700000000000.9 }).now()).toBe(1700000000000)
  })

  test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [8.64e15 + 1], ['5'], [undefined]])(
    'a clock that answers %s is invalid when it is asked',
    (answer) => {
      const { now } = resolveOptions({ clock: () => answer as number })
      expect(now).toThrow(
        expect.objectContaining({
          code: 'invalid',
          message: `options.clock: must answer epoch milliseconds, answered ${answer}`,
        }),
      )
    },
  )

  test('ids that no caller could give are invalid when they are made', () => {
    const { ids } = resolveOptions({ ids: { message: () => '', session: () => 5 as never } })
    expect(() => ids.message(0)).toThrow(
      expect.objectContaining({ code: 'invalid', message: 'options.ids.message(): must not be empty' }),
    )
    expect(() => (ids.session as (now: number) => string)(0)).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: 'options.ids.session(): invalid input: expected string, received number',
      }),
    )
  })

  test('the methods of a generator and of a logger may be inherited, and use what they stand on', () => {
    class Ids {
      count = 0
      message = () => 'm'
      session(): string {
        return `s${++this.count}`
      }
    }
    class Log {
      debug(): void {}
      info(): void {}
      warn(): void {}
      error(): void {}
    }
    const { ids } = resolveOptions({ ids: new Ids(), logger: new Log() })
    expect((ids.session as (now: number) => string)(0)).toBe('s1')
  })

  test('lets other options be, which belong to the backend', () => {
    expect(resolveOptions({ path: 'a.db' } as StoreOptions).locale).toBe('en')
  })

  test.each(['a', 'laptop', 'my-old.laptop_2', '9', 'x'.repeat(64)])('%s is a prefix', (idPrefix) => {
    expect(resolveOptions({ idPrefix }).dayOf(0)).toBe(`${idPrefix}-19700101`)
  })

  test.each([
    [{ idPrefix: '' }, 'options.idPrefix: must be 1 to 64 letters, digits, ".", "_" or "-"'],
    [{ idPrefix: '-a' }, 'options.idPrefix: must be 1 to 64 letters, digits, ".", "_" or "-"'],
    [{ idPrefix: 'a b' }, 'options.idPrefix: must be 1 to 64 letters, digits, ".", "_" or "-"'],
    [{ idPrefix: 'x'.repeat(65) }, 'options.idPrefix: must be 1 to 64 letters, digits, ".", "_" or "-"'],
    [{ timeZone: 'Mars' }, 'timeZone "Mars" is not known here'],
    [{ timeZone: 8 }, 'options.timeZone: invalid input: expected string, received number'],
    [null, 'options: invalid input: expected object, received null'],
    [5, 'options: invalid input: expected object, received number'],
    [{ clock: 5 }, 'options.clock: must be a function that answers epoch milliseconds'],
    [{ clock: null }, 'options.clock: must be a function that answers epoch milliseconds'],
    [{ ids: {} }, 'options.ids: must have message(now), and session(now) or "date"'],
    [
      { ids: { message: (): string => 'm' } },
      'options.ids: must have message(now), and session(now) or "date"',
    ],
    [
      { ids: { message: (): string => 'm', session: 'uuid' } },
      'options.ids: must have message(now), and session(now) or "date"',
    ],
    [{ logger: {} }, 'options.logger: must have debug, info, warn and error'],
    [{ logger: () => {} }, 'options.logger: must have debug, info, warn and error'],
    [{ busyTimeout: Number.NaN }, 'options.busyTimeout: invalid input: expected number, received NaN'],
    [
      { busyTimeout: Number.POSITIVE_INFINITY },
      'options.busyTimeout: invalid input: expected number, received Infinity',
    ],
    [{ busyTimeout: 3e9 }, 'options.busyTimeout: too big: expected number to be <=2147483647'],
    [{ busyTimeout: -1 }, 'options.busyTimeout: too small: expected number to be >=0'],
    [{ busyTimeout: 'x' }, 'options.busyTimeout: invalid input: expected number, received string'],
    [
      { maxMessageBytes: Number.NaN },
      'options.maxMessageBytes: invalid input: expected number, received NaN',
    ],
    [{ maxMessageBytes: 0 }, 'options.maxMessageBytes: too small: expected number to be >=1'],
    [{ maxMessageBytes: 1.5 }, 'options.maxMessageBytes: invalid input: expected int, received number'],
    [{ locale: 'fr' }, 'options.locale: invalid option: expected one of "en"|"zh"'],
  ])('%j is invalid', (options, message) => {
    expect(() => resolveOptions(options as StoreOptions)).toThrow(
      expect.objectContaining({ code: 'invalid', message }),
    )
  })
})
