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
    const ids = { message: () => 'm', session: () => 's' }
    const logger = { debug() {}, info() {}, warn() {}, error() {} }
    const context = resolveOptions({
      clock,
      ids,
      logger,
      locale: 'zh',
      timeZone: 'Asia/Shanghai',
      idPrefix: 'laptop',
    })
    expect(context).toMatchObject({ ids, logger, locale: 'zh' })
    expect(context.now()).toBe(5)
    expect(context.dayOf(Date.parse('2026-02-28T16:00:00Z'))).toBe('laptop-20260301')
  })

  test('takes whole milliseconds from a clock of fractions', () => {
    expect(resolveOptions({ clock: () => 1700000000000.9 }).now()).toBe(1700000000000)
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
    [{ locale: 'fr' }, 'options.locale: invalid option: expected one of "en"|"zh"'],
  ])('%j is invalid', (options, message) => {
    expect(() => resolveOptions(options as StoreOptions)).toThrow(
      expect.objectContaining({ code: 'invalid', message }),
    )
  })
})
